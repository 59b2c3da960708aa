// Why a session stands where it stands: folded from its events, with a named pattern, the evidence for it and what to type next.
import type { Event, Session } from '../../core/types.js'
import { exceptionsOf } from '../exceptions.js'
import { bestOf, failingOf, outcomeOf, rungsOf, standingOf, type BestReached, type RungTried, type Standing } from './facts.js'
import { nextCommands } from './next.js'
import { matchPattern } from './patterns.js'
import { noTurns, takeEvent, type Seen } from './turns.js'

/** In the order in which they are tried: the first whose evidence is there is the name. */
export const PATTERNS = [
  'nothing fails', 'search out of time', 'search out of candidates', 'nothing left to try', 'agent failed', 'agent unavailable', 'unusable answer', 'gate cannot run', 'unknown test', 'cheating', 'scope fight', 'flaky gate', 'reviewer ping-pong',
  'same patch', 'no edits', 'oscillation', 'contradictory tests', 'regression', 'whack-a-mole', 'impossible target', 'new patch same failures', 'budget too small',
  'none of these',
] as const

export type Pattern = (typeof PATTERNS)[number]

export type Diagnosis = {
  session: string
  /** Its outcome, or how it stands. */
  state: string
  iterations: number
  /** One sentence. */
  outcome: string
  /** What keeps the proof from being a full one. */
  exceptions: readonly string[]
  /** Null where there is nothing to explain: it ended well, or too little has happened. */
  pattern: Pattern | null
  /** The length of an oscillation. */
  period: number | null
  evidence: string[]
  /** What fails on the tree at hand, the longest first. */
  failing: Seen[]
  rungs: RungTried[]
  best: BestReached | null
  /** What was noticed besides the work, such as floods, processes left behind, and foreign hands in the journal. */
  noticed: string[]
  /** Commands to type. */
  next: string[]
}

export type Collector = {
  take(event: Event): void
  diagnosis(session: Session, known?: Known): Diagnosis
}

/** What a session does not tell of itself: how it stands now, and what `resume` needs to go on with a spent budget. */
export type Known = { standing?: Standing; raise?: string }

export function startDiagnosis(): Collector {
  const turns = noTurns()
  return {
    take: (event) => takeEvent(turns, event),
    diagnosis(session, known = {}) {
      const standing = known.standing ?? standingOf(session)
      const match = matchPattern(turns, session)
      return {
        session: session.id,
        state: session.finish?.outcome ?? standing,
        iterations: session.iteration,
        outcome: outcomeOf(session, standing),
        exceptions: exceptionsOf(session),
        pattern: match?.pattern ?? null,
        period: match?.period ?? null,
        evidence: match?.evidence ?? [],
        failing: failingOf(turns, session),
        rungs: rungsOf(turns, session),
        best: bestOf(session),
        noticed: [...turns.noticed].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`)),
        next: nextCommands(session, match, { standing, raise: known.raise ?? '', turns }),
      }
    },
  }
}

/** The same from all events at once. */
export function diagnose(events: Iterable<Event>, session: Session, known: Known = {}): Diagnosis {
  const collector = startDiagnosis()
  for (const event of events) collector.take(event)
  return collector.diagnosis(session, known)
}
