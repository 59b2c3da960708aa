import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batches, mapLimit, pipeline, settle, shared, within } from '../src/pipeline.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('every item is worked on once, with its place', async () => {
  const seen: [string, number][] = []
  await mapLimit(['a', 'b', 'c'], 2, async (item, at) => {
    seen.push([item, at])
    await turn()
  })
  assert.deepEqual(seen.toSorted(), [['a', 0], ['b', 1], ['c', 2]])
})

test('one at a time is in order', async () => {
  const events: string[] = []
  await mapLimit([1, 2, 3], 1, async (item) => {
    events.push(`start ${item}`)
    await turn()
    events.push(`end ${item}`)
  })
  assert.deepEqual(events, ['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3'])
})

test('as many run as may', async () => {
  for (const [count, limit, expected] of [[6, 3, 3], [2, 9, 2], [4, 4, 4]] as const) {
    let [running, most] = [0, 0]
    await mapLimit(Array.from({ length: count }), limit, async () => {
      running += 1
      most = Math.max(most, running)
      await turn()
      running -= 1
    })
    assert.equal(most, expected)
  }
})

test('nothing to do is done', async () => {
  assert.deepEqual(await mapLimit([], 3, async () => 1), [])
  assert.deepEqual(await settle([], 3, async () => 1), [])
  assert.deepEqual(batches([], 3), [])
  assert.equal(await pipeline('x'), 'x')
})

test('an error ends the whole map', async () => {
  await assert.rejects(mapLimit([1, 2], 1, async (item) => { throw new Error(`item ${item}`) }), /item 1/)
})

test('whatever is thrown becomes an error', async () => {
  const outcomes = await settle(['a', 'b'], 1, async (item) => { throw item === 'a' ? 'text' : new TypeError('type') })
  assert.deepEqual(outcomes.map((outcome) => (outcome.ok ? '' : outcome.error.message)), ['text', 'type'])
  assert.ok(!outcomes[1]!.ok && outcomes[1]!.error instanceof TypeError)
})

test('batches lose nothing', () => {
  const items = Array.from({ length: 17 }, (_, at) => at)
  for (let size = 1; size < 20; size += 1) {
    const parts = batches(items, size)
    assert.deepEqual(parts.flat(), items)
    assert.ok(parts.slice(0, -1).every((part) => part.length === size))
    assert.equal(parts.length, Math.ceil(17 / size))
  }
})

test('steps wait for each other', async () => {
  const order: string[] = []
  const step = (name: string) => async (value: number): Promise<number> => {
    await turn()
    order.push(name)
    return value + 1
  }
  assert.equal(await pipeline(0, step('a'), step('b'), step('c')), 3)
  assert.deepEqual(order, ['a', 'b', 'c'])
})

test('a failed load can be tried again', async () => {
  let loads = 0
  const load = shared(async () => {
    loads += 1
    await turn()
    if (loads === 1) throw new Error('first')
    return loads
  })
  await assert.rejects(load('k'), /first/)
  assert.equal(await load('k'), 2)
  assert.equal(await load('k'), 3)
})

test('keys do not share', async () => {
  const loads: string[] = []
  const load = shared(async (key) => {
    loads.push(key)
    return key.toUpperCase()
  })
  assert.deepEqual(await Promise.all(['a', 'b', 'a'].map(load)), ['A', 'B', 'A'])
  assert.deepEqual(loads, ['a', 'b'])
})

test('errors in time are passed on', async () => {
  await assert.rejects(within(1000, Promise.reject(new Error('own'))), /own/)
})
