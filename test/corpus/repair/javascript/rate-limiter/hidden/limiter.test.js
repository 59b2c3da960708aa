import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perKey, SlidingWindow, TokenBucket } from '../src/limiter.js'

function ticking(now = 0) {
  const time = { now }
  return { time, clock: () => time.now }
}

test('a refused take costs nothing', () => {
  const { time, clock } = ticking()
  const bucket = new TokenBucket({ capacity: 5, perSecond: 1, clock })
  assert.equal(bucket.take(6), false)
  assert.equal(bucket.take(5), true)
  time.now += 9000
  assert.equal(bucket.take(6), false)
})

test('parts of a token add up', () => {
  const { time, clock } = ticking(500)
  const bucket = new TokenBucket({ capacity: 1, perSecond: 1, clock })
  bucket.take()
  for (let step = 0; step < 9; step += 1) {
    time.now += 100
    assert.equal(bucket.take(), false)
  }
  time.now += 101
  assert.equal(bucket.take(), true)
})

test('a clock that goes back takes no tokens away', () => {
  const { time, clock } = ticking(5000)
  const bucket = new TokenBucket({ capacity: 2, perSecond: 1, clock })
  bucket.take()
  time.now = 1000
  assert.equal(bucket.take(), true)
  time.now = 2000
  assert.equal(bucket.take(), true)
})

test('waiting as long as told is enough', () => {
  for (const perSecond of [1, 3, 7]) {
    const { time, clock } = ticking()
    const bucket = new TokenBucket({ capacity: 4, perSecond, clock })
    bucket.take(4)
    const wait = bucket.waitFor(2)
    time.now += wait - 2
    assert.equal(bucket.take(2), false)
    time.now += 2
    assert.equal(bucket.take(2), true)
  }
})

test('a capacity is allowed to be waited for in full', () => {
  const { clock } = ticking()
  const bucket = new TokenBucket({ capacity: 2, perSecond: 1, clock })
  bucket.take(1)
  assert.equal(bucket.waitFor(2), 1000)
})

test('refused calls do not fill a window', () => {
  const { time, clock } = ticking()
  const window = new SlidingWindow({ limit: 1, windowMs: 10, clock })
  assert.equal(window.allow(), true)
  time.now = 9
  assert.equal(window.allow(), false)
  time.now = 10
  assert.equal(window.allow(), true)
})

test('no window of time ever holds more than the limit', () => {
  const { time, clock } = ticking()
  const window = new SlidingWindow({ limit: 3, windowMs: 50, clock })
  const allowed = []
  for (time.now = 0; time.now < 500; time.now += 7) if (window.allow()) allowed.push(time.now)
  for (const start of allowed) assert.ok(allowed.filter((at) => at >= start && at < start + 50).length <= 3)
  assert.ok(allowed.length >= 27)
})

test('an empty window resets now', () => {
  const { time, clock } = ticking(7)
  const window = new SlidingWindow({ limit: 1, windowMs: 10, clock })
  assert.equal(window.resetAt(), 7)
  window.allow()
  time.now = 17
  assert.equal(window.resetAt(), 17)
  assert.equal(window.left(), 1)
})

test('a key in use is kept and made only once', () => {
  const { time, clock } = ticking()
  let made = 0
  const all = perKey(() => ({ id: (made += 1) }), { idleMs: 100, clock })
  for (let step = 0; step < 5; step += 1) {
    time.now += 100
    assert.equal(all.get('a').id, 1)
  }
  time.now += 101
  assert.equal(all.get('a').id, 2)
  assert.equal(all.size(), 1)
  time.now += 90
  all.get('b')
  assert.equal(all.size(), 2)
  time.now += 20
  all.get('b')
  assert.equal(all.size(), 1)
})
