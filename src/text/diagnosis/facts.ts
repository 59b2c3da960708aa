// What a diagnosis says besides its pattern: the outcome in one sentence, what fails and for how long, the rungs, the best state.
import type { Rung, Session } from '../../core/types.js'
import { counted } from '../amounts.js'
import { failingOn, isUnproved } from '../failures/failing-words.js'
import { iterationsText } from '../iterations.js'
import { rungName } from '../ladder.js'
import type { Reached, Seen, Turn, Turns } from './turns.js'

const MOST_LISTED = 20

/** `rung` is its place in the ladder, counted from 1. */
export type RungTried = { rung: number; iteration: number; name: string; why: string; effect: string }

export type BestReached = { iteration: number; tree: string; failing: number; subjects: string[]; delivered: boolean }

export type Standing = 'running' | 'waiting' | 'answered' | 'paused' | 'stopped' | 'interrupted' | 'idle' | 'finished'

/** As far as the session itself tells. */
export function standingOf({ finish, rest }: Session): Standing {
  return finish ? 'finished' : rest
}

export function outcomeOf(session: Session, standing: Standing): string {
  const { finish, outstanding } = session
  const after = `after ${iterationsText(session)}`
  if (finish) return `It ended ${finish.outcome} (${finish.label}) ${after}: ${finish.why}.`
  const where = outstanding ? `at ${outstanding.phase}` : `before ${session.at}`
  return `It is ${STANDS[standing]}, ${where}, ${after}.${isUnproved(session) ? ' Nothing fails any more; the deciding check is not over.' : ''}`
}

const STANDS: Record<Standing, string> = {
  running: 'under way',
  waiting: "waiting for a person's answer",
  answered: 'answered and not yet gone on with',
  paused: 'paused',
  stopped: 'stopped',
  interrupted: 'interrupted',
  idle: 'between two steps',
  finished: 'over',
}

/** What fails on the tree that is delivered or at hand, the most seen first. */
export function failingOf({ seen }: Turns, session: Session): Seen[] {
  const failing = new Map(failingOn(session, session.finish?.delivers ?? session.tree).map((failure) => [failure.fingerprint, failure]))
  const known = [...failing.values()].map(({ gate, subject, class: kind, fingerprint }): Seen => {
    return seen.get(fingerprint) ?? { gate, subject, class: kind, fingerprint, first: 0, last: 0, seen: 0 }
  })
  return known.toSorted((one, other) => other.seen - one.seen || one.subject.localeCompare(other.subject)).slice(0, MOST_LISTED)
}

export function bestOf(session: Session): BestReached | null {
  const { best, origin, finish, tree } = session
  if (isUnproved(session)) return { iteration: session.made, tree, failing: 0, subjects: [], delivered: true }
  const reached = best ?? origin
  if (!reached) return null
  const subjects = [...new Set(reached.failing.map(({ subject }) => subject))]
  const delivered = (finish?.delivers ?? tree) === reached.tree
  return { iteration: reached.iteration, tree: reached.tree, failing: subjects.length, subjects: subjects.slice(0, MOST_LISTED), delivered }
}

// ───────────────────────────── rungs ─────────────────────────────

export function rungsOf({ reached, turns }: Turns, { procedure }: Session): RungTried[] {
  const rungs = procedure.policies.ladder?.rungs ?? []
  return reached.map((at, place) => {
    const rung = rungs[at.rung]
    const until = reached[place + 1]?.iteration ?? Infinity
    const tries = turns.filter(({ iteration, judged }) => judged !== null && iteration > at.iteration && iteration <= until)
    return { rung: at.rung + 1, iteration: at.iteration, name: rungName(rung), why: at.why, effect: effectOf(at, tries, rung) }
  })
}

/** What came of it before the next rung. */
function effectOf({ before, restored }: Reached, tries: readonly Turn[], rung: Rung | undefined): string {
  const back = restored ? 'back to the best, ' : ''
  if (rung?.to?.startsWith('@')) return 'it ended here'
  if (tries.length === 0) return `${back}nothing was judged after it`
  const files = new Set(tries.map(({ tree }) => tree)).size
  const least = Math.min(...tries.map(({ total }) => total))
  const passed = tries.some(({ judged }) => judged === 'pass')
  const outcome = passed ? 'a candidate that passed' : least < before ? `${before}→${least} failing` : `no better than ${before} failing`
  return `${back}${counted(tries.length, 'try', 'tries')}, ${counted(files, 'state')} of the files: ${outcome}`
}
