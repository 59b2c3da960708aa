// Does one of a session's checks once more, in a clean copy, for whoever wants to see it: the session itself does not move by it.
import { openFolder } from '../adapters/journal/folder.js'
import { issue, step, type CheckPhase, type Judgement, type Report, type Session, type Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { Reporter } from '../ports.js'
import { performCheck } from '../shell/check.js'
import type { CheckPorts } from '../shell/live.js'
import { gatesOf, limitsOf } from './agents-and-gates.js'
import type { AtRest } from './at-rest.js'
import { systemClock } from './clock.js'
import { workspaceOf } from './ground.js'
import type { Output } from './output.js'
import { setupOf } from './wire.js'

export type Again = { report: Report; judgement: Judgement }

/** Which check of the session, and on which tree. */
export type Wanted = { kind: 'baseline' | 'sealed'; tree: Tree }

/** Null when it was interrupted. Throws Refusal where the session's procedure has no such check. */
export async function checkAgain({ id, folder, session }: AtRest, { kind, tree }: Wanted, output: Output): Promise<Again | null> {
  const phase = phaseOf(session, kind)
  if (phase === null) {
    throw new Refusal(EXIT.usage, `procedure "${session.procedure.name}" of session ${id} has no ${kind === 'sealed' ? 'deciding check' : 'baseline'}`, `greenlatch procedures show ${session.procedure.name}`)
  }
  const setup = setupOf(session)
  const standing = { ...session, at: phase, tree, outstanding: null, finish: null, repeating: false }
  const effect = issue(standing)
  if (effect?.kind !== 'check') throw new Error(`${phase} is no check`)
  const named = { ...effect, base: `again/${kind}-${systemClock.now()}` }
  const abort = new AbortController()
  const ports: CheckPorts = {
    folder: openFolder(folder),
    workspace: await workspaceOf(setup, session, folder, limitsOf(setup).gate),
    gates: gatesOf(setup),
    reporter: warner(output),
    clock: systemClock,
    control: { now: abort.signal },
    limits: limitsOf(setup),
  }
  const performed = await interruptible(abort, () => performCheck(ports, standing, named)).finally(() => ports.workspace.close?.())
  if (performed.kind !== 'report') return null
  const [observed] = step({ ...standing, outstanding: named }, performed.report)
  if (observed?.type !== 'observed') throw new Error('a check was not judged')
  return { report: observed.report, judgement: observed.judgement }
}

function phaseOf({ procedure }: Session, kind: Wanted['kind']): string | null {
  const found = Object.entries(procedure.phases).find(([, phase]) => phase.kind === 'check' && (phase as CheckPhase)[kind] === true)
  return found?.[0] ?? null
}

function warner(output: Output): Reporter {
  return { notice: (notice) => notice.kind === 'warning' && output.say(`warning: ${notice.text}`) }
}

async function interruptible<T>(abort: AbortController, work: () => Promise<T>): Promise<T> {
  const end = (): void => abort.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  try {
    return await work()
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, end)
  }
}
