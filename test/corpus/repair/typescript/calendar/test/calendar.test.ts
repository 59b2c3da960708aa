import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMonths, daysIn, formatDay, isLeap, monthGrid, parseDay, toNumber, weekday, workdays } from '../src/calendar.ts'

const later = (text: string, count: number): string => formatDay(addDays(parseDay(text), count))

test('leap years', () => {
  assert.deepEqual([2023, 2024, 1900, 2000].map(isLeap), [false, true, false, true])
})

test('lengths of months', () => {
  assert.deepEqual([daysIn(2023, 2), daysIn(2024, 2), daysIn(2024, 4), daysIn(2024, 12)], [28, 29, 30, 31])
})

test('days are read and written', () => {
  assert.deepEqual(parseDay('2024-02-29'), { year: 2024, month: 2, day: 29 })
  assert.equal(formatDay({ year: 987, month: 6, day: 5 }), '0987-06-05')
  for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '2024-04-31']) assert.throws(() => parseDay(text))
})

test('days are added over months and years', () => {
  assert.equal(later('2024-02-28', 2), '2024-03-01')
  assert.equal(later('2023-12-31', 1), '2024-01-01')
})

test('days are taken away', () => {
  assert.equal(later('2024-03-01', -1), '2024-02-29')
  assert.equal(later('2024-01-01', -1), '2023-12-31')
})

test('months are added and cut at their end', () => {
  assert.equal(formatDay(addMonths(parseDay('2024-01-31'), 1)), '2024-02-29')
  assert.equal(formatDay(addMonths(parseDay('2024-11-15'), 3)), '2025-02-15')
  assert.equal(formatDay(addMonths(parseDay('2024-01-15'), -1)), '2023-12-15')
})

test('days between two days', () => {
  assert.equal(toNumber(parseDay('2024-03-01')) - toNumber(parseDay('2024-02-01')), 29)
  assert.equal(toNumber(parseDay('2025-01-01')) - toNumber(parseDay('2024-01-01')), 366)
})

test('days of the week', () => {
  assert.equal(weekday(parseDay('2024-01-01')), 0)
  assert.equal(weekday(parseDay('2024-02-29')), 3)
})

test('a month is laid out in weeks', () => {
  const lines = monthGrid(2024, 2).split('\n')
  assert.equal(lines[0], 'Mo Tu We Th Fr Sa Su')
  assert.equal(lines[1], '          1  2  3  4')
  assert.equal(lines[5], '26 27 28 29')
})

test('workdays leave out the weekend', () => {
  assert.equal(workdays(parseDay('2024-01-01'), parseDay('2024-01-07')), 5)
  assert.equal(workdays(parseDay('2024-01-05'), parseDay('2024-01-08')), 2)
})
