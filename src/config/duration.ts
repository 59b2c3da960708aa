// Durations as people type them, such as `1h30m`, in seconds.
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
