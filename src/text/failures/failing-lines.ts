// Finds the lines of a command's output that say what is wrong, and names each so that the same fault keeps its name.
import { hash64 } from '../hash64.js'
import { normaliseLine } from './noise.js'
import { sanitise } from '../sanitise.js'

export { normaliseLine } from './noise.js'

export type FailingLine = {
  /** The line without noise: equal across runs for the same fault. */
  subject: string
  /** The line as it stood, with the few lines that follow it. */
  message: string
}

const MOST_FAILURES = 500
const LONGEST_LINE_CHARS = 2000
const LONGEST_SUBJECT_CHARS = 200
const LONGEST_MESSAGE_CHARS = 240
const MOST_MESSAGE_LINES = 6

/** What an error line looks like in the tools people use as gates. Tried on a trimmed line. */
const FAILING = [
  /^(?:\S+ )?(?:fatal |internal |syntax |compile )?error(?:\[[\w-]+\])?\s*[:!]/i,
  /[-:)\]] (?:fatal )?error(?: [A-Z]{1,4}\d+)?:/,
  /^\d+:\d+\s+error\s/,
  /^(?:--- )?FAIL(?:ED|URE)?\b/,
  /(?:\.\.\.|:) FAILED\b/,
  /^not ok\b(?!.*# *(?:todo|skip))/i,
  /^(?:E\s+|Uncaught )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b(?: \[\w+\])?(?::|$)/,
  /^panic:|\bpanicked at\b/,
  /^[✗✘✖×❌●] ?\S/,
  /^\d+\) \S/,
  /^fatal: /,
  /\*\*\* \[.*\] Error \d+/,
]

