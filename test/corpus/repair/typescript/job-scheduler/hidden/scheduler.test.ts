import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heap } from '../src/heap.ts'
import { Scheduler } from '../src/scheduler.ts'

test('heaps sort anything', () => {
  let state = 17
  for (let round = 0; round < 40; round += 1) {
    const numbers = Array.from({ length: round }, () => {
      state = (state * 48271) % 2147483647
      return state % 25
    })
    const heap = new Heap<number>((a, b) => a > b)
    for (const number of numbers) heap.push(number)
    assert.equal(heap.size, round)
    assert.deepEqual(numbers.map(() => heap.pop()), numbers.toSorted((a, b) => b - a))
    assert.equal(heap.size, 0)
  }
})

test('pushing and popping in turns', () => {
  const heap = new Heap<number>((a, b) => a < b)
  const model: number[] = []
  let state = 3
  for (let step = 0; step < 300; step += 1) {
    state = (state * 48271) % 2147483647
    if (state % 3 === 0) {
      model.sort((a, b) => a - b)
      assert.equal(heap.pop(), model.shift())
    } else {
      heap.push(state % 100)
      model.push(state % 100)
    }
    assert.equal(heap.peek(), model.length > 0 ? Math.min(...model) : undefined)
  }
})

test('peeking takes nothing', () => {
  const heap = new Heap<string>((a, b) => a < b)
  heap.push('b')
  heap.push('a')
  assert.deepEqual([heap.peek(), heap.peek(), heap.size], ['a', 'a', 2])
})

test('a job runs once', () => {
  const scheduler = new Scheduler()
  scheduler.add('a', 0)
  assert.equal(scheduler.advance(0).length, 1)
  assert.equal(scheduler.advance(100).length, 0)
  assert.equal(scheduler.next(), undefined)
})

test('several repeating jobs keep their order', () => {
  const scheduler = new Scheduler()
  scheduler.add('two', 2, { every: 2 })
  scheduler.add('three', 3, { every: 3, priority: 1 })
  assert.deepEqual(scheduler.advance(6).map(({ name, at }) => `${name}@${at}`), ['two@2', 'three@3', 'two@4', 'three@6', 'two@6'])
})

test('the clock stands where it was moved to', () => {
  const scheduler = new Scheduler()
  scheduler.add('a', 4)
  scheduler.advance(7)
  assert.equal(scheduler.now, 7)
  scheduler.advance(5)
  assert.equal(scheduler.now, 7)
  assert.throws(() => scheduler.add('b', 6), /b would be due in the past/)
})

test('a repeating job can be cancelled later', () => {
  const scheduler = new Scheduler()
  const id = scheduler.add('a', 1, { every: 1 })
  assert.equal(scheduler.advance(3).length, 3)
  scheduler.cancel(id)
  assert.deepEqual(scheduler.advance(9), [])
  assert.equal(scheduler.next(), undefined)
})

test('unknown jobs cannot be cancelled', () => {
  const scheduler = new Scheduler()
  assert.equal(scheduler.cancel(0), false)
  scheduler.add('a', 1)
  assert.equal(scheduler.cancel(1), false)
  assert.equal(scheduler.cancel(0), true)
})

test('equal jobs in the order they came', () => {
  const scheduler = new Scheduler()
  for (const name of 'abcdefgh') scheduler.add(name, 5)
  assert.equal(scheduler.advance(5).map(({ name }) => name).join(''), 'abcdefgh')
})
