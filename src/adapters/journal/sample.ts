// For tests, also in child processes: a small fold in which any difference shows, events for it, and a clock.
import { createHash } from 'node:crypto'
import type { Event, Opened, Session } from '../../core/types.js'
import type { Clock } from '../../ports.js'
import type { Fold } from './files.js'

/** Only what a journal looks at; the rest of the event is the core's. */
export const opened = { type: 'opened', format: 1, id: 'one', tree: 't0' } as Opened

export const hint = (text: string): Event => ({ type: 'hinted', hint: { id: text, text } })

/** The label is a digest of every event so far, so that no change of history goes unseen. */
export const fold: Fold = {
  version: 1,
  apply: (session, event) =>
    ({
      id: event.type === 'opened' ? event.id : session?.id,
      asked: (session?.asked ?? 0) + 1,
      label: createHash('sha256').update(`${session?.label}${JSON.stringify(event)}`).digest('hex'),
    }) as Session,
}

/** Stands still unless moved, so that no cache is written by the passing of time. */
export function stillClock(): Pick<Clock, 'now' | 'seconds'> & { advance(seconds: number): void } {
  let seconds = 0
  return { now: () => 1_700_000_000_000 + seconds * 1000, seconds: () => seconds, advance: (by) => void (seconds += by) }
}
