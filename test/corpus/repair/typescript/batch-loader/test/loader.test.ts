import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { BatchLoader } from '../src/loader.ts'

let requests: number[][]

async function square(keys: number[]): Promise<(number | Error)[]> {
  requests.push(keys)
  return keys.map((key) => (key < 0 ? new Error(`no ${key}`) : key * key))
}

beforeEach(() => {
  requests = []
})

describe('loading', () => {
  it('gives the value of a key', async () => {
    assert.equal(await new BatchLoader(square).load(4), 16)
  })

  it('joins the calls of one turn', async () => {
    const loader = new BatchLoader(square)
    assert.deepEqual(await Promise.all([loader.load(1), loader.load(2), loader.load(3)]), [1, 4, 9])
    assert.deepEqual(requests, [[1, 2, 3]])
  })

  it('makes a new request in a later turn', async () => {
    const loader = new BatchLoader(square)
    await loader.load(1)
    await loader.load(2)
    assert.deepEqual(requests, [[1], [2]])
  })

  it('splits what is too large', async () => {
    const loader = new BatchLoader(square, { maxBatch: 2 })
    assert.deepEqual(await loader.loadMany([1, 2, 3, 4, 5]), [1, 4, 9, 16, 25])
    assert.deepEqual(requests, [[1, 2], [3, 4], [5]])
  })

  it('needs room for a key at least', () => {
    assert.throws(() => new BatchLoader(square, { maxBatch: 0 }), RangeError)
  })

  it('loads many in the order of the keys', async () => {
    assert.deepEqual(await new BatchLoader(square).loadMany([3, 1, 2]), [9, 1, 4])
    assert.deepEqual(await new BatchLoader(square).loadMany([]), [])
  })
})

describe('errors', () => {
  it('belong to one key', async () => {
    const loader = new BatchLoader(square)
    const [good, bad] = await Promise.allSettled([loader.load(2), loader.load(-1)])
    assert.equal(good.status, 'fulfilled')
    assert.equal(bad.status === 'rejected' && bad.reason.message, 'no -1')
  })

  it('come back as values when wanted', async () => {
    const values = await new BatchLoader(square).loadSettled([2, -5, 3])
    assert.equal(values[0], 4)
    assert.ok(values[1] instanceof Error)
    assert.equal(values[2], 9)
  })

  it('of the request are for all its keys', async () => {
    const loader = new BatchLoader<number, number>(async () => {
      throw new Error('offline')
    })
    const values = await loader.loadSettled([1, 2])
    assert.deepEqual(values.map((value) => (value as Error).message), ['offline', 'offline'])
  })

  it('are raised when values are missing', async () => {
    const loader = new BatchLoader<number, number>(async (keys) => keys.slice(1))
    await assert.rejects(loader.loadMany([1, 2, 3]), /3 keys were asked for, 2 values came/)
  })

  it('are not kept', async () => {
    let isUp = false
    const loader = new BatchLoader<number, string>(async (keys) => keys.map((key) => (isUp ? `v${key}` : new Error('down'))))
    await assert.rejects(loader.load(1), /down/)
    isUp = true
    assert.equal(await loader.load(1), 'v1')
  })
})

describe('the cache', () => {
  it('keeps what was loaded', async () => {
    const loader = new BatchLoader(square)
    await loader.load(7)
    assert.equal(await loader.load(7), 49)
    assert.deepEqual(requests, [[7]])
  })

  it('asks once for a key that is wanted twice', async () => {
    const loader = new BatchLoader(square)
    assert.deepEqual(await loader.loadMany([2, 2, 3]), [4, 4, 9])
    assert.deepEqual(requests, [[2, 3]])
  })

  it('goes by a key of its own', async () => {
    const asked: string[][] = []
    const loader = new BatchLoader<string, string>(
      async (names) => {
        asked.push(names)
        return names.map((name) => name.toLowerCase())
      },
      { cacheKey: (name) => name.toLowerCase() },
    )
    assert.deepEqual(await loader.loadMany(['Ann', 'ANN']), ['ann', 'ann'])
    assert.deepEqual(asked, [['Ann']])
    loader.clear('Ann')
    await loader.load('ann')
    assert.equal(asked.length, 2)
  })

  it('can be left out', async () => {
    const loader = new BatchLoader(square, { cache: 'none' })
    await loader.loadMany([2, 2])
    await loader.load(2)
    assert.deepEqual(requests, [[2, 2], [2]])
  })

  it('is primed by hand, and keeps what it has', async () => {
    const loader = new BatchLoader(square).prime(5, 1).prime(5, 2)
    assert.equal(await loader.load(5), 1)
    assert.deepEqual(requests, [])
  })

  it('forgets one key or all', async () => {
    const loader = new BatchLoader(square)
    await loader.loadMany([1, 2])
    loader.clear(1)
    await loader.loadMany([1, 2])
    loader.clearAll()
    await loader.loadMany([1, 2])
    assert.deepEqual(requests, [[1, 2], [1], [1, 2]])
  })
})
