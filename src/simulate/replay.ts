// Replays a recorded session: its reports go through the engine once more, and what comes out is held against what was recorded.
import { apply, issue, step, type Decision, type Event, type Session } from '../core/index.js'
import { differenceOf, type Difference } from './difference.js'

export type Deviation = Difference & { what: 'effect' | 'judgement' | 'decision'; iteration: number; phase: string }

export type Replay = {
  /** Takes the next recorded event; what the engine makes of it today in another way comes back. */
  take(event: Event): Deviation | null
  /** As the recording has it: a deviation does not lead away from it. */
  session(): Session | null
}

export function startReplay(): Replay {
  let session: Session | null = null
  let expected: Decision | null = null
  const compare = (before: Session, event: Event): Deviation | null => {
    const phase = before.outstanding?.phase ?? before.at
    const found = (what: Deviation['what'], recorded: unknown, now: unknown): Deviation | null => {
      const difference = differenceOf(recorded, now)
      return difference && { what, iteration: before.iteration, phase, ...difference }
    }
    switch (event.type) {
      case 'asked':
        return found('effect', event.effect, issue(before))
      case 'observed': {
        const [observed, decided] = step(before, event.report)
        expected = decided?.type === 'decided' ? decided.decision : null
        return found('judgement', event.judgement, observed?.type === 'observed' ? observed.judgement : null)
      }
      case 'decided': {
        const now = expected
        expected = null
        if (now === null || isByPerson(event.decision)) return null
        // Where it leads tells more than the posture it leads there with.
        return found('decision', { to: event.decision.to }, { to: now.to }) ?? found('decision', event.decision, now)
      }
      default:
        return null
    }
  }
  return {
    take(event) {
      const deviation = session === null ? null : compare(session, event)
      session = apply(session, event)
      return deviation
    },
    session: () => session,
  }
}

/** Whoever cancels decides: no policy has a say in it. */
export function isByPerson({ to }: Decision): boolean {
  return to === '@cancelled'
}
