import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, nextRun, parseCron, upcoming } from '../src/cron.js'
import { FIELDS, parseField } from '../src/field.js'

const [minute, hour, day, month, weekday] = FIELDS
const read = (text, field) => [...parseField(text, field)].sort((a, b) => a - b)
const runs = (text, after, count) => upcoming(parseCron(text), new Date(after), count).map((run) => run.toISOString().slice(0, 16))

test('stars cover the whole of a field', () => {
  assert.deepEqual([minute, hour, day, month, weekday].map((field) => read('*', field).length), [60, 24, 31, 12, 7])
  assert.deepEqual(read('*', month).at(-1), 12)
})

test('lists of ranges and steps', () => {
  assert.deepEqual(read('1-3,10,20-30/5', day), [1, 2, 3, 10, 20, 25, 30])
  assert.deepEqual(read('*/7', hour), [0, 7, 14, 21])
  assert.deepEqual(read('50/5', minute), [50, 55])
  assert.deepEqual(read('*/10', day), [1, 11, 21, 31])
})

test('overlapping items are there once', () => {
  assert.equal(parseField('1-5,3-8', hour).size, 8)
})

test('names in any case', () => {
  assert.deepEqual(read('Feb-Apr', month), [2, 3, 4])
  assert.deepEqual(read('sun,SAT', weekday), [0, 6])
  assert.deepEqual(read('nov', month), [11])
})

test('limits', () => {
  assert.deepEqual(read('59', minute), [59])
  assert.deepEqual(read('0,23', hour), [0, 23])
  assert.deepEqual(read('31', day), [31])
  const outside = [['24', hour], ['32', day], ['13', month], ['0', month], ['-1', minute], ['8', weekday], ['7', { ...hour, most: 6 }]]
  for (const [text, field] of outside) assert.throws(() => read(text, field), RangeError)
})

test('Sunday by its other number', () => {
  assert.deepEqual(read('3,7', weekday), [0, 3])
})

test('bad texts', () => {
  for (const text of [',', '1,', 'mon', '1-', '*/', '*/x', '*/-2', '9-3']) assert.throws(() => read(text, hour), RangeError, text)
  assert.throws(() => parseCron(''), SyntaxError)
})

test('every month in order', () => {
  const months = runs('0 0 1 * *', '2023-12-31T23:59:59Z', 13)
  assert.deepEqual(months.slice(0, 3), ['2024-01-01T00:00', '2024-02-01T00:00', '2024-03-01T00:00'])
  assert.equal(months.at(-1), '2025-01-01T00:00')
})

test('the thirty-first', () => {
  assert.deepEqual(runs('0 9 31 * *', '2024-01-31T09:00:00Z', 3), ['2024-03-31T09:00', '2024-05-31T09:00', '2024-07-31T09:00'])
  assert.equal(runs('0 0 1 mar *', '2024-01-31T10:30:00Z', 1)[0], '2024-03-01T00:00')
})

test('runs agree with trying every minute', () => {
  for (const text of ['*/20 3,15 * * *', '7 */5 * * 2', '30 0 1-7 * mon', '0 22 * 5 *']) {
    const cron = parseCron(text)
    const start = Date.UTC(2024, 3, 29, 21, 17, 5)
    const expected = []
    for (let at = start - 5000 + 60_000; at < start + 12 * 86_400_000; at += 60_000) {
      if (matches(cron, new Date(at))) expected.push(new Date(at).toISOString())
    }
    assert.deepEqual(upcoming(cron, new Date(start), expected.length).map((run) => run.toISOString()), expected)
  }
})

test('days and weekdays', () => {
  assert.deepEqual(runs('0 0 1 * 0', '2024-05-30T00:00:00Z', 3), ['2024-06-01T00:00', '2024-06-02T00:00', '2024-06-09T00:00'])
  assert.deepEqual(runs('0 0 * * 3', '2024-05-30T00:00:00Z', 2), ['2024-06-05T00:00', '2024-06-12T00:00'])
  assert.deepEqual(runs('0 0 15 * *', '2024-05-30T00:00:00Z', 2), ['2024-06-15T00:00', '2024-07-15T00:00'])
})

test('seconds are cut off', () => {
  const run = nextRun(parseCron('* * * * *'), new Date('2024-05-30T10:00:59.900Z'))
  assert.equal(run.toISOString(), '2024-05-30T10:01:00.000Z')
})

test('shorthands of days and months', () => {
  assert.equal(runs('@daily', '2024-02-28T12:00:00Z', 2)[1], '2024-03-01T00:00')
  assert.equal(runs(' @monthly ', '2024-02-28T12:00:00Z', 1)[0], '2024-03-01T00:00')
  assert.throws(() => parseCron('@never'), SyntaxError)
})

test('as many as there are', () => {
  assert.equal(runs('0 0 29 2 *', '2024-01-01T00:00:00Z', 2).length, 2)
  assert.deepEqual(runs('0 0 31 4 *', '2024-01-01T00:00:00Z', 2), [])
  assert.deepEqual(runs('* * * * *', '2024-01-01T00:00:00Z', 0), [])
})

test('what is given stays as it is', () => {
  const now = new Date('2024-05-30T10:00:59.900Z')
  upcoming(parseCron('5 5 5 5 *'), now, 2)
  assert.equal(now.getTime(), Date.UTC(2024, 4, 30, 10, 0, 59, 900))
})
