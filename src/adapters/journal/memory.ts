// The journal in memory, with the same chain of sums: for dry runs and tests, where nothing may touch the disk.
import type { Event, Session } from '../../core/types.js'
import type { Clock, Journal, JournalRecord, Loaded } from '../../ports.js'
import { encode } from './line.js'
import type { Fold } from './read.js'

/** A journal that begins with this event and never touches the disk, and the session as it is then. */
export function createMemoryJournal(options: { fold: Fold; clock: Pick<Clock, 'now' | 'seconds'> }, opened: Event): { journal: Journal; loaded: Loaded } {
  const { fold, clock } = options
  const records: JournalRecord[] = []
  const append = (events: readonly Event[]): JournalRecord => {
    const prev = records.at(-1)?.sum ?? ''
    const body = { seq: records.length + 1, at: Math.round(clock.now()), epoch: 1, prev, events: structuredClone([...events]) }
    const record = { ...body, sum: encode(body).sum }
    records.push(record)
    return record
  }
  const last = append([opened])
  const journal: Journal = {
    load: () => Promise.resolve({ session: rebuilt(fold, records), last: records.at(-1) ?? last, notices: [] }),
    append,
    async *records() {
      yield* records
    },
    settle() {},
    close() {},
  }
  return { journal, loaded: { session: rebuilt(fold, records), last, notices: [] } }
}

function rebuilt(fold: Fold, records: readonly JournalRecord[]): Session {
  let session: Session | null = null
  for (const record of records) for (const event of record.events) session = fold.apply(session, event)
  return session as Session
}
