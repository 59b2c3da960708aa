// The texts of an iteration for a page: its change, and the files it left, each within a bound.
import { openFolder } from '../../adapters/journal/folder.js'
import { readablePatch } from '../../adapters/workspace/changes.js'
import { Refusal } from '../../errors.js'
import { sanitise } from '../../text/sanitise.js'
import type { Row, View } from '../../text/view/view.js'
import type { Detail, Text } from '../../web/data.js'
import type { Entry } from '../catalogue.js'
import { storeOf } from '../places.js'

const MOST_CHARS = 24_000
const MOST_CHARS_IN_ALL = 6_000_000
const MOST_ITERATIONS = 200

export async function detailOf(entry: Entry, row: Row): Promise<Detail> {
  const folder = openFolder(entry.folder)
  const refs = row.steps.flatMap(({ prompt, files }) => [...(prompt ? [prompt] : []), ...files])
  const files = refs.flatMap(({ path }) => {
    const text = folder.read(path)
    return text === undefined ? [] : [[path, cutText(text)] as const]
  })
  return { diff: await diffOf(entry, row), files: Object.fromEntries(files) }
}

/** From what the iteration began on to what it came to, whoever changed it. */
async function diffOf(entry: Entry, { steps }: Row): Promise<Text | null> {
  const working = steps.filter(({ kind }) => kind !== 'check')
  const from = working[0]?.before
  const to = working.findLast(({ after }) => after !== null)?.after
  if (from === undefined || to === undefined || to === null || from === to) return null
  try {
    return cutText(await readablePatch(await storeOf(entry), from, to))
  } catch (error) {
    // A store that is gone must not keep anyone from the rest.
    if (error instanceof Refusal) return { text: `it cannot be shown: ${error.message}`, cut: false }
    throw error
  }
}

function cutText(text: string): Text {
  return { text: sanitise(text.slice(0, MOST_CHARS)), cut: text.length > MOST_CHARS }
}

/** As many iterations as a file can carry: what people look at first, then the newest. */
export async function detailsWithin(entry: Entry, view: View): Promise<Record<number, Detail>> {
  const details: Record<number, Detail> = {}
  let chars = 0
  for (const row of byInterest(view).slice(0, MOST_ITERATIONS)) {
    const detail = await detailOf(entry, row)
    chars += sizeOf(detail)
    if (chars > MOST_CHARS_IN_ALL) break
    details[row.iteration] = detail
  }
  return details
}

function byInterest({ head, rows }: View): Row[] {
  const first = new Set([head.best?.iteration ?? -1, 0, 1])
  return [...rows.filter(({ iteration }) => first.has(iteration)), ...rows.filter(({ iteration }) => !first.has(iteration)).toReversed()]
}

function sizeOf({ diff, files }: Detail): number {
  return [diff, ...Object.values(files)].reduce((sum, text) => sum + (text?.text.length ?? 0), 0)
}
