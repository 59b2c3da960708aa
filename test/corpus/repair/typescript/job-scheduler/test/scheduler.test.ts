import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heap } from '../src/heap.ts'
import { Scheduler } from '../src/scheduler.ts'

const drained = (numbers: number[]): number[] => {
  const heap = new Heap<number>((a, b) => a < b)
  for (const number of numbers) heap.push(number)
  return numbers.map(() => heap.pop()!)
}

test('a heap gives the smallest first', () => {
  assert.deepEqual(drained([5, 3, 8, 1, 9, 2]), [1, 2, 3, 5, 8, 9])
  assert.deepEqual(drained([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a heap can be empty', () => {
  const heap = new Heap<number>((a, b) => a < b)
  assert.equal(heap.pop(), undefined)
  heap.push(4)
  assert.equal(heap.peek(), 4)
  assert.equal(heap.size, 1)
})

test('jobs come when they are due', () => {
  const scheduler = new Scheduler()
  scheduler.add('late', 20)
  scheduler.add('soon', 5)
  assert.deepEqual(scheduler.advance(10), [{ name: 'soon', at: 5 }])
  assert.deepEqual(scheduler.advance(20), [{ name: 'late', at: 20 }])
})

test('at the same time priority decides, then the order', () => {
  const scheduler = new Scheduler()
  scheduler.add('a', 1)
  scheduler.add('b', 1, { priority: 5 })
  scheduler.add('c', 1)
  assert.deepEqual(scheduler.advance(1).map(({ name }) => name), ['b', 'a', 'c'])
})

test('jobs repeat', () => {
  const scheduler = new Scheduler()
  scheduler.add('tick', 2, { every: 3 })
  assert.deepEqual(scheduler.advance(9).map(({ at }) => at), [2, 5, 8])
  assert.equal(scheduler.next(), 11)
})

test('cancelled jobs do not run', () => {
  const scheduler = new Scheduler()
  const id = scheduler.add('a', 1, { every: 1 })
  scheduler.add('b', 3)
  assert.equal(scheduler.cancel(id), true)
  assert.equal(scheduler.cancel(id), false)
  assert.equal(scheduler.next(), 3)
  assert.deepEqual(scheduler.advance(5).map(({ name }) => name), ['b'])
})

test('the past is refused', () => {
  const scheduler = new Scheduler()
  scheduler.advance(10)
  assert.equal(scheduler.now, 10)
  assert.throws(() => scheduler.add('x', 9), RangeError)
  scheduler.add('y', 10)
  assert.equal(scheduler.next(), 10)
})
