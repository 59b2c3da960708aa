import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batches, mapLimit, pipeline, settle, shared, within } from '../src/pipeline.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('results keep the order of the items', async () => {
  const results = await mapLimit([3, 1, 2], 2, async (item) => {
    await pause(item)
    return item * 10
  })
  assert.deepEqual(results, [30, 10, 20])
})

test('no more than the limit run at a time', async () => {
  let [running, most] = [0, 0]
  await mapLimit([1, 2, 3, 4, 5], 2, async () => {
    running += 1
    most = Math.max(most, running)
    await pause(1)
    running -= 1
  })
  assert.equal(most, 2)
})

test('a limit below one is refused', async () => {
  await assert.rejects(mapLimit([1], 0, async () => 1), RangeError)
})

test('outcomes are told one by one', async () => {
  const outcomes = await settle([1, 2], 5, async (item) => {
    if (item === 1) throw new Error('one')
    return item
  })
  assert.equal(outcomes[0]!.ok, false)
  assert.deepEqual(outcomes[1], { ok: true, value: 2 })
})

test('batches have the size, the last the rest', () => {
  assert.deepEqual(batches([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]])
})

test('steps follow each other', async () => {
  assert.equal(await pipeline(2, async (value) => value + 1, (value) => value * 10), 30)
})

test('the same key is loaded once at a time', async () => {
  let loads = 0
  const load = shared(async (key) => {
    loads += 1
    await pause(1)
    return key + loads
  })
  assert.deepEqual(await Promise.all([load('a'), load('a'), load('b')]), ['a2', 'a2', 'b2'])
  await load('a')
  assert.equal(loads, 3)
})

test('what takes too long is an error', async () => {
  assert.equal(await within(50, Promise.resolve(7)), 7)
  await assert.rejects(within(1, pause(20)), /not done within 1 ms/)
})
