// Finds the lines of a command's output that say what is wrong, and names each so that the same fault keeps its name.
import { normaliseLine } from './noise.js'
import { sanitise } from './sanitise.js'

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

export function failingLines(output: string): FailingLine[] {
  const found = new Map<string, string>()
  const lines = sanitise(output).split('\n').map((line) => line.slice(0, LONGEST_LINE_CHARS).trimEnd())
  const verdicts = classify(lines)
  let heading = ''
  for (let at = 0; at < lines.length && found.size < MOST_FAILURES; at += 1) {
    const line = lines[at] ?? ''
    if (isPathAlone(line)) heading = line
    if (verdicts[at] !== true) continue
    const subject = subjectOf(placed(line, heading))
    if (subject !== '' && !found.has(subject)) found.set(subject, messageFrom(lines, verdicts, at))
  }
  return Array.from(found, ([subject, message]) => ({ subject, message }))
}

function classify(lines: readonly string[]): boolean[] {
  let inTraceback = false
  return lines.map((line) => {
    if (line.startsWith('Traceback (most recent call last)')) {
      inTraceback = true
      return false
    }
    // A Python traceback is indented; the first line that is not says what was raised.
    if (inTraceback && /^\S/.test(line)) {
      inTraceback = false
      return true
    }
    return looksFailing(line.trim())
  })
}

function looksFailing(line: string): boolean {
  return line !== '' && FAILING.some((pattern) => pattern.test(line)) && !SUMMARY.some((pattern) => pattern.test(line))
}

/** Some linters print a file's name once and its errors below it: without the name two files' faults would be one. */
function placed(line: string, heading: string): string {
  return heading !== '' && /^\s+\d+:\d+\s/.test(line) ? `${heading} ${line.trim()}` : line.trim()
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

function messageFrom(lines: readonly string[], verdicts: readonly boolean[], at: number): string {
  const message = [(lines[at] ?? '').trim()]
  for (let next = at + 1; next < lines.length && next <= at + 2 * MOST_MESSAGE_LINES; next += 1) {
    if (verdicts[next] === true || message.length === MOST_MESSAGE_LINES) break
    const line = lines[next] ?? ''
    if (line !== '') message.push(line)
  }
  return message.join('\n').slice(0, LONGEST_MESSAGE_CHARS)
}

/** The id by which failures are compared. The number before the colon is the version of the whole recipe. */
export function fingerprintOf(gate: string, subject: string): string {
  return `1:${hash64(`${gate}\u0000${subject}`)}`
}

/** Two 32-bit multiplicative hashes of the UTF-16 units, mixed into 16 hexadecimal digits. Not for secrets. */
function hash64(text: string): string {
  let high = 0x811c9dc5
  let low = 0xdeadbeef
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x9e3779b1)
    low ^= low >>> 15
  }
  return hex(mixed(high ^ (low >>> 13))) + hex(mixed(low ^ (high >>> 16)))
}

function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
