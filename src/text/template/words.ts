// Decides of one word of a message whether it changes from run to run though the fault is the same, and what stands for it then.

/** Where a word stands. */
export type Surroundings = {
  /** The word before it, in small letters; empty when something other than a few signs lies between. */
  before: string
  /** The word that follows after a space, in small letters. */
  after: string
  /** Nothing but this word is in quotes: then times and durations are somebody's values. */
  quoted: boolean
  /** `compares`: a sign such as `==` or `!==` stands beside it. */
  sign: 'compares' | 'none'
  /** The first word of its line. */
  first: boolean
}

/** Years before this cannot be the clock of a run; such a date is data. */
export const FIRST_RUN_YEAR = 2025
const FIRST_RUN_SECOND = 1_735_689_600
const LAST_RUN_SECOND = 2_000_000_000
const LOWEST_FREE_PORT = 1024
/** Numbers with fewer digits are counted, measured and compared; longer ones are mostly made up or given out. */
const RANDOM_DIGITS = 8
const RANDOM_WORD_CHARS = 20
export const LONG_TOKEN_CHARS = 28

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_WITH_SLASHES = /^(?:\d{1,2}\/\d{1,2}\/(\d{4})|(\d{4})\/\d\d\/\d\d)$/
const ADDRESS = /^0x[0-9a-f]{8,}$/i
const HEX = /^(?:[0-9a-f]{8,128}|[0-9A-F]{8,128})$/
const NUMBER = /^[-+]?\d+(?:\.\d+)?$/
const DATE = /^(\d{4})-\d\d-\d\d$/
const DATE_AND_TIME = /^(\d{4})-?\d\d-?\d\d[T_]\d\d:?\d\d/
const TIME_OF_DAY = /^\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[-+]\d\d:?\d\d)?$/
const DURATION = /^\d+(?:\.\d+)?(?:ns|µs|us|ms|s|m|h)(?:\d+(?:\.\d+)?(?:ms|s|m))?(?:\d+(?:\.\d+)?s)?$/
const DURATION_UNITS = new Set('ns µs us ms s sec secs second seconds millisecond milliseconds minute minutes hours'.split(' '))
const NUMBERED = /(?:^|[-_])(?:pid|ppid|tid|port|seed|line|lines|ln|col|column|columns|lineno|goroutine|process|timestamp|epoch|pc)$/
const SEED = /seed$/
const HOST_AND_PORT = /^((?:\d{1,3}\.){3}\d{1,3}|localhost|[a-z][\w.-]*\.[a-z]{2,}|\[?[0-9a-f]*::[0-9a-f:.]*\]?):(\d{2,5})$/i
const HOST = /^(?:(?:\d{1,3}\.){3}\d{1,3}|localhost|::1?)$/
const PLACE_IN_FILE = /(\.[A-Za-z]\w{0,9}|[Mm]akefile|Dockerfile):\d+(?::\d+)?$/
/** Words and signs between which people put what was expected and what came. */
const COMPARING = new Set('assert expected expect received actual got want wanted left right be equal equals was than - + to'.split(' '))
const COMPARING_AFTER = new Set('to should is was but'.split(' '))
const DATE_IN_DIGITS = /^(?:19\d\d|20[01]\d|202[0-4])(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{0,6}$/
const ZONE = /^(?:[-+]\d\d:?\d\d|UTC|GMT|Z|AM|PM|am|pm|[A-Z]{2,4}T)$/
const COUNTED = /^(.*\b(?:thread|task|worker)-|node:)\d+$/i
/** What the JVM calls an object that has no words of its own. */
const OBJECT = /^([\w.$;[]+@)[0-9a-f]{5,8}$/

/** The word itself, or what stands for it. Words here have no slash, and a digit in them unless they are very long. */
export function quietWord(word: string, around: Surroundings): string {
  if (NUMBER.test(word)) return quietNumber(word, around)
  if (UUID.test(word)) return '<uuid>'
  if (ADDRESS.test(word)) return '<hex>'
  return quietTime(word, around) ?? quietPlace(word) ?? quietName(word)
}

/** A date such as 16/11/2026 or 2026/11/16; null when it is none. */
export function quietSlashDate(word: string, { quoted }: Surroundings): string | null {
  const found = DATE_WITH_SLASHES.exec(word)
  if (!found) return null
  return quoted || Number(found[1] ?? found[2]) < FIRST_RUN_YEAR ? word : '<time>'
}

/** Time zones, halves of the day and the like, which belong to the time before them. */
export function belongsToTime(word: string): boolean {
  return word.length <= 20 && ZONE.test(word)
}

function quietNumber(word: string, around: Surroundings): string {
  const { before, after, first, quoted } = around
  const whole = word.split('.', 1)[0] ?? ''
  if (NUMBERED.test(before) || SEED.test(before)) return before.endsWith('port') && Number(word) < LOWEST_FREE_PORT ? word : '<n>'
  if (HOST.test(before) && Number(word) >= LOWEST_FREE_PORT) return '<n>'
  if (DURATION_UNITS.has(after) && !quoted) return '<time>'
  if (isClock(whole)) return '<time>'
  if (whole.length >= RANDOM_DIGITS && !quoted && !isCompared(around) && !isRemarkable(whole)) return '<id>'
  return first && (after === '|' || after === '│') ? '<n>' : word
}

function isCompared({ before, after, sign }: Surroundings): boolean {
  return COMPARING.has(before) || COMPARING_AFTER.has(after) || sign === 'compares'
}

/** Round numbers, powers of two and their neighbours, one digit only, and dates of the past: nobody makes these up by chance. */
function isRemarkable(digits: string): boolean {
  if (/000$|^(\d)\1+$/.test(digits) || DATE_IN_DIGITS.test(digits)) return true
  const value = BigInt(digits.replace(/^[-+]/, ''))
  return [-1n, 0n, 1n].some((step) => isPowerOfTwo(value + step))
}

function isPowerOfTwo(value: bigint): boolean {
  return value > 0n && (value & (value - 1n)) === 0n
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, within the years a run can happen in. */
function isClock(digits: string): boolean {
  if (digits.length !== 10 && digits.length !== 13 && digits.length !== 16 && digits.length !== 19) return false
  const seconds = Number(digits.slice(0, 10))
  return seconds >= FIRST_RUN_SECOND && seconds < LAST_RUN_SECOND
}

function quietTime(word: string, { quoted }: Surroundings): string | null {
  const moment = DATE_AND_TIME.exec(word)
  if (moment) return Number(moment[1]) < FIRST_RUN_YEAR ? word : '<time>'
  const date = DATE.exec(word)
  if (date) return quoted || Number(date[1]) < FIRST_RUN_YEAR ? word : '<time>'
  if (TIME_OF_DAY.test(word) || DURATION.test(word)) return quoted ? word : '<time>'
  return null
}

function quietPlace(word: string): string | null {
  const host = HOST_AND_PORT.exec(word)
  if (host && Number(host[2]) >= LOWEST_FREE_PORT) return `${host[1]}:<n>`
  if (PLACE_IN_FILE.test(word)) return quietName(word.replace(PLACE_IN_FILE, '$1')) + ':<n>'
  const counted = COUNTED.exec(word) ?? OBJECT.exec(word)
  return counted ? `${counted[1]}<n>` : null
}

/** Names with a made-up part: the sum in `index-4f3a2b1c.js`, a token. */
export function quietName(word: string): string {
  if (UUID.test(word)) return '<uuid>'
  if (isRandom(word)) return '<id>'
  if (word.length < 8) return word
  return word.split(/([-_.:@+])/).map((part) => (isSum(part) ? '<hex>' : part)).join('')
}

function isSum(part: string): boolean {
  return part.length >= 8 && HEX.test(part) && /\d/.test(part) && /[a-f]/i.test(part)
}

/** A long word whose kind of character changes as often as in no name: a token, or base 64. Names have syllables. */
function isRandom(word: string): boolean {
  if (word.length < RANDOM_WORD_CHARS || word.length > 128 || !/^[\w-]+$/.test(word)) return false
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || (word.length < LONG_TOKEN_CHARS && !/\d/.test(word))) return false
  let changes = 0
  for (let at = 1; at < word.length; at += 1) if (sort(word.charCodeAt(at)) !== sort(word.charCodeAt(at - 1))) changes += 1
  const share = changes / word.length
  return share > 0.5 || (share > 0.4 && word.length >= LONG_TOKEN_CHARS) || (share > 0.3 && !/[a-z]{7}/.test(word))
}

function sort(code: number): number {
  if (code <= 0x39) return code >= 0x30 ? 0 : 1
  return code <= 0x5a ? 2 : 3
}
