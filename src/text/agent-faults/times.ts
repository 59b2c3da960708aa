// When a limit is over, from what is said of it: a time of day, a date, a moment in seconds, or how long from now.

/** What is said more than this far ahead is no time of a limit. */
export const LONGEST_SECONDS = 40 * 24 * 3600

/** In milliseconds of the wall clock, later than `now`; null when nothing is said. */
export function resetTime(text: string, now: number, zone?: string): number | null {
  for (const read of [atEpoch, inFigures, inWords, atIsoTime, atHttpDate, onDay, atClock]) {
    const at = read(text, now, zone)
    if (at !== null && at > now && at - now <= LONGEST_SECONDS * 1000) return Math.round(at)
  }
  return null
}

type Read = (text: string, now: number, zone?: string) => number | null

// ───────────────────────────── from now on ─────────────────────────────

/** `Retry-After: 30`, `"resets_in_seconds":13872`, `"retryDelay": "34.07s"`, `retry-after-ms: 1200`. */
const inFigures: Read = (text, now) => {
  const found = /\b(?:retry[-_ ]?after|retry[-_]?delay|resets?[-_](?:in|after)|reset[-_]after)([-_](?:ms|milliseconds|seconds))?["']?\s{0,4}[:=]?\s{0,4}["']?(\d{1,10}(?:\.\d{1,9})?)\s?(ms|milliseconds)?(?![\w:]*[:/-]\d)/i.exec(text)
  if (!found) return null
  const [, unitBefore = '', figure = '', unitAfter] = found
  const isMilliseconds = unitAfter !== undefined || /m(?:s|illiseconds)$/i.test(unitBefore)
  return now + Number(figure) * (isMilliseconds ? 1 : 1000)
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
  [/^w/i, 7 * 86_400_000],
]
const PIECE = String.raw`\d{1,6}(?:\.\d{1,9})?\s{0,2}(?:milliseconds?|ms|weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])`
const WORDS = new RegExp(String.raw`\b(?:again|retry(?:ing)?|resets?|available|wait(?:ing)?|later)\s{1,3}(?:again\s)?(?:(?:in|after|for)\s{1,3})?(?:about |approximately |~)?((?:${PIECE}(?:,?\s{0,2}(?:and\s{1,2})?)){1,6})`, 'i')

/** "try again in 2 days 17 hours", "will reset after 13h22m10s", "Please retry in 34.07s". */
const inWords: Read = (text, now) => {
  // Without the separators "13h22m10s" would not be three pieces.
  const [, said = ''] = WORDS.exec(text.replace(/(\d[dhms])(?=\d)/gi, '$1 ')) ?? []
  let milliseconds = 0
  for (const [, figure = '', unit = ''] of said.matchAll(/(\d{1,6}(?:\.\d{1,9})?)\s{0,2}([a-z]{1,12})/gi)) {
    milliseconds += Number(figure) * (UNITS.find(([names]) => names.test(unit))?.[1] ?? 0)
  }
  return milliseconds > 0 ? now + milliseconds : null
}

// ───────────────────────────── at a moment ─────────────────────────────

/** `limit reached|1749924000`, `"resets_at":1777936568`, in seconds or milliseconds. */
const atEpoch: Read = (text) => {
  const found = /(?:\||\bresets?[-_ ]?(?:at|time)?["']?\s{0,4}[:=]\s{0,4}["']?|\bresets? at )(1\d{9}|1\d{12})(?!\d)/i.exec(text)
  const digits = found?.[1] ?? ''
  return digits === '' ? null : Number(digits) * (digits.length === 10 ? 1000 : 1)
}

const ISO = /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s?(Z|UTC|GMT|([+-])(\d\d):?(\d\d))?/
const ISO_SAID = new RegExp(String.raw`(?:\b(?:resets?|again|until|available|after|limit)\b|reset\w{0,12}["']?\s?[:=])[^\n\d]{0,30}${ISO.source}`, 'i')

const atIsoTime: Read = (text, _now, zone) => {
  const found = ISO_SAID.exec(text)
  if (!found) return null
  const [, year, month, day, hour, minute, second = '0', mark, sign, hours = '0', minutes = '0'] = found
  const at = utc(Number(year), Number(month), Number(day)) + clock(Number(hour), Number(minute), Number(second))
  if (mark === undefined) return local(at, zone)
  return at - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** `Retry-After: Wed, 21 Oct 2026 07:28:00 GMT`. */
const atHttpDate: Read = (text) => {
  const found = /retry-after["']?\s{0,4}:\s{0,4}["']?[a-z]{3}, (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/i.exec(text)
  if (!found) return null
  const [, day, month = '', year, hour, minute, second] = found
  return utc(Number(year), monthOf(month), Number(day)) + clock(Number(hour), Number(minute), Number(second))
}

const CLOCK = String.raw`(\d{1,2})(?::(\d\d))?\s?(am|pm|a\.m\.|p\.m\.)?(?:\s?\(([A-Za-z_]{2,30}(?:\/[\w+-]{1,30}){0,2})\)|\s(UTC|GMT)\b)?`
const DAY = new RegExp(String.raw`\b(?:resets?|again|until|available)\b[^\n\d]{0,12}\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}),?)?(?: at)? ${CLOCK}`, 'i')

/** "try again at Nov 14th, 2026 12:16 PM", "resets Oct 8, 10am (Europe/Berlin)". */
const onDay: Read = (text, now, zone) => {
  const found = DAY.exec(text)
  if (!found) return null
  const [, month = '', day, year, hour, minute, half, named, universal] = found
  const time = timeOfDay(hour, minute, half)
  if (time === null) return null
  const there = named ?? (universal && 'UTC') ?? zone
  const thisYear = yearAt(now, there)
  const at = (inYear: number): number | null => local(utc(inYear, monthOf(month), Number(day)) + time, there)
  const soonest = at(year === undefined ? thisYear : Number(year))
  return soonest !== null && year === undefined && soonest < now ? at(thisYear + 1) : soonest
}

const CLOCK_SAID = new RegExp(String.raw`\b(?:resets?|reset|again|until|available)\b(?: again)?(?: at| by| around|:)?\s{1,3}${CLOCK}`, 'i')

/** "resets 3pm", "will reset at 9:30 AM", "resets 12:50am (America/Los_Angeles)": the next time that a clock there shows it. */
const atClock: Read = (text, now, zone) => {
  const found = CLOCK_SAID.exec(text)
  if (!found) return null
  const [, hour, minute, half, named, universal] = found
  const time = minute === undefined && half === undefined ? null : timeOfDay(hour, minute, half)
  const there = named ?? (universal && 'UTC') ?? zone
  const shown = time === null ? null : shownAt(now, there)
  if (time === null || shown === null) return null
  const midnight = Math.floor(shown / DAY_MS) * DAY_MS
  const today = local(midnight + time, there)
  return today === null || today > now ? today : local(midnight + DAY_MS + time, there)
}

// ───────────────────────────── calendars and zones ─────────────────────────────

const DAY_MS = 86_400_000
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase()) / 3 + 1
}

function clock(hour: number, minute: number, second: number): number {
  return ((hour * 60 + minute) * 60 + second) * 1000
}

function timeOfDay(hour = '', minute = '0', half = ''): number | null {
  const isHalf = half !== ''
  const whole = isHalf ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour)
  const fits = Number(minute) < 60 && (isHalf ? Number(hour) >= 1 && Number(hour) <= 12 : whole < 24)
  return fits ? clock(whole, Number(minute), 0) : null
}

/** Midnight of a day of the Gregorian calendar in UTC. */
function utc(year: number, month: number, day: number): number {
  // The year is begun in March, so that the leap day is its last.
  const shifted = month <= 2 ? year - 1 : year
  const century = Math.floor(shifted / 100)
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const days = 365 * shifted + Math.floor(shifted / 4) - century + Math.floor(century / 4) + dayOfYear
  return (days - 719_468) * DAY_MS
}

/** What clocks of a zone show at a moment, as if it were UTC; null when there is no such zone. */
function shownAt(at: number, zone: string | undefined): number | null {
  let parts: Record<string, number>
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone, calendar: 'gregory', hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
    })
    parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  } catch {
    return null
  }
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return utc(year, month, day) + clock(hour, minute, second)
}

function yearAt(now: number, zone: string | undefined): number {
  const shown = shownAt(now, zone) ?? now
  const guess = 1970 + Math.floor(shown / (365.2425 * DAY_MS))
  return utc(guess + 1, 1, 1) <= shown ? guess + 1 : utc(guess, 1, 1) > shown ? guess - 1 : guess
}

/** The moment at which clocks of a zone show this. Looked at twice: on a day that changes the clocks the first guess is an hour out. */
function local(shown: number, zone: string | undefined): number | null {
  const first = shownAt(shown, zone)
  if (first === null) return null
  const guess = shown - (first - shown)
  const second = shownAt(guess, zone)
  return second === null ? null : guess - (second - shown)
}
