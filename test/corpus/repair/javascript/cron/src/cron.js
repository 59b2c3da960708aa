// Cron expressions in UTC: reading them, and the minutes at which they fire.
import { FIELDS, parseField } from './field.js'

const SHORTHANDS = { '@hourly': '0 * * * *', '@daily': '0 0 * * *', '@weekly': '0 0 * * 0', '@monthly': '0 0 1 * *' }
const YEARS_AHEAD = 8

export function parseCron(text) {
  const expression = SHORTHANDS[text.trim()] ?? text
  const parts = expression.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) throw new SyntaxError(`a cron expression has 5 fields, not ${parts.length}`)
  const cron = Object.fromEntries(FIELDS.map((field, at) => [field.name, parseField(parts[at], field)]))
  return { ...cron, anyDay: parts[2] === '*', anyWeekday: parts[4] === '*' }
}

/** When both the day and the weekday are given, one of them is enough. */
function matchesDay(cron, at) {
  const day = cron.day.has(at.getUTCDate())
  const weekday = cron.weekday.has(at.getUTCDay())
  return cron.anyDay || cron.anyWeekday ? day && weekday : day || weekday
}

export function matches(cron, at) {
  return (
    cron.minute.has(at.getUTCMinutes()) &&
    cron.hour.has(at.getUTCHours()) &&
    cron.month.has(at.getUTCMonth() + 1) &&
    matchesDay(cron, at)
  )
}

/** The first minute after a moment at which it fires, or null when there is none for years. */
export function nextRun(cron, after) {
  const at = new Date(after)
  at.setUTCSeconds(0, 0)
  at.setUTCMinutes(at.getUTCMinutes() + 1)
  const end = at.getUTCFullYear() + YEARS_AHEAD
  while (at.getUTCFullYear() <= end) {
    if (matches(cron, at)) return at
    if (!cron.month.has(at.getUTCMonth() + 1)) {
      at.setUTCMonth(at.getUTCMonth() + 1, 1)
      at.setUTCHours(0, 0)
    } else if (!matchesDay(cron, at)) {
      at.setUTCDate(at.getUTCDate() + 1)
      at.setUTCHours(0, 0)
    } else if (!cron.hour.has(at.getUTCHours())) {
      at.setUTCHours(at.getUTCHours() + 1, 0)
    } else {
      at.setUTCMinutes(at.getUTCMinutes() + 1)
    }
  }
  return null
}

export function upcoming(cron, after, count) {
  const runs = []
  let last = after
  while (runs.length < count) {
    const next = nextRun(cron, last)
    if (next === null) break
    runs.push(next)
    last = next
  }
  return runs
}
