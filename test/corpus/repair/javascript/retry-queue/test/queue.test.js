import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoff, RetryQueue } from '../src/queue.js'

function failing(times, value) {
  let left = times
  return async () => {
    if (left > 0) {
      left -= 1
      throw new Error('not yet')
    }
    return value
  }
}

function queueWith(options = {}) {
  const waits = []
  const queue = new RetryQueue({ sleep: async (milliseconds) => { waits.push(milliseconds) }, ...options })
  return { queue, waits }
}

test('waits double', () => {
  assert.deepEqual([1, 2, 3].map((attempt) => backoff(attempt)), [100, 200, 400])
})

test('waits never exceed the most', () => {
  assert.equal(backoff(20), 5000)
})

test('results come by name', async () => {
  const { queue } = queueWith()
  queue.push('a', async () => 1)
  queue.push('b', async () => 2)
  assert.deepEqual(await queue.drain(), { a: 1, b: 2 })
})

test('a failing job is tried again after a wait', async () => {
  const { queue, waits } = queueWith()
  queue.push('a', failing(2, 'done'))
  assert.deepEqual(await queue.drain(), { a: 'done' })
  assert.deepEqual(waits, [100, 200])
})

test('after the last try a job is dead', async () => {
  const { queue, waits } = queueWith({ tries: 2 })
  queue.push('a', failing(9))
  assert.deepEqual(await queue.drain(), {})
  assert.equal(queue.dead.length, 1)
  assert.equal(queue.dead[0].attempts, 2)
  assert.deepEqual(waits, [100])
})

test('a fatal error is not tried again', async () => {
  const { queue, waits } = queueWith({ isFatal: (error) => error.message === 'not yet' })
  queue.push('a', failing(1, 'x'))
  await queue.drain()
  assert.deepEqual(queue.dead.map(({ name }) => name), ['a'])
  assert.deepEqual(waits, [])
})

test('higher priorities run first, equal ones in order', async () => {
  const { queue } = queueWith()
  const ran = []
  for (const [name, priority] of [['low', 0], ['high', 5], ['also low', 0], ['also high', 5]]) {
    queue.push(name, async () => ran.push(name), priority)
  }
  await queue.drain()
  assert.deepEqual(ran, ['high', 'also high', 'low', 'also low'])
})

test('dead jobs can be revived', async () => {
  const { queue } = queueWith({ tries: 1 })
  queue.push('a', failing(1))
  await queue.drain()
  assert.deepEqual(queue.revive(() => async () => 'alive'), ['a'])
  assert.deepEqual(await queue.drain(), { a: 'alive' })
  assert.deepEqual(queue.dead, [])
})
