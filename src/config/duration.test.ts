// Tests of reading and writing durations.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../errors.js'
import { duration } from '../text/amounts.js'
import { parseDuration } from './duration.js'

test.each([
  ['90s', 90],
  ['5m', 300],
  ['2h', 7200],
  ['1h30m', 5400],
  ['1h30m15s', 5415],
  ['1h5s', 3605],
  ['0', 0],
  ['0.5s', 0.5],
  ['1.5s', 1.5],
  [' 10m ', 600],
])('%j is %d seconds.', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds)
})

test.each(['', ' ', 'soon', '-5', '5 minutes', '1.5h', '30m1h', 'h', '5x', '1e9', 'NaN', 'Infinity', '٣s', '9'.repeat(400), '5m\n6s'])(
  '%j is refused as a duration in one line that says what to write.',
  (text) => {
    const refusal = refusalOf(() => parseDuration(text, '--max-time'))
    expect(refusal.code).toBe(2)
    expect(refusal.message).toMatch(/^--max-time: ".*" is not a duration \(write 90s, 5m, 2h or 1h30m\)$/)
    expect(refusal.message.length).toBeLessThan(200)
  },
)

test.each([
  ['5', '5m or 5s'],
  [' 3600 ', '3600m or 3600s'],
  ['0.5', '0.5s'],
  ['123456789', '123456789s'],
])('%j is refused without a unit, with what may have been meant.', (text, forms) => {
  const refusal = refusalOf(() => parseDuration(text, '--max-time'))
  expect(refusal.code).toBe(2)
  expect(refusal.message).toBe(`--max-time: "${text}" has no unit (write ${forms})`)
  for (const form of forms.split(' or ')) expect(parseDuration(form)).toBeGreaterThan(0)
})

test.each([
  [0, '0.0s'],
  [45.2, '45.2s'],
  [59.94, '59.9s'],
  [59.96, '1m00s'],
  [60, '1m00s'],
  [136, '2m16s'],
  [136.4, '2m16s'],
  [3599.4, '59m59s'],
  [3599.6, '1h00m'],
  [3720, '1h02m'],
  [86_400, '24h00m'],
  [-1, '0.0s'],
  [Number.NaN, '0.0s'],
])('%d seconds are written as %s.', (seconds, text) => {
  expect(duration(seconds)).toBe(text)
})

test('A written duration can be read again and differs by less than its smallest unit.', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 900_000, noNaN: true }), (seconds) => {
      const smallest = seconds < 59 ? 0.1 : seconds < 3590 ? 1 : 61
      expect(Math.abs(parseDuration(duration(seconds)) - seconds)).toBeLessThan(smallest)
    }),
  )
})

function refusalOf(action: () => unknown): Refusal {
  try {
    action()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}
