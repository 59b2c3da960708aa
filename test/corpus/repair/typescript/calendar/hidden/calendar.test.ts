import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMonths, daysIn, formatDay, isLeap, monthGrid, parseDay, toNumber, weekday, workdays } from '../src/calendar.ts'

const clock = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 86_400_000

test('numbers of days agree with the clock', () => {
  const offset = clock('2000-01-01') - toNumber(parseDay('2000-01-01'))
  for (let at = -40_000; at < 40_000; at += 379) {
    const text = new Date((clock('2000-01-01') + at) * 86_400_000).toISOString().slice(0, 10)
    assert.equal(toNumber(parseDay(text)) + offset, clock(text))
    assert.equal(weekday(parseDay(text)), (new Date(clock(text) * 86_400_000).getUTCDay() + 6) % 7)
  }
})

test('adding agrees with the clock', () => {
  for (const start of ['2023-12-31', '2024-02-29', '1999-07-15']) {
    for (const count of [0, 1, -1, 28, 31, 366, -366, 1000, -1000, 36525]) {
      const expected = new Date((clock(start) + count) * 86_400_000).toISOString().slice(0, 10)
      assert.equal(formatDay(addDays(parseDay(start), count)), expected)
    }
  }
})

test('adding leaves the start alone', () => {
  const start = parseDay('2024-01-31')
  addDays(start, 5)
  assert.equal(formatDay(start), '2024-01-31')
})

test('the first day is number nought', () => {
  assert.equal(toNumber({ year: 1, month: 1, day: 1 }), 0)
  assert.equal(weekday({ year: 1, month: 1, day: 1 }), 0)
})

test('leap years of four centuries', () => {
  let count = 0
  for (let year = 1601; year <= 2000; year += 1) if (isLeap(year)) count += 1
  assert.equal(count, 97)
})

test('months of a year', () => {
  assert.deepEqual(Array.from({ length: 12 }, (_, at) => daysIn(2100, at + 1)), [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
})

test('what is no day is refused', () => {
  for (const text of ['2024-00-10', '2024-01-00', '2024-06-31', '24-01-01', '2024-01-01x', '']) assert.throws(() => parseDay(text))
  assert.equal(parseDay('2024-12-31').day, 31)
})

test('months in both directions', () => {
  assert.equal(formatDay(addMonths(parseDay('2024-12-31'), 2)), '2025-02-28')
  assert.equal(formatDay(addMonths(parseDay('2024-03-31'), -13)), '2023-02-28')
  assert.equal(formatDay(addMonths(parseDay('2024-05-10'), 0)), '2024-05-10')
  assert.equal(formatDay(addMonths(parseDay('2024-05-10'), 24)), '2026-05-10')
  assert.equal(formatDay(addMonths(parseDay('2024-06-10'), 6)), '2024-12-10')
})

test('every grid holds its month', () => {
  for (let month = 1; month <= 12; month += 1) {
    const days = monthGrid(2023, month).split('\n').slice(1).join(' ').split(' ').filter((word) => word !== '').map(Number)
    assert.deepEqual(days, Array.from({ length: daysIn(2023, month) }, (_, at) => at + 1))
  }
  assert.equal(monthGrid(2024, 9).split('\n')[1], '                   1')
  assert.equal(monthGrid(2021, 2).split('\n').length, 5)
})

test('workdays of a year and of nothing', () => {
  assert.equal(workdays(parseDay('2024-01-01'), parseDay('2024-12-31')), 262)
  assert.equal(workdays(parseDay('2024-01-06'), parseDay('2024-01-07')), 0)
  assert.equal(workdays(parseDay('2024-01-05'), parseDay('2024-01-05')), 1)
  assert.equal(workdays(parseDay('2024-01-05'), parseDay('2024-01-04')), 0)
})
