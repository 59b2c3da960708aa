import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache } from '../src/cache.js'

test('a capacity below one is refused', () => {
  assert.throws(() => new Cache({ capacity: 0 }), RangeError)
  assert.equal(new Cache({ capacity: 1 }).set('a', 1).set('b', 2).size, 1)
})

test('a value that is false is a value', () => {
  const cache = new Cache().set('zero', 0).set('no', false)
  assert.equal(cache.get('zero'), 0)
  assert.equal(cache.peek('no'), false)
  assert.equal(cache.getOrSet('zero', () => 5), 0)
})

test('a cache without questions has a rate of zero', () => {
  assert.equal(new Cache().hitRate(), 0)
  const cache = new Cache().set('a', 1)
  for (const key of ['a', 'b', 'c', 'd', 'a']) cache.get(key)
  assert.equal(cache.hitRate(), 0.4)
})

test('an expired entry counts as a miss', () => {
  let now = 0
  const cache = new Cache({ maxAge: 1, clock: () => now }).set('a', 1)
  now = 5
  cache.get('a')
  assert.deepEqual([cache.hits, cache.misses], [0, 1])
  cache.peek('a')
  assert.deepEqual([cache.hits, cache.misses], [0, 1])
})

test('setting again makes an entry as new', () => {
  let now = 0
  const cache = new Cache({ maxAge: 10, clock: () => now }).set('a', 1)
  now = 9
  cache.set('a', 2)
  now = 15
  assert.equal(cache.get('a'), 2)
  now = 19
  assert.equal(cache.peek('a'), 2)
  now = 20
  assert.equal(cache.get('a'), undefined)
})

test('a use does not lengthen the life', () => {
  let now = 0
  const cache = new Cache({ maxAge: 10, clock: () => now }).set('a', 1)
  now = 9
  cache.get('a')
  now = 11
  assert.equal(cache.peek('a'), undefined)
})

test('pruning a young cache removes nothing', () => {
  const cache = new Cache({ capacity: 3 }).set('a', 1).set('b', 2)
  assert.equal(cache.prune(), 0)
  assert.equal(cache.size, 2)
})

test('it behaves as a list that is put in order by hand', () => {
  const cache = new Cache({ capacity: 4 })
  let model = []
  let state = 7
  for (let step = 0; step < 300; step += 1) {
    state = (state * 48271) % 2147483647
    const key = `k${state % 7}`
    if (state % 3 === 0) {
      const found = cache.get(key)
      const known = model.find(([name]) => name === key)
      assert.equal(found, known?.[1])
      if (known) model = [...model.filter(([name]) => name !== key), known]
    } else {
      cache.set(key, step)
      model = [...model.filter(([name]) => name !== key), [key, step]].slice(-4)
    }
    assert.deepEqual(cache.keys(), model.map(([name]) => name))
  }
})
