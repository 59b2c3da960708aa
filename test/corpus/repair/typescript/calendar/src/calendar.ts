// Days of the Gregorian calendar without clocks or time zones.

export type Day = { year: number; month: number; day: number }

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function daysIn(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : LENGTHS[month - 1]!
}

export function parseDay(text: string): Day {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) throw new Error(`not a day: ${text}`)
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) throw new Error(`no such day: ${text}`)
  return { year, month, day }
}

export function formatDay({ year, month, day }: Day): string {
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}

/** Days since the first of January of year 1, which is day 0. */
export function toNumber({ year, month, day }: Day): number {
  const before = year - 1
  let days = before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400)
  for (let past = 1; past < month; past += 1) {
    days += daysIn(year, past)
  }
  return days + day - 1
}

export function addDays(start: Day, count: number): Day {
  let { year, month, day } = start
  day += count
  while (day > daysIn(year, month)) {
    day -= daysIn(year, month)
    month += 1
    if (month > 12) {
      month = 1
      year += 1
    }
  }
  while (day < 1) {
    month -= 1
    if (month < 1) {
      month = 12
      year -= 1
    }
    day += daysIn(year, month)
  }
  return { year, month, day }
}

/** The last day of the month where the day does not exist. */
export function addMonths({ year, month, day }: Day, count: number): Day {
  const index = year * 12 + (month - 1) + count
  const target = { year: Math.floor(index / 12), month: (index % 12) + 1 }
  return { ...target, day: Math.min(day, daysIn(target.year, target.month)) }
}

/** 0 for Monday. */
export function weekday(day: Day): number {
  return toNumber(day) % 7
}

export function monthGrid(year: number, month: number): string {
  const first = weekday({ year, month, day: 1 })
  const cells = [...new Array<string>(first).fill('  '), ...Array.from({ length: daysIn(year, month) }, (_, at) => String(at + 1).padStart(2))]
  const lines = [WEEKDAYS.join(' ')]
  for (let at = 0; at < cells.length; at += 7) {
    lines.push(cells.slice(at, at + 7).join(' '))
  }
  return lines.join('\n')
}

/** Monday to Friday, both days included. */
export function workdays(from: Day, to: Day): number {
  let count = 0
  for (let day = from; toNumber(day) <= toNumber(to); day = addDays(day, 1)) {
    if (weekday(day) < 5) count += 1
  }
  return count
}
