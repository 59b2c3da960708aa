import assert from 'node:assert/strict'
import { test } from 'node:test'
import { busiest, contains, covered, firstFit, gaps, merge, overlaps, span } from '../src/intervals.js'

function spansOf(seed, count) {
  let state = seed
  const next = (most) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor(state / 65536) % most
  }
  return Array.from({ length: count }, () => {
    const start = next(40)
    return span(start, start + next(10))
  })
}

test('an empty span is allowed and other values are not', () => {
  assert.deepEqual(span(4, 4), { start: 4, end: 4 })
  assert.throws(() => span(1, NaN), TypeError)
  assert.throws(() => span('1', 2), TypeError)
})

test('overlapping is symmetric', () => {
  for (const [a, b, expected] of [[span(0, 2), span(1, 3), true], [span(0, 1), span(1, 2), false], [span(0, 9), span(3, 4), true], [span(0, 1), span(5, 6), false]]) {
    assert.equal(overlaps(a, b), expected)
    assert.equal(overlaps(b, a), expected)
  }
})

test('containment at and around both ends', () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((point) => contains(span(1, 3), point)), [false, true, true, false, false])
})

test('merging leaves its input alone', () => {
  const input = [span(3, 9), span(1, 4)]
  merge(input)
  assert.deepEqual(input, [{ start: 3, end: 9 }, { start: 1, end: 4 }])
})

test('merging numbers of more than one digit', () => {
  assert.deepEqual(merge([span(10, 12), span(9, 10), span(100, 110)]), [{ start: 9, end: 12 }, { start: 100, end: 110 }])
  assert.deepEqual(merge([]), [])
})

test('coverage agrees with counting point by point', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const spans = spansOf(seed, 6)
    const points = Array.from({ length: 60 }, (_, point) => point).filter((point) => spans.some((one) => contains(one, point)))
    assert.equal(covered(spans), points.length)
  }
})

test('gaps and spans together fill the window', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const spans = spansOf(seed, 4)
    const window = span(15, 35)
    const free = gaps(window, spans)
    for (let point = 0; point < 60; point += 1) {
      const expected = contains(window, point) && !spans.some((one) => contains(one, point))
      assert.equal(free.some((gap) => contains(gap, point)), expected)
    }
    assert.ok(free.every((gap) => gap.end > gap.start))
  }
})

test('a span across an edge of the window is cut', () => {
  assert.deepEqual(gaps(span(10, 20), [span(5, 12), span(18, 25)]), [{ start: 12, end: 18 }])
  assert.deepEqual(gaps(span(10, 20), [span(0, 50)]), [])
})

test('an exact fit is a fit', () => {
  assert.deepEqual(firstFit(span(0, 3), [], 3), { start: 0, end: 3 })
  assert.equal(firstFit(span(0, 3), [], 4), null)
  assert.deepEqual(firstFit(span(0, 20), [span(2, 3)], 2), { start: 0, end: 2 })
})

test('the busiest point agrees with counting', () => {
  for (let seed = 30; seed <= 50; seed += 1) {
    const spans = spansOf(seed, 7)
    const counts = Array.from({ length: 60 }, (_, point) => spans.filter((one) => contains(one, point)).length)
    assert.equal(busiest(spans), Math.max(...counts))
  }
})
