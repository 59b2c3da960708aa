// Works on the shape of a message: puts into order what has none, and takes out dates in words, drawings and examples found by chance.
import { FIRST_RUN_YEAR } from './words.js'

const DEEPEST_GROUP = 32

const SETS = /^ *(?:Extra items in the (?:left|right) set|Items in the (?:first|second) set but not the (?:first|second)):$/
const WEEKDAY = new RegExp(
  [
    '\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? (?:\\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}',
    '(?: {1,2}\\d{1,2},?)?(?: \\d{4})?(?: \\d{1,2}:\\d{2}:\\d{2}(?: [AP]M)?)?(?: [A-Z]{2,4}(?:[-+]\\d{4})?)?(?: \\d{4})?',
    '(?: \\([A-Z][A-Za-z ]{2,40}\\))?',
  ].join(''),
  'g',
)
/** Go's monotonic clock, behind the time it belongs to. */
const MONOTONIC = / m=[-+]\d+\.\d+/g
/** Examples that a tool found by chance say nothing of the fault; it is told beside them. */
const FOUND_EXAMPLE = /Property failed after \d+ tests\s*\{ seed: [^}]*\}\s*Counterexample: [^]*?Shrunk \d+ time\(s\)(?:\s*Hint: [^.\n]*)?/g
const EXAMPLE_START = /Falsifying example: |minimal failing input: |failed on input /
/** What is left of a colour when somebody took only the escape character away. */
const COLOUR_REST = /\[\d{1,3}(?:;\d{1,3}){0,4}m/g
/** Lines that are drawn are as long as something else is wide. */
const RULER = /([─━═=_*~^-])\1{2,}/g
/** A line of source in front of which stands its number; the one that is meant may be marked. */
const SOURCE_LINE = /^ {0,12}(>?) {0,12}\d+ ?[|│]/

/** What a set has too much is listed one below the other, in the order of chance. */
export function inSetOrder(text: string): string {
  if (!text.includes(' set')) return text
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    if (!SETS.test(lines[at] ?? '')) continue
    let end = at + 1
    while (end < lines.length && isEntry(lines[end] ?? '')) end += 1
    for (const [place, line] of lines.slice(at + 1, end).toSorted().entries()) lines[at + 1 + place] = line
    at = end - 1
  }
  return lines.join('\n')
}

/** Runners go on with a sentence or an empty line. */
function isEntry(line: string): boolean {
  return line.trim() !== '' && !/^ *[A-Z][a-z]+ /.test(line)
}

const CLOSING: Record<string, string> = { '{': '}', '(': ')', '[': ']' }

type Group = { close: string; before: string; entries: string[] }

/** Entries between braces are put in order: of sets and maps nobody can say which comes first. */
export function inGroupOrder(text: string): string {
  if (!text.includes('{')) return text
  const open: Group[] = []
  let current = ''
  let from = 0
  for (const { 0: sign, index } of text.matchAll(/[{}()[\],]/g)) {
    current += text.slice(from, index)
    from = index + 1
    current = takeSign(open, current, sign)
  }
  current += text.slice(from)
  for (const { before, entries } of open.toReversed()) current = before + [...entries, current].join(', ')
  return current
}

function takeSign(open: Group[], current: string, sign: string): string {
  const top = open.at(-1)
  const close = CLOSING[sign]
  if (close !== undefined && open.length < DEEPEST_GROUP) {
    open.push({ close, before: current + sign, entries: [] })
    return ''
  }
  if (top?.close === sign) {
    open.pop()
    return top.before + entriesOf(top.entries, current) + sign
  }
  if (top?.close !== '}' || sign !== ',') return current + sign
  top.entries.push(current.trim())
  return ''
}

function entriesOf(entries: readonly string[], last: string): string {
  return entries.length === 0 ? last : ` ${[...entries, last.trim()].filter((entry) => entry !== '').toSorted().join(', ')} `
}

export function withoutDates(text: string): string {
  if (!/\d:\d\d/.test(text)) return text
  return text.replace(MONOTONIC, '').replace(WEEKDAY, (date) => {
    const year = /\b\d{4}\b(?!:)/.exec(date.replace(/[-+]\d{4}/, ''))?.[0]
    return year !== undefined && Number(year) < FIRST_RUN_YEAR ? date : '<time>'
  })
}

/** The values in a message that tells of an example are those of the example, so only its words are kept. */
export function withoutExamples(text: string): string {
  const told = text.includes('Property failed after ') ? text.replace(FOUND_EXAMPLE, 'Property failed') : text
  const start = told.search(EXAMPLE_START)
  return start < 0 ? told : told.slice(0, start).replace(/[^A-Za-z_]+/g, ' ')
}

/** Around the line that is meant some tools show others, which are nobody's fault. */
export function withoutDrawing(text: string): string {
  const plain = text.replace(COLOUR_REST, '').replace(RULER, '$1$1$1')
  if (!/^ {0,12}> {0,12}\d+ ?[|│]/m.test(plain)) return plain
  return plain.split('\n').filter((line) => SOURCE_LINE.exec(line)?.[1] !== '').join('\n')
}
