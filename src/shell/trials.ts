// Runs gates on trees: in the folder that is worked in, or in clean copies that are made when first needed and thrown away.
import type { Effect, GateResult, Session, Tree } from '../core/types.js'
import type { Activity, Copy, GateOutcome } from '../ports.js'
import { plannedTests } from './expected.js'
import type { CheckPorts } from './live.js'
import { tell } from './meter.js'
import { putBack } from './put-back.js'

export type Check = Extract<Effect, { kind: 'check' }>

/** `here` is the folder agents work in, as it stands. */
type Where = Tree | 'here'

export type Trials = {
  run(gate: string, where: Where, only?: readonly string[]): Promise<GateOutcome>
  /** The clean copy of a tree, when one was made. */
  copyOf(tree: Tree): Copy | undefined
  /** What gates wrote over in that copy; it was put back. */
  writtenIn(tree: Tree): readonly string[]
  clear(): Promise<void>
}

export function startTrials(
  ports: CheckPorts, session: Session, effect: Check, onActivity: (activity: Activity) => void,
  tests: readonly string[] = plannedTests(ports.folder, session),
): Trials {
  const copies = new Map<Tree, Copy>()
  const runs = new Map<string, number>()
  const written = new Map<Tree, Set<string>>()
  const folderOf = async (where: Where): Promise<string> => {
    if (where === 'here') return ports.workspace.top
    const copy = copies.get(where) ?? (await ports.workspace.copy(where, `${effect.phase} of session ${session.id}`, ports.control.now))
    if (!copies.has(where)) for (const text of copy.notices) tell(ports, text)
    copies.set(where, copy)
    return copy.top
  }
  // Every run sees the tree itself: what one gate writes must not decide another.
  const tidy = async (gate: string, where: Where): Promise<void> => {
    const paths = where === 'here' ? [] : ((await copies.get(where)?.putBack()) ?? [])
    if (paths.length > 0) written.set(where, new Set([...(written.get(where) ?? []), ...paths]))
    const notices = where === 'here' ? (await putBack(ports, effect, gate)).notices : []
    for (const text of paths.length > 0 ? [`${gate} wrote into the tree; put back: ${paths.join(', ')}`] : notices) tell(ports, text)
  }
  return {
    async run(name, where, only) {
      const gate = Object.hasOwn(ports.gates, name) ? ports.gates[name] : undefined
      if (!gate) return { ...NOTHING, result: resultOf(name, 'error', 'there is no such gate') }
      const run = (runs.get(name) ?? 0) + 1
      runs.set(name, run)
      const base = ports.folder.resolve(run === 1 ? effect.base : `${effect.base}-run-${run}`)
      const cwd = await folderOf(where)
      const request = { session: session.id, effect, cwd, base, limits: ports.limits.gate, only: only ?? null, tests, onActivity }
      const outcome = await gate.run(request, ports.control.now)
      if (outcome !== 'aborted') await tidy(name, where)
      return outcome
    },
    copyOf: (tree) => copies.get(tree),
    writtenIn: (tree) => [...(written.get(tree) ?? [])],
    async clear() {
      for (const copy of copies.values()) await copy.remove()
      copies.clear()
    },
  }
}

const NOTHING = { failures: [], ids: null, skipped: [], files: [] }

export function notRun(name: string): GateOutcome {
  return { ...NOTHING, result: resultOf(name, 'not run', 'an earlier gate did not pass') }
}

function resultOf(gate: string, exit: GateResult['exit'], note: string): GateResult {
  return { gate, exit, complete: false, known: false, missing: 0, seconds: 0, note }
}
