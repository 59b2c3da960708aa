// Lengths of time in milliseconds: read from settings and ISO 8601, written for logs and for people.

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }
const TERM = /(\d+(?:\.\d+)?)\s*(ms|[smhdw])\s*/y
const ISO = /^(-)?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** `1h 30m`, `-250ms`, `1.5d`; a number without a unit is milliseconds. */
export function parse(text) {
  const trimmed = text.trim()
  if (/^-?\d+$/.test(trimmed)) return Number(trimmed)
  const sign = trimmed.startsWith('-') ? -1 : 1
  const body = sign < 0 ? trimmed.slice(1) : trimmed
  let total = 0
  TERM.lastIndex = 0
  while (TERM.lastIndex < body.length) {
    const at = TERM.lastIndex
    const match = TERM.exec(body)
    if (!match) throw new SyntaxError(`not a duration: "${text}" at ${body.slice(at)}`)
    total += Number(match[1]) * UNITS[match[2]]
  }
  if (body === '') throw new SyntaxError('not a duration: empty text')
  return sign * Math.round(total)
}

export function parseIso(text) {
  const match = ISO.exec(text)
  if (!match || text.endsWith('P') || text.endsWith('T')) throw new SyntaxError(`not an ISO duration: ${text}`)
  const [, sign, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
  const total = weeks * UNITS.w + days * UNITS.d + hours * UNITS.h + minutes * UNITS.m + Math.round(seconds * UNITS.s)
  return sign ? -total : total
}

/** `1d 2h 5s`, the two largest units that count, or as many as wanted. */
export function format(milliseconds, { parts = 2 } = {}) {
  if (milliseconds === 0) return '0s'
  const sign = milliseconds < 0 ? '-' : ''
  let rest = Math.abs(milliseconds)
  const words = []
  for (const unit of ['d', 'h', 'm', 's', 'ms']) {
    const count = Math.floor(rest / UNITS[unit])
    if (count === 0) continue
    words.push(`${count}${unit}`)
    rest -= count * UNITS[unit]
    if (words.length === parts) break
  }
  return sign + words.join(' ')
}

/** `4:05` or `1:04:05`, seconds rounded down. */
export function clock(milliseconds) {
  const total = Math.floor(milliseconds / UNITS.s)
  const hours = Math.floor(total / 3600)
  const minutes = Math.floor((total % 3600) / 60)
  const seconds = String(total % 60).padStart(2, '0')
  if (hours === 0) return `${minutes}:${seconds}`
  return `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}

/** `in 3 hours`, `2 days ago`, `just now`: the largest unit that fits, rounded to the nearest. */
export function relative(milliseconds) {
  const size = Math.abs(milliseconds)
  if (size < 10 * UNITS.s) return 'just now'
  const [name, length] = [['day', UNITS.d], ['hour', UNITS.h], ['minute', UNITS.m], ['second', UNITS.s]].find((unit) => size >= unit[1])
  const count = Math.round(size / length)
  const words = `${count} ${name}${count === 1 ? '' : 's'}`
  return milliseconds > 0 ? `in ${words}` : `${words} ago`
}
