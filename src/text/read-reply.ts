// What the text of an answer comes to, by what its phase was asked to yield.
import { judges } from '../core/index.js'
import type { Effect, Failure, Session } from '../core/types.js'
import type { ReadReply, Reading } from '../ports.js'
import { fingerprintOf } from './failing-lines.js'
import { readReview } from './reply.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export const EMPTY_READING: Reading = { verdict: 'pass', note: '', files: [], failures: [], keeps: {}, commands: [], warnings: [] }

export const readReply: ReadReply = (session, effect, text) => {
  switch (effect.yields) {
    case 'plan':
      return { ...EMPTY_READING, keeps: { plan: { path: planPath(effect), text } } }
    case 'review':
      return reviewReading(session, effect, text)
    case 'candidate':
    case 'tests':
    case 'amendment':
    case 'response':
      return EMPTY_READING
  }
}

/** Plans belong to the session, not to an iteration; the first one has no number. */
function planPath({ plan }: Ask): string {
  return plan <= 1 ? 'plan.md' : `plan-${plan}.md`
}

function reviewReading({ procedure }: Session, effect: Ask, text: string): Reading {
  const phase = procedure.phases[effect.phase]
  const review = readReview(text)
  if (!review && phase && judges(phase)) return { ...EMPTY_READING, verdict: 'error', note: 'the review says neither pass nor fail' }
  const keeps = { diagnosis: { path: `${effect.base}-diagnosis.md`, text } }
  return { ...EMPTY_READING, verdict: review?.verdict ?? 'pass', failures: (review?.findings ?? []).map(failureOf), keeps }
}

function failureOf(finding: string): Failure {
  return { gate: 'review', subject: finding, class: 'behaviour', fingerprint: fingerprintOf('review', finding), message: finding, runs: { failed: 1, of: 1 } }
}
