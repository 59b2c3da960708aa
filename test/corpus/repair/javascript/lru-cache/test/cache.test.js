import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cache } from '../src/cache.js'

test('what was set is found', () => {
  const cache = new Cache({ capacity: 2 })
  cache.set('a', 1)
  assert.equal(cache.get('a'), 1)
  assert.equal(cache.get('b'), undefined)
})

test('the oldest entry gives way', () => {
  const cache = new Cache({ capacity: 2 }).set('a', 1).set('b', 2).set('c', 3)
  assert.deepEqual(cache.keys(), ['b', 'c'])
})

test('a use makes an entry young again', () => {
  const cache = new Cache({ capacity: 2 }).set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['a', 'c'])
})

test('setting a known key pushes nothing out', () => {
  const cache = new Cache({ capacity: 2 }).set('a', 1).set('b', 2).set('a', 3)
  assert.equal(cache.size, 2)
  assert.deepEqual(cache.keys(), ['b', 'a'])
  cache.set('a', 4)
  assert.deepEqual(cache.keys(), ['b', 'a'])
})

test('peeking is no use', () => {
  const cache = new Cache({ capacity: 2 }).set('a', 1).set('b', 2)
  assert.equal(cache.peek('a'), 1)
  cache.set('c', 3)
  assert.equal(cache.peek('a'), undefined)
})

test('entries past their time are gone', () => {
  let now = 0
  const cache = new Cache({ maxAge: 10, clock: () => now }).set('a', 1)
  now = 10
  assert.equal(cache.get('a'), 1)
  now = 11
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.size, 0)
})

test('pruning counts what it removes', () => {
  let now = 0
  const cache = new Cache({ maxAge: 5, clock: () => now }).set('a', 1).set('b', 2)
  now = 4
  cache.set('c', 3)
  now = 8
  assert.equal(cache.prune(), 2)
  assert.deepEqual(cache.keys(), ['c'])
})

test('a missing value is made once', () => {
  const cache = new Cache()
  let made = 0
  const make = (key) => {
    made += 1
    return key.toUpperCase()
  }
  assert.equal(cache.getOrSet('x', make), 'X')
  assert.equal(cache.getOrSet('x', make), 'X')
  assert.equal(made, 1)
})

test('hits and misses make a rate', () => {
  const cache = new Cache().set('a', 1)
  cache.get('a')
  cache.get('a')
  cache.get('a')
  cache.get('z')
  assert.equal(cache.hitRate(), 0.75)
})
