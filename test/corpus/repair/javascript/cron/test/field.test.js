import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELDS, parseField } from '../src/field.js'

const [minute, hour, day, month, weekday] = FIELDS
const read = (text, field) => [...parseField(text, field)].sort((a, b) => a - b)

test('a star is every value', () => {
  assert.equal(read('*', minute).length, 60)
  assert.deepEqual(read('*', weekday), [0, 1, 2, 3, 4, 5, 6])
  assert.equal(read('*', day)[0], 1)
})

test('single values and lists', () => {
  assert.deepEqual(read('5', minute), [5])
  assert.deepEqual(read('1,15,31', day), [1, 15, 31])
})

test('ranges include both ends', () => {
  assert.deepEqual(read('9-12', hour), [9, 10, 11, 12])
  assert.deepEqual(read('3-3', hour), [3])
})

test('steps', () => {
  assert.deepEqual(read('*/15', minute), [0, 15, 30, 45])
  assert.deepEqual(read('1-10/4', day), [1, 5, 9])
  assert.deepEqual(read('20/2', hour), [20, 22])
})

test('names of months and days', () => {
  assert.deepEqual(read('jan,DEC', month), [1, 12])
  assert.deepEqual(read('Mon-Fri', weekday), [1, 2, 3, 4, 5])
})

test('seven is Sunday too', () => {
  assert.deepEqual(read('7', weekday), [0])
})

test('values out of range are refused', () => {
  assert.throws(() => read('60', minute), RangeError)
  assert.throws(() => read('0', day), /bad day: 0/)
  assert.throws(() => read('8', weekday), RangeError)
  assert.throws(() => read('1.5', hour), RangeError)
})

test('nonsense is refused', () => {
  assert.throws(() => read('', minute), RangeError)
  assert.throws(() => read('x', minute), RangeError)
  assert.throws(() => read('5-2', minute), /bad range in minute/)
  assert.throws(() => read('*/0', minute), /bad step in minute/)
})
