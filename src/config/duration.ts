// Durations as people type and read them: `1h30m` in, `2m16s` out, seconds in between.
import { EXIT, Refusal } from '../errors.js'
import { quote } from './words.js'

const NUMBER = /^\d{1,9}(\.\d{1,3})?$/
const UNITS = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9}(?:\.\d{1,3})?)s)?$/

/** Seconds. `given` names the flag or key for the message. Throws Refusal on anything that is not a duration. */
export function parseDuration(text: string, given?: string): number {
  const written = text.trim()
  if (NUMBER.test(written)) return Number(written)
  const match = written === '' ? null : UNITS.exec(written)
  if (match) return Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)
  const subject = given === undefined ? '' : `${given}: `
  throw new Refusal(
    EXIT.usage,
    `${subject}${quote(text)} is not a duration (write 90s, 5m, 2h, 1h30m or a number of seconds)`,
    'greenlatch run --help',
  )
}

/** `45.2s` below a minute, `2m16s` below an hour, then `1h02m`. */
export function formatDuration(seconds: number): string {
  const positive = Number.isFinite(seconds) && seconds > 0 ? seconds : 0
  const short = positive.toFixed(1)
  if (Number(short) < 60) return `${short}s`
  const whole = Math.round(positive)
  if (whole < 3600) return `${Math.floor(whole / 60)}m${twoDigits(whole % 60)}s`
  const minutes = Math.floor(whole / 60)
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
