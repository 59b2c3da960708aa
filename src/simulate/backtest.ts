// Tries another procedure on a recorded session: its reports are fed again for as long as they answer what would have been asked.
import { apply, issue, rebuild, step } from '../core/index.js'
import type { Event, Finish, Opened, Outcome, Procedure, Session } from '../core/types.js'
import { differenceOf } from './difference.js'
import { isByPerson } from './replay.js'

/** How far a session came, and how it ended if it did. */
export type Extent = { outcome: Outcome | null; iterations: number; seconds: number; why: string }

/**
 * `earlier` and `longer` are about where it ends, `lost` is a good end that would not have been reached, `otherwise` ends at the same
 * place with another outcome, `diverged` needs answers that nobody has given, and `unfit` cannot be tried at all.
 */
export type ResultKind = 'same' | 'earlier' | 'longer' | 'lost' | 'otherwise' | 'diverged' | 'unfit'

export type Result = { kind: ResultKind; recorded: Extent; tried: Extent; saved: { iterations: number; seconds: number } }

/** The procedure to try in place of the recorded one, or why there is none. */
export type Change = (recorded: Procedure) => Procedure | { unfit: string }

export type Backtest = { take(event: Event): void; result(): Result }

/** Where the trial stands: fed along with the recording until it is settled. */
type Trial = { session: Session; settled: Settled | null }
type Settled = { kind: 'ended' | 'longer' | 'diverged' | 'unfit'; why: string }

export function startBacktest(change: Change): Backtest {
  let recorded: Session | null = null
  let trial: Trial | null = null
  return {
    take(event) {
      const before = recorded
      recorded = apply(recorded, event)
      if (event.type === 'opened') trial = opened(event, change)
      else if (trial && before) trial = follow(trial, event, recorded)
    },
    result() {
      if (!recorded || !trial) throw new Error('a journal without events has no session')
      return resultOf(recorded, trial)
    },
  }
}

function opened(event: Opened, change: Change): Trial {
  const procedure = change(event.procedure)
  if ('unfit' in procedure) return { session: apply(null, event), settled: { kind: 'unfit', why: procedure.unfit } }
  return { session: apply(null, { ...event, procedure }), settled: null }
}

/** `recorded` has already taken in the event. */
function follow(trial: Trial, event: Event, recorded: Session): Trial {
  const { session, settled } = trial
  if (settled) return trial
  switch (event.type) {
    case 'opened':
      return trial
    case 'asked': {
      const effect = issue(session)
      const difference = differenceOf(event.effect, effect)
      if (!difference) return { session: apply(session, event), settled }
      const why = `${effect?.phase ?? 'nothing'} would be asked for, with another ${difference.path}`
      return { session, settled: { kind: 'diverged', why } }
    }
    case 'observed':
      return { session: rebuild(step(session, event.report), session), settled }
    case 'decided':
      return settle(isByPerson(event.decision) ? apply(session, event) : session, recorded)
    case 'extended': {
      const extended = apply(session, event)
      return { session: extended, settled: extended.finish ? { kind: 'ended', why: extended.finish.why } : null }
    }
    default:
      return { session: apply(session, event), settled }
  }
}

/** After a decision: either may have ended where the other goes on. */
function settle(session: Session, recorded: Session): Trial {
  if (session.finish && !recorded.finish) return { session, settled: { kind: 'ended', why: session.finish.why } }
  if (!session.finish && recorded.finish) return { session, settled: { kind: 'longer', why: `it would go on with ${session.at}` } }
  return { session, settled: null }
}

function resultOf(recorded: Session, { session, settled }: Trial): Result {
  const kind = kindOf(recorded.finish, session.finish, settled)
  // What a good run that is lost would have cost is not saved.
  const ended = kind === 'earlier'
  const saved = {
    iterations: ended ? recorded.iteration - session.iteration : 0,
    seconds: ended ? Math.max(0, recorded.spent.seconds - session.spent.seconds) : 0,
  }
  const tried = extentOf(session)
  return { kind, recorded: extentOf(recorded), tried: settled ? { ...tried, why: settled.why } : tried, saved }
}

function kindOf(recorded: Finish | null, now: Finish | null, settled: Settled | null): ResultKind {
  if (settled && settled.kind !== 'ended') return settled.kind
  if (settled) return isGood(recorded) && !isGood(now) ? 'lost' : 'earlier'
  if (recorded?.outcome === now?.outcome) return 'same'
  return isGood(recorded) && !isGood(now) ? 'lost' : 'otherwise'
}

function isGood(finish: Finish | null): boolean {
  return finish?.outcome === 'converged' || finish?.outcome === 'completed'
}

function extentOf({ finish, iteration, spent }: Session): Extent {
  return { outcome: finish?.outcome ?? null, iterations: iteration, seconds: spent.seconds, why: finish?.why ?? '' }
}
