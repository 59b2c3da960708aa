// Durations as people type them, such as `1h30m`, in seconds.
import { EXIT, Refusal } from '../errors.js'
import { quote } from './words.js'

const NUMBER = /^\d{1,9}(\.\d{1,3})?$/
const UNITS = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9}(?:\.\d{1,3})?)s)?$/

/** Seconds. `given` names the flag or key for the message. Throws Refusal on anything that is not a duration. */
export function parseDuration(text: string, given?: string): number {
  const written = text.trim()
  const subject = given === undefined ? '' : `${given}: `
  if (NUMBER.test(written)) {
    if (Number(written) === 0) return 0
    // Whoever leaves the unit out may have meant minutes as well.
    const forms = /^\d{1,6}$/.test(written) ? `${written}m or ${written}s` : `${written}s`
    throw new Refusal(EXIT.usage, `${subject}${quote(text)} has no unit (write ${forms})`, 'greenlatch run --help')
  }
  const match = written === '' ? null : UNITS.exec(written)
  if (match) return Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)
  throw new Refusal(EXIT.usage, `${subject}${quote(text)} is not a duration (write 90s, 5m, 2h or 1h30m)`, 'greenlatch run --help')
}
