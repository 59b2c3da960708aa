import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, nextRun, parseCron, upcoming } from '../src/cron.js'

const next = (text, after) => nextRun(parseCron(text), new Date(after))?.toISOString().slice(0, 16) ?? null

test('five fields are wanted', () => {
  assert.throws(() => parseCron('* * * *'), /5 fields, not 4/)
  assert.throws(() => parseCron('* * * * * *'), SyntaxError)
})

test('moments match', () => {
  const cron = parseCron('30 9 * * mon-fri')
  assert.equal(matches(cron, new Date('2024-03-04T09:30:00Z')), true)
  assert.equal(matches(cron, new Date('2024-03-04T09:31:00Z')), false)
  assert.equal(matches(cron, new Date('2024-03-03T09:30:00Z')), false)
})

test('months count from one', () => {
  assert.equal(matches(parseCron('0 0 1 1 *'), new Date('2024-01-01T00:00:00Z')), true)
  assert.equal(matches(parseCron('0 0 1 1 *'), new Date('2024-02-01T00:00:00Z')), false)
})

test('a day or a weekday is enough when both are given', () => {
  const cron = parseCron('0 0 13 * fri')
  assert.equal(matches(cron, new Date('2024-03-13T00:00:00Z')), true)
  assert.equal(matches(cron, new Date('2024-03-15T00:00:00Z')), true)
  assert.equal(matches(cron, new Date('2024-03-14T00:00:00Z')), false)
})

test('the next run is later than now', () => {
  assert.equal(next('*/10 * * * *', '2024-03-04T10:07:30Z'), '2024-03-04T10:10')
  assert.equal(next('*/10 * * * *', '2024-03-04T10:10:00Z'), '2024-03-04T10:20')
})

test('the next run on another day, month and year', () => {
  assert.equal(next('15 6 * * *', '2024-03-04T07:00:00Z'), '2024-03-05T06:15')
  assert.equal(next('0 0 1 * *', '2024-03-04T07:00:00Z'), '2024-04-01T00:00')
  assert.equal(next('0 6 1 6 *', '2024-01-15T10:30:00Z'), '2024-06-01T06:00')
  assert.equal(next('0 12 25 dec *', '2024-12-25T12:00:00Z'), '2025-12-25T12:00')
})

test('hours are begun at their first minute', () => {
  assert.equal(next('* 8 * * *', '2024-03-04T05:42:00Z'), '2024-03-04T08:00')
  assert.equal(next('5 8 * * *', '2024-03-04T05:42:00Z'), '2024-03-04T08:05')
})

test('rare days are found, impossible ones are not', () => {
  assert.equal(next('0 0 29 2 *', '2024-03-01T00:00:00Z'), '2028-02-29T00:00')
  assert.equal(next('0 0 30 2 *', '2024-03-01T00:00:00Z'), null)
})

test('shorthands', () => {
  assert.equal(next('@hourly', '2024-03-04T07:20:00Z'), '2024-03-04T08:00')
  assert.equal(next('@weekly', '2024-03-04T07:20:00Z'), '2024-03-10T00:00')
})

test('several runs in a row', () => {
  const runs = upcoming(parseCron('0 */8 * * *'), new Date('2024-03-04T09:00:00Z'), 3)
  assert.deepEqual(runs.map((run) => run.toISOString().slice(0, 13)), ['2024-03-04T16', '2024-03-05T00', '2024-03-05T08'])
  assert.deepEqual(upcoming(parseCron('0 0 31 6 *'), new Date(0), 3), [])
})

test('the moment given is not changed', () => {
  const now = new Date('2024-03-04T10:07:30Z')
  nextRun(parseCron('@daily'), now)
  assert.equal(now.toISOString(), '2024-03-04T10:07:30.000Z')
})
