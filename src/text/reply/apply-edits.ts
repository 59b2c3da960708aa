// Changes a text by parts: a part is found exactly, or by its lines without the spaces at their ends, and only where it is the only one.

/** One line of a part: kept, taken away or added. */
export type PartLine = { does: 'keep' | 'remove' | 'add'; text: string }

/** `at`: the line, counted from 0, where it was said to begin; null when nobody said so. `name` is for people. */
export type Part = { name: string; at: number | null; lines: readonly PartLine[] }

export type Applied = { text: string } | { fault: string }

/** How far from the line that was said a part is looked for. */
const MOST_DRIFT_LINES = 500
/** How many lines may be compared in all: enough for any honest change, and little on junk. */
const MOST_COMPARISONS = 20_000_000

/** One after the other, each on what the one before has left. `text` null: there is no such file yet. */
export function applyParts(text: string | null, parts: readonly Part[]): Applied {
  let lines = linesOf(text ?? '')
  const state = { drift: 0, comparisonsLeft: MOST_COMPARISONS }
  for (const part of parts) {
    const old = part.lines.filter(({ does }) => does !== 'add').map((line) => line.text)
    const place = old.length === 0 ? placeForNew(lines, part) : placeOf(lines, part, old, state)
    if (typeof place !== 'number') return place
    const before = lines
    // Every part makes the lines anew, so that they count as well.
    state.comparisonsLeft -= before.length
    if (state.comparisonsLeft <= 0) return { fault: `${part.name}: too many parts for a file of ${before.length} lines; write it whole` }
    lines = [...before.slice(0, place), ...replaced(part, before, place), ...before.slice(place + old.length)]
    if (part.at !== null) state.drift = place - part.at + lines.length - before.length
  }
  const isOpen = text !== null && text !== '' && !text.endsWith('\n')
  return { text: lines.length === 0 ? '' : `${lines.join('\n')}${isOpen ? '' : '\n'}` }
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

/** Lines with nothing around them can begin a file, and go nowhere else. */
function placeForNew(lines: readonly string[], { name }: Part): number | { fault: string } {
  return lines.length === 0 ? 0 : { fault: `${name} names no line of the file, so that nobody can say where it belongs` }
}

type State = { drift: number; comparisonsLeft: number }

function placeOf(lines: readonly string[], { name, at }: Part, old: readonly string[], state: State): number | { fault: string } {
  const expected = at === null ? null : at + state.drift
  for (const same of [isSame, isSameButForEnds]) {
    if (expected !== null && matchesAt(lines, old, expected, same, state)) return expected
    const [from, to] = expected === null ? [0, lines.length] : [expected - MOST_DRIFT_LINES, expected + MOST_DRIFT_LINES]
    const found = placesIn(lines, old, [Math.max(0, from), Math.min(to, lines.length - old.length)], same, state)
    if (state.comparisonsLeft <= 0) return { fault: `${name} is like too many places of the file` }
    if (found.length > 1) return { fault: `${name} fits ${found.length === MOST_PLACES ? 'many' : found.length} places of the file; more lines around it would tell which` }
    if (found[0] !== undefined) return found[0]
  }
  return { fault: `${name} is nowhere in the file${at === null ? '' : ` within ${MOST_DRIFT_LINES} lines of line ${at + 1}`}` }
}

const MOST_PLACES = 10

type Same = (a: string, b: string) => boolean

const isSame: Same = (a, b) => a === b
const isSameButForEnds: Same = (a, b) => a.trimEnd() === b.trimEnd()

function placesIn(lines: readonly string[], old: readonly string[], [from, to]: readonly [number, number], same: Same, state: State): number[] {
  const found: number[] = []
  for (let at = from; at <= to && found.length < MOST_PLACES && state.comparisonsLeft > 0; at++) {
    if (matchesAt(lines, old, at, same, state)) found.push(at)
  }
  return found
}

function matchesAt(lines: readonly string[], old: readonly string[], at: number, same: Same, state: State): boolean {
  if (at < 0 || at + old.length > lines.length) return false
  return old.every((line, n) => {
    state.comparisonsLeft -= 1
    return same(line, lines[at + n] ?? '')
  })
}

/** What is kept stays as it is in the file, down to the ends of its lines; what is added ends as the lines beside it do. */
function replaced({ lines: part }: Part, lines: readonly string[], place: number): string[] {
  const end = lines[place]?.endsWith('\r') ? '\r' : ''
  const result: string[] = []
  let at = place
  for (const { does, text } of part) {
    if (does === 'keep') result.push(lines[at] ?? text)
    if (does === 'add') result.push(end !== '' && !text.endsWith('\r') ? `${text}${end}` : text)
    if (does !== 'add') at += 1
  }
  return result
}
