// What a screen remembers of a session as its records come: the newest rows and how long phases take, and no more than that.
import type { Session } from '../../core/types.js'
import type { JournalRecord } from '../../ports.js'
import { median } from '../amounts.js'
import { viewRecord, type Viewed } from '../view/fold.js'

export type Watched = { viewed: Viewed; took: Readonly<Record<string, readonly number[]>> }

/** More than the widest sparkline shows. */
const MOST_ROWS = 64
const MOST_TIMES = 50

export function watchRecord(watched: Watched | null, record: JournalRecord, after: Session): Watched {
  const viewed = viewRecord(watched?.viewed ?? null, record, after)
  const { view, open } = viewed
  const report = record.events.find((event) => event.type === 'observed')?.report
  // The phase that was open before the record is the one that has ended with it.
  const phase = watched?.viewed.open?.phase ?? open?.phase
  const took = { ...watched?.took }
  if (report && phase !== undefined) took[phase] = [...(took[phase] ?? []), report.spent.seconds].slice(-MOST_TIMES)
  return { viewed: { ...viewed, view: { ...view, rows: view.rows.slice(-MOST_ROWS) } }, took }
}

/** Seconds by phase, of those that were done before. */
export function usualOf({ took }: Watched): Record<string, number> {
  return Object.fromEntries(Object.entries(took).map(([phase, seconds]) => [phase, median(seconds)]))
}
