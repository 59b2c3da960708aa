import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchLoader } from '../src/loader.ts'
import type { LoaderOptions } from '../src/loader.ts'

type User = { id: number; name: string }

function users(options: LoaderOptions<number> = {}): { loader: BatchLoader<number, User>; asked: number[][] } {
  const asked: number[][] = []
  const loader = new BatchLoader<number, User>(async (ids) => {
    asked.push(ids)
    await new Promise((done) => setImmediate(done))
    if (ids.includes(666)) throw new Error('request refused')
    return ids.map((id) => (id % 10 === 0 ? new Error(`user ${id} is gone`) : { id, name: `u${id}` }))
  }, options)
  return { loader, asked }
}

test('one turn, one request, whoever asks', async () => {
  const { loader, asked } = users()
  const one = async (id: number): Promise<string> => (await loader.load(id)).name
  assert.deepEqual(await Promise.all([one(1), one(2), one(3)]), ['u1', 'u2', 'u3'])
  assert.equal(asked.length, 1)
})

test('keys that come while a request is under way are the next one', async () => {
  const { loader, asked } = users()
  const first = loader.load(1)
  await Promise.resolve()
  const second = loader.load(2)
  assert.deepEqual((await Promise.all([first, second])).map(({ id }) => id), [1, 2])
  assert.deepEqual(asked, [[1], [2]])
})

test('the same object comes back', async () => {
  const { loader } = users()
  assert.equal(await loader.load(3), await loader.load(3))
})

test('batches of every size hold every key once', async () => {
  const keys = [1, 2, 3, 4, 5, 6, 7]
  for (let maxBatch = 1; maxBatch <= 8; maxBatch += 1) {
    const { loader, asked } = users({ maxBatch })
    assert.deepEqual((await loader.loadMany(keys)).map(({ id }) => id), keys)
    assert.deepEqual(asked.flat(), keys)
    assert.equal(asked.length, Math.ceil(keys.length / maxBatch))
    assert.ok(asked.every((batch) => batch.length <= maxBatch))
  }
})

test('bad limits', () => {
  for (const maxBatch of [0, -1, NaN]) assert.throws(() => users({ maxBatch }), /at least 1/)
  assert.ok(users({ maxBatch: 1 }).loader)
})

test('an error of one key leaves the others', async () => {
  const { loader } = users()
  const values = await loader.loadSettled([1, 10, 2])
  assert.deepEqual(values.map((value) => (value instanceof Error ? value.message : value.name)), ['u1', 'user 10 is gone', 'u2'])
  await assert.rejects(loader.loadMany([1, 20]), /user 20 is gone/)
})

test('a refused request fails its batch alone', async () => {
  const { loader } = users({ maxBatch: 2 })
  const values = await loader.loadSettled([1, 666, 2, 3])
  assert.deepEqual(values.map((value) => value instanceof Error), [true, true, false, false])
})

test('failed keys are asked for again', async () => {
  const { loader, asked } = users()
  await loader.loadSettled([10, 1])
  await loader.loadSettled([10, 1])
  assert.deepEqual(asked, [[10, 1], [10]])
})

test('too many values are as wrong as too few', async () => {
  const loader = new BatchLoader<number, number>(async (keys) => [...keys, 0])
  await assert.rejects(loader.load(1), /1 keys were asked for, 2 values came/)
})

test('without a cache every call is asked', async () => {
  const { loader, asked } = users({ cache: 'none' })
  await loader.loadMany([1, 1])
  await loader.load(1)
  assert.deepEqual(asked, [[1, 1], [1]])
})

test('objects as keys', async () => {
  let calls = 0
  const loader = new BatchLoader<{ id: number }, number>(
    async (keys) => {
      calls += 1
      return keys.map(({ id }) => id + 1)
    },
    { cacheKey: ({ id }) => id },
  )
  assert.deepEqual(await loader.loadMany([{ id: 1 }, { id: 2 }, { id: 1 }]), [2, 3, 2])
  loader.prime({ id: 9 }, 0)
  assert.equal(await loader.load({ id: 9 }), 0)
  loader.clear({ id: 1 })
  await loader.load({ id: 1 })
  await loader.load({ id: 2 })
  assert.equal(calls, 2)
})

test('priming after loading changes nothing', async () => {
  const { loader } = users()
  await loader.load(1)
  loader.prime(1, { id: 1, name: 'other' })
  assert.equal((await loader.load(1)).name, 'u1')
  loader.clear(1).prime(1, { id: 1, name: 'other' })
  assert.equal((await loader.load(1)).name, 'other')
})

test('clearing one leaves the rest', async () => {
  const { loader, asked } = users()
  await loader.loadMany([1, 2, 3])
  await loader.clear(2).loadMany([1, 2, 3])
  await loader.clearAll().loadMany([1, 3])
  assert.deepEqual(asked.slice(1), [[2], [1, 3]])
})

test('the order of answers is the order of keys', async () => {
  const { loader } = users({ maxBatch: 3 })
  const keys = [9, 4, 7, 1, 9, 3]
  assert.deepEqual((await loader.loadMany(keys)).map(({ id }) => id), keys)
})
