// One field of a cron expression: stars, lists, ranges, steps and names, as a set of numbers.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export const FIELDS = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  { name: 'weekday', least: 0, most: 6, words: DAYS },
]

function valueOf(text, { name, least, most, words = [] }) {
  const word = words.indexOf(text.toLowerCase())
  const value = word === -1 ? Number(text) : word + least
  // Both 0 and 7 are Sunday.
  if (name === 'weekday' && value === 7) return 0
  if (text === '' || !Number.isInteger(value) || value < least || value > most) throw new RangeError(`bad ${name}: ${text}`)
  return value
}

export function parseField(text, field) {
  const values = new Set()
  for (const item of text.split(',')) {
    const [range, step = '1'] = item.split('/')
    if (!/^[1-9]\d*$/.test(step)) throw new RangeError(`bad step in ${field.name}: ${item}`)
    let [first, last] = [field.least, field.most]
    if (range !== '*') {
      const ends = range.split('-')
      first = valueOf(ends[0], field)
      if (ends.length === 2) last = valueOf(ends[1], field)
      else if (!item.includes('/')) last = first
      if (first > last) throw new RangeError(`bad range in ${field.name}: ${range}`)
    }
    for (let value = first; value <= last; value += Number(step)) values.add(value)
  }
  return values
}
