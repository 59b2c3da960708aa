// Where a session stands in one small file, for prompts and bars: it is read at any moment, and by whoever has no time for more.
import type { Session } from '../../core/types.js'
import type { Notice } from '../../ports.js'
import { rungName } from '../../text/ladder.js'
import { knownSpend } from '../../text/who-answers.js'
import { failingText, knownFailures } from './known-failures.js'

export const STATUS_FILE = 'status.json'

/** The file after this notice; null where it says nothing new. */
export function statusAfter(notice: Notice): string | null {
  switch (notice.kind) {
    case 'began':
      return statusText(notice.session, 'running', notice.at)
    case 'record':
      return statusText(notice.after, stateOf(notice.after), notice.record.at)
    case 'ended':
      return statusText(notice.session, notice.session.finish?.outcome ?? notice.how.kind, notice.at)
    case 'activity':
    case 'warning':
      return null
  }
}

/** The file of a session that nobody runs. */
export function statusAtRest(session: Session, at: number): string {
  return statusText(session, stateOf(session), at)
}

/** One that is driven step by step rests after each of them, and no process stays for it. */
function stateOf({ finish, rest, setup }: Session): string {
  if (finish) return finish.outcome
  return rest === 'running' && setup['drive'] === 'step' ? 'idle' : rest
}

function statusText(session: Session, state: string, at: number): string {
  return `${JSON.stringify(statusFields(session, state, at))}\n`
}

/** The same few fields for whoever is told of a session outside it. */
export function statusFields(session: Session, state: string, at: number) {
  const { id, procedure, outstanding, iteration, budget, best, rung } = session
  const failing = knownFailures(session)
  const most = budget.iterations ?? 0
  const phase = outstanding?.phase ?? session.at
  const where = `iteration ${iteration}${most > 0 ? `/${most}` : ''}`
  return {
    session: id,
    procedure: procedure.name,
    state,
    phase,
    iteration,
    max_iterations: most,
    failing: failing?.length ?? null,
    best: best ? { iteration: best.iteration, failing: best.failing.length } : null,
    rung: rung < 0 ? null : rungName(procedure.policies.ladder?.rungs[rung]),
    spent: knownSpend(session),
    budget,
    pid: state === 'running' ? process.pid : null,
    at: new Date(at).toISOString(),
    text: [`${procedure.name} ${state}`, where, ...(state === 'running' ? [phase] : []), failingText(failing)].join(' · '),
  }
}
