import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busiest, contains, covered, firstFit, gaps, merge, overlaps, span } from '../src/intervals.js'

test('a span must not end before it starts', () => {
  assert.throws(() => span(5, 4), RangeError)
  assert.deepEqual(span(4, 5), { start: 4, end: 5 })
})

test('spans that only touch do not overlap', () => {
  assert.equal(overlaps(span(0, 5), span(5, 9)), false)
  assert.equal(overlaps(span(0, 6), span(5, 9)), true)
})

test('the end is not part of a span', () => {
  assert.equal(contains(span(1, 3), 1), true)
  assert.equal(contains(span(1, 3), 3), false)
})

test('overlapping and touching spans are merged', () => {
  assert.deepEqual(merge([span(5, 7), span(1, 3), span(3, 4)]), [{ start: 1, end: 4 }, { start: 5, end: 7 }])
})

test('a span inside another one adds nothing', () => {
  assert.deepEqual(merge([span(0, 10), span(2, 3)]), [{ start: 0, end: 10 }])
  assert.equal(covered([span(0, 10), span(2, 3), span(20, 25)]), 15)
})

test('gaps are found between and around spans', () => {
  assert.deepEqual(gaps(span(0, 10), [span(2, 4), span(6, 8)]), [{ start: 0, end: 2 }, { start: 4, end: 6 }, { start: 8, end: 10 }])
})

test('spans outside the window are ignored', () => {
  assert.deepEqual(gaps(span(10, 20), [span(0, 5), span(30, 40)]), [{ start: 10, end: 20 }])
  assert.deepEqual(gaps(span(10, 20), [span(0, 5), span(12, 14)]), [{ start: 10, end: 12 }, { start: 14, end: 20 }])
})

test('the first gap that is long enough is taken', () => {
  assert.deepEqual(firstFit(span(0, 10), [span(1, 4), span(7, 9)], 3), { start: 4, end: 7 })
  assert.equal(firstFit(span(0, 10), [span(1, 9)], 3), null)
})

test('the busiest point counts open spans', () => {
  assert.equal(busiest([span(0, 4), span(1, 5), span(4, 6)]), 2)
})
