// The tests that a gate has to report, as the baseline found them: fewer are never a pass.
import type { GateResult, Session } from '../core/types.js'
import type { Folder, GateOutcome } from '../ports.js'
import { EXIT, Refusal } from '../errors.js'

/** How many are named in a line for people. */
const MOST_NAMED = 5

type Heard = Exclude<GateOutcome, 'aborted'>
export type Expected = { ids: ReadonlySet<string>; skipped: ReadonlySet<string> }

/** Throws Refusal when the list is not the one the journal speaks of. */
export function expectedOf(folder: Folder, { ids }: Session, gate: string): Expected {
  const ref = ids[gate]
  if (!ref) return { ids: new Set(), skipped: new Set() }
  if (folder.refer(folder.resolve(ref.path))?.sha !== ref.sha) {
    throw new Refusal(EXIT.state, `the list of tests of "${gate}" is gone or was changed (${ref.path})`, 'greenlatch run --fresh')
  }
  const list = JSON.parse(folder.read(ref.path) ?? '{}') as { ids: string[]; skipped: string[] }
  return { ids: new Set(list.ids), skipped: new Set(list.skipped) }
}

/** Whether a run came to its end and can say which tests there are. */
export function isWhole({ exit, complete, known }: GateResult): boolean {
  return known && complete && (exit === 'pass' || exit === 'fail')
}

/** A test that was there and is not reported, or is skipped now, is missing. */
export function withMissing(heard: Heard, { ids, skipped }: Expected): Heard {
  if (ids.size === 0 || heard.result.exit === 'error') return heard
  const passedOver = new Set(heard.skipped)
  const there = new Set(heard.ids ?? [])
  const gone = [...ids].filter((id) => !there.has(id))
  const newlySkipped = [...passedOver].filter((id) => ids.has(id) && !skipped.has(id))
  if (gone.length + newlySkipped.length === 0) return heard
  const said = [
    ...(gone.length > 0 ? [`no longer reported: ${named(gone)}`] : []),
    ...(newlySkipped.length > 0 ? [`skipped now: ${named(newlySkipped)}`] : []),
  ]
  const note = [...said, heard.result.note].join('; ')
  return { ...heard, result: { ...heard.result, missing: gone.length + newlySkipped.length, note } }
}

function named(ids: readonly string[]): string {
  const rest = ids.length - MOST_NAMED
  return `${ids.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
