// Does one of a session's checks once more, in a clean copy, for whoever wants to see it: the session itself does not move by it.
import { dirname } from 'node:path'
import { openFolder } from '../adapters/journal/folder.js'
import { issue, step, type CheckPhase, type Judgement, type Report, type Session, type Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Reporter } from '../ports.js'
import { performCheck } from '../shell/check.js'
import type { CheckPorts } from '../shell/live.js'
import type { Check } from '../shell/trials.js'
import { gatesOf, limitsOf } from './agents-and-gates.js'
import { revealEnv } from './agents-env.js'
import type { AtRest } from './at-rest.js'
import { systemClock } from './clock.js'
import { workspaceOf } from './ground.js'
import type { Output } from './output.js'
import { confined, sandboxFor } from './sandbox.js'
import { onSignals } from './signals.js'
import { setupOf } from './recorded.js'

export type Again = { report: Report; judgement: Judgement }

/** Which check of the session, and on which tree. `how` is what is different this time, such as where its files go. */
export type Wanted = { kind: 'baseline' | 'sealed'; tree: Tree; how?: Partial<Pick<Check, 'base' | 'confirm' | 'reruns'>> }

/** Null when it was interrupted. Throws Refusal where the session's procedure has no such check. */
export async function checkAgain(owned: AtRest, wanted: Wanted, output: Output): Promise<Again | null> {
  phaseOf(owned.session, wanted.kind)
  return withCheckPorts(owned, output, (ports) => judgeAgain(ports, owned.session, wanted))
}

/** The same with ports at hand, for whoever has more than one to do. */
export async function judgeAgain(ports: CheckPorts, session: Session, { kind, tree, how }: Wanted): Promise<Again | null> {
  const at = phaseOf(session, kind)
  // What a candidate tried and was put back is no fault of the tree.
  const standing = { ...session, at, tree, outstanding: null, finish: null, repeating: false, carried: [] }
  const effect = issue(standing)
  if (effect?.kind !== 'check') throw new Error(`${at} is no check`)
  const named = { ...effect, base: `again/${kind}-${systemClock.now()}`, ...how }
  const performed = await performCheck(ports, standing, named)
  if (performed.kind !== 'report') return null
  const [observed] = step({ ...standing, outstanding: named }, performed.report)
  if (observed?.type !== 'observed') throw new Error('a check was not judged')
  return { report: observed.report, judgement: observed.judgement }
}

/** What checks of a session at rest need; a signal ends the one under way. */
export async function withCheckPorts<T>({ folder, session }: AtRest, output: Output, work: (ports: CheckPorts) => Promise<T>): Promise<T> {
  const setup = await confined(revealEnv(folder, setupOf(session)), session.id)
  const sandbox = sandboxFor(setup, dirname(folder))
  const abort = new AbortController()
  const ports: CheckPorts = {
    folder: openFolder(folder),
    workspace: await workspaceOf(setup, session, folder, limitsOf(setup).gate),
    gates: gatesOf(setup, sandbox),
    reporter: warner(output),
    clock: systemClock,
    control: { now: abort.signal },
    limits: limitsOf(setup),
  }
  const unwatch = onSignals(() => abort.abort())
  try {
    return await work(ports)
  } finally {
    unwatch()
    await ports.workspace.close?.()
    await sandbox.close()
  }
}

function phaseOf({ procedure, id }: Session, kind: Wanted['kind']): string {
  const found = Object.entries(procedure.phases).find(([, phase]) => phase.kind === 'check' && (phase as CheckPhase)[kind] === true)
  if (found) return found[0]
  const what = `procedure "${procedure.name}" of session ${id} has no ${kind === 'sealed' ? 'deciding check' : 'baseline'}`
  throw new Refusal(EXIT.usage, what, `greenlatch procedures show ${procedure.name}`)
}

function warner(output: Output): Reporter {
  return { notice: (notice) => notice.kind === 'warning' && output.say(`warning: ${notice.text}`) }
}
