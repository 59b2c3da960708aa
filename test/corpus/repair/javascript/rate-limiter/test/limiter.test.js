import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perKey, SlidingWindow, TokenBucket } from '../src/limiter.js'

function ticking() {
  const time = { now: 1000 }
  return { time, clock: () => time.now }
}

test('a full bucket gives what it holds', () => {
  const { clock } = ticking()
  const bucket = new TokenBucket({ capacity: 2, perSecond: 1, clock })
  assert.deepEqual([bucket.take(), bucket.take(), bucket.take()], [true, true, false])
})

test('tokens come back with time', () => {
  const { time, clock } = ticking()
  const bucket = new TokenBucket({ capacity: 2, perSecond: 4, clock })
  bucket.take(2)
  time.now += 250
  assert.equal(bucket.take(), true)
  assert.equal(bucket.take(), false)
})

test('a bucket never holds more than its capacity', () => {
  const { time, clock } = ticking()
  const bucket = new TokenBucket({ capacity: 3, perSecond: 1, clock })
  time.now += 60_000
  assert.equal(bucket.take(4), false)
  assert.equal(bucket.take(3), true)
})

test('the wait is told in milliseconds', () => {
  const { clock } = ticking()
  const bucket = new TokenBucket({ capacity: 2, perSecond: 2, clock })
  assert.equal(bucket.waitFor(2), 0)
  bucket.take(2)
  assert.equal(bucket.waitFor(1), 500)
  assert.equal(bucket.waitFor(3), Infinity)
})

test('a window allows up to its limit', () => {
  const { time, clock } = ticking()
  const window = new SlidingWindow({ limit: 2, windowMs: 100, clock })
  assert.equal(window.allow(), true)
  time.now += 60
  assert.deepEqual([window.allow(), window.allow()], [true, false])
  time.now += 40
  assert.equal(window.allow(), true)
})

test('what is left is counted', () => {
  const { time, clock } = ticking()
  const window = new SlidingWindow({ limit: 3, windowMs: 100, clock })
  window.allow()
  assert.equal(window.left(), 2)
  time.now += 200
  assert.equal(window.left(), 3)
})

test('the reset is when the oldest falls out', () => {
  const { time, clock } = ticking()
  const window = new SlidingWindow({ limit: 3, windowMs: 100, clock })
  window.allow()
  time.now += 30
  window.allow()
  assert.equal(window.resetAt(), 1100)
})

test('keys have limiters of their own', () => {
  const { time, clock } = ticking()
  const all = perKey(() => new SlidingWindow({ limit: 1, windowMs: 1000, clock }), { idleMs: 500, clock })
  assert.equal(all.get('a').allow(), true)
  assert.equal(all.get('a').allow(), false)
  assert.equal(all.get('b').allow(), true)
  time.now += 501
  all.get('b')
  assert.equal(all.size(), 1)
})
