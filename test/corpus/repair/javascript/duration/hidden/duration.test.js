import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock, format, parse, parseIso, relative } from '../src/duration.js'

test('units in one text', () => {
  assert.equal(parse('1w 1d 1h 1m 1s 1ms'), 604_800_000 + 86_400_000 + 3_600_000 + 60_000 + 1000 + 1)
  assert.equal(parse('3d'), 259_200_000)
  assert.equal(parse('12ms'), 12)
})

test('spaces are free', () => {
  assert.equal(parse('  2 h   15 m '), 8_100_000)
  assert.equal(parse('2h15m'), 8_100_000)
})

test('bare numbers', () => {
  assert.equal(parse('0'), 0)
  assert.equal(parse('-1'), -1)
  assert.equal(parse('86400000'), 86_400_000)
})

test('fractions and rounding', () => {
  assert.equal(parse('2.25m'), 135_000)
  assert.equal(parse('1.4ms'), 1)
  assert.equal(parse('-1.5s'), -1500)
})

test('one text after another that failed', () => {
  assert.throws(() => parse('1m and 2s'), SyntaxError)
  assert.equal(parse('2s'), 2000)
})

test('bad texts', () => {
  for (const text of ['h', '1x', '--1s', '1h-5m', '-', '1.h', '  ', '3q']) assert.throws(() => parse(text), SyntaxError, text)
})

test('ISO in full', () => {
  assert.equal(parseIso('P1W2DT3H4M5.5S'), 604_800_000 + 2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5500)
  assert.equal(parseIso('-P1D'), -86_400_000)
  assert.equal(parseIso('PT90M'), 5_400_000)
  assert.equal(parseIso('PT36H'), 129_600_000)
})

test('bad ISO', () => {
  for (const text of ['', 'T5M', 'P5M', 'PT5D', 'P1.5D', 'PT5', '-P', '-PT']) assert.throws(() => parseIso(text), /not an ISO duration/)
})

test('written durations are read back', () => {
  let state = 77
  for (let turn = 0; turn < 80; turn += 1) {
    state = (state * 48271) % 2147483647
    const value = state % 300_000_000
    assert.equal(parse(format(value, { parts: 9 })), value)
    assert.equal(parse(format(-value, { parts: 9 })), value === 0 ? 0 : -value)
  }
})

test('two parts at most unless told', () => {
  assert.equal(format(7 * 86_400_000 + 59_000), '7d 59s')
  assert.equal(format(3_661_001), '1h 1m')
  assert.equal(format(999), '999ms')
  assert.equal(format(3_661_001, { parts: 3 }), '1h 1m 1s')
})

test('negative times', () => {
  assert.equal(format(-86_400_000), '-1d')
  assert.equal(format(-61_000), '-1m 1s')
})

test('clocks', () => {
  assert.equal(clock(0), '0:00')
  assert.equal(clock(9000), '0:09')
  assert.equal(clock(600_000), '10:00')
  assert.equal(clock(3_599_999), '59:59')
  assert.equal(clock(36_610_000), '10:10:10')
  assert.equal(clock(7_265_000), '2:01:05')
})

test('relative days', () => {
  assert.equal(relative(86_400_000), 'in 1 day')
  assert.equal(relative(-86_400_000 * 10), '10 days ago')
  assert.equal(relative(-86_400_000 * 1.6), '2 days ago')
})

test('relative times below a day', () => {
  assert.equal(relative(3_600_000), 'in 1 hour')
  assert.equal(relative(-3_599_000), '60 minutes ago')
  assert.equal(relative(-45_000), '45 seconds ago')
  assert.equal(relative(59_000), 'in 59 seconds')
})

test('now', () => {
  assert.equal(relative(0), 'just now')
  assert.equal(relative(-10_000), '10 seconds ago')
  assert.equal(relative(-5000), 'just now')
})
