import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoff, RetryQueue } from '../src/queue.js'

const quiet = async () => {}

test('waits with other numbers', () => {
  assert.deepEqual([1, 2, 3, 4].map((attempt) => backoff(attempt, { first: 10, factor: 3, most: 200 })), [10, 30, 90, 200])
  assert.equal(backoff(1, { first: 7000 }), 5000)
})

test('a job hears which try it is', async () => {
  const attempts = []
  const queue = new RetryQueue({ sleep: quiet, tries: 4 })
  queue.push('a', async (attempt) => {
    attempts.push(attempt)
    throw new Error('no')
  })
  await queue.drain()
  assert.deepEqual(attempts, [1, 2, 3, 4])
  assert.equal(queue.dead[0].error.message, 'no')
})

test('a job that throws at once is treated alike', async () => {
  const queue = new RetryQueue({ sleep: quiet })
  let calls = 0
  queue.push('a', () => {
    calls += 1
    if (calls < 3) throw new Error('sync')
    return calls
  })
  assert.deepEqual(await queue.drain(), { a: 3 })
})

test('a dead job does not stop the others', async () => {
  const queue = new RetryQueue({ sleep: quiet, tries: 1 })
  queue.push('bad', async () => { throw new Error('x') })
  queue.push('good', async () => 'y')
  assert.deepEqual(await queue.drain(), { good: 'y' })
  assert.deepEqual(queue.dead.map(({ name, attempts }) => [name, attempts]), [['bad', 1]])
})

test('two drains at a time are refused', async () => {
  const queue = new RetryQueue({ sleep: quiet })
  queue.push('a', async () => 1)
  const first = queue.drain()
  await assert.rejects(queue.drain(), /already/)
  assert.deepEqual(await first, { a: 1 })
  assert.deepEqual(await queue.drain(), {})
})

test('pushing says how many are waiting', () => {
  const queue = new RetryQueue({ sleep: quiet })
  assert.deepEqual([queue.push('a', quiet), queue.push('b', quiet, 2), queue.push('c', quiet, 1)], [1, 2, 3])
  assert.deepEqual(queue.jobs.map(({ name }) => name), ['b', 'c', 'a'])
})

test('jobs pushed while draining run too', async () => {
  const queue = new RetryQueue({ sleep: quiet })
  queue.push('a', async () => { queue.push('b', async () => 2); return 1 })
  assert.deepEqual(await queue.drain(), { a: 1, b: 2 })
})

test('only fatal errors end a job early', async () => {
  const queue = new RetryQueue({ sleep: quiet, tries: 5, isFatal: ({ message }) => message === 'fatal' })
  queue.push('a', async (attempt) => { throw new Error(attempt === 3 ? 'fatal' : 'soft') })
  await queue.drain()
  assert.equal(queue.dead[0].attempts, 3)
})

test('waits follow the settings of the queue', async () => {
  const waits = []
  const queue = new RetryQueue({ tries: 4, sleep: async (ms) => { waits.push(ms) }, wait: { first: 1, factor: 10, most: 50 } })
  queue.push('a', async () => { throw new Error('no') })
  await queue.drain()
  assert.deepEqual(waits, [1, 10, 50])
})

test('reviving keeps the order and starts counting anew', async () => {
  const queue = new RetryQueue({ sleep: quiet, tries: 2 })
  for (const name of ['x', 'y']) queue.push(name, async () => { throw new Error(name) })
  await queue.drain()
  const attempts = []
  assert.deepEqual(queue.revive((name) => async (attempt) => { attempts.push([name, attempt]) }), ['x', 'y'])
  await queue.drain()
  assert.deepEqual(attempts, [['x', 1], ['y', 1]])
})