/** Lines that only count or wrap what other lines say: with a number in them they would look new in every run. */
const SUMMARY = [
  /^npm (?:ERR!|error|warn)/i,
  /^[\W_]*(?:\d+|no) (?:errors?|failures?|failed|failing|problems?|tests? failed)\b/i,
  /^[\W_]*(?:failed |failing )?(?:tests?|test files|test suites|suites|failures?|errors?)[ :=]*\d*(?: (?:failed|passed)\b.*)?:?$/i,
  /^error: [|>]-?$/,
  /^FAILED \((?:failures|errors)=/,
  /\b(?:found|with|generated) \d+ (?:errors?|problems?|warnings?)\b/i,
]

/**
 * What every failing line has somewhere, and most other lines have not. Finding the next one of these in the whole text costs a
 * small part of looking at each line.
 */
const HINTS = [
  'rror', 'RROR', 'FAIL', 'ot ok', 'ot Ok', 'OT OK', 'Exception', 'panic', 'Traceback', 'fatal: ', ') ', '✗', '✘', '✖', '×', '❌', '●',
]

/** A place in the output. `inTraceback` is true from the heading of a Python traceback to the line that says what was raised. */
type Place = { start: number; end: number; line: string; inTraceback: boolean }

export function failingLines(output: string): FailingLine[] {
  const text = sanitise(output)
  const found = new Map<string, string>()
  const hints = hintsIn(text)
  const headings = headingsOf(text)
  for (let place = nextPlace(text, hints, null); place !== null && found.size < MOST_FAILURES; place = nextPlace(text, hints, place)) {
    if (!judge(place)) continue
    const subject = subjectOf(placed(place, headings))
    if (subject !== '' && !found.has(subject)) found.set(subject, messageFrom(text, place))
  }
  return Array.from(found, ([subject, message]) => ({ subject, message }))
}

/** The next line that has to be looked at: inside a traceback each, otherwise one with a hint. */
function nextPlace(text: string, hints: Hints, last: Place | null): Place | null {
  const from = last === null ? 0 : last.end + 1
  if (from > text.length) return null
  if (last?.inTraceback === true) return placeAt(text, from, true)
  const hint = hints.next(from)
  return hint === null ? null : placeAt(text, hint === 0 ? 0 : text.lastIndexOf('\n', hint - 1) + 1, false)
}

function placeAt(text: string, start: number, inTraceback: boolean): Place {
  const found = text.indexOf('\n', start)
  const end = found < 0 ? text.length : found
  return { start, end, line: text.slice(start, Math.min(end, start + LONGEST_LINE_CHARS)).trimEnd(), inTraceback }
}

type Hints = { next(from: number): number | null }

/** Asked from the beginning to the end: where each hint comes next is remembered. */
function hintsIn(text: string): Hints {
  const places = HINTS.map((hint) => placeOf(text, hint, 0))
  return {
    next(from) {
      let nearest = Infinity
      for (const [at, hint] of HINTS.entries()) {
        let place = places[at] ?? Infinity
        if (place < from) {
          place = placeOf(text, hint, from)
          places[at] = place
        }
        if (place < nearest) nearest = place
      }
      return nearest === Infinity ? null : nearest
    },
  }
}

/** Mocha numbers its failures (`  3) title`); a bracket after anything else is no hint. */
function placeOf(text: string, hint: string, from: number): number {
  let place = text.indexOf(hint, from)
  if (hint === ') ') while (place >= 0 && !/\d/.test(text.charAt(place - 1))) place = text.indexOf(hint, place + 1)
  return place < 0 ? Infinity : place
}

function judge(place: Place): boolean {
  if (place.line.startsWith('Traceback (most recent call last)')) {
    place.inTraceback = true
    return false
  }
  // A Python traceback is indented; the first line that is not says what was raised.
  if (place.inTraceback && /^\S/.test(place.line)) {
    place.inTraceback = false
    return true
  }
  return looksFailing(place.line.trim())
}

function looksFailing(line: string): boolean {
  return line !== '' && FAILING.some((pattern) => pattern.test(line)) && !SUMMARY.some((pattern) => pattern.test(line))
}

/** Some linters print a file's name once and its errors below it: without the name two files' faults would be one. */
function placed({ line, start }: Place, headings: Headings): string {
  const heading = /^\s+\d+:\d+\s/.test(line) ? headings.before(start) : ''
  return heading === '' ? line.trim() : `${heading} ${line.trim()}`
}

type Headings = { before(start: number): string }

/** Asked from the beginning to the end, so that no line is looked at twice. */
function headingsOf(text: string): Headings {
  let known = 0
  let heading = ''
  return {
    before(start) {
      let at = start
      while (at > known) {
        const above = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1
        const line = placeAt(text, above, false).line
        at = above
        if (isPathAlone(line)) {
          heading = line
          break
        }
      }
      known = start
      return heading
    },
  }
}

function isPathAlone(line: string): boolean {
  return /^(?:[\w@.+-]*[/\\])*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7}$/.test(line)
}

/** A long line is cut, and a hash of the whole stands for the rest, so that two long lines stay two subjects. */
function subjectOf(line: string): string {
  const subject = normaliseLine(line)
  if (subject.length <= LONGEST_SUBJECT_CHARS) return subject
  return `${subject.slice(0, LONGEST_SUBJECT_CHARS - 10)} …${hash64(subject).slice(0, 8)}`
}

function messageFrom(text: string, place: Place): string {
  const message = [place.line.trim()]
  let last = place
  for (let looked = 0; looked < 2 * MOST_MESSAGE_LINES && last.end < text.length; looked += 1) {
    const next = placeAt(text, last.end + 1, last.inTraceback)
    if (judge(next) || message.length === MOST_MESSAGE_LINES) break
    if (next.line !== '') message.push(next.line)
    last = next
  }
  return message.join('\n').slice(0, LONGEST_MESSAGE_CHARS)
}

/** The id by which failures are compared. The number before the colon is the version of the whole recipe. */
export function fingerprintOf(gate: string, subject: string): string {
  return `1:${hash64(`${gate}\u0000${subject}`)}`
}
