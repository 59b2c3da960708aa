import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, create, determinant, identity, multiply, power, rotate, shape, spiral, transpose } from '../src/matrix.ts'

test('matrices are made', () => {
  assert.deepEqual(create(2, 3), [[0, 0, 0], [0, 0, 0]])
  assert.deepEqual(identity(2), [[1, 0], [0, 1]])
})

test('the shape is rows by columns', () => {
  assert.deepEqual(shape([[1, 2, 3], [4, 5, 6]]), [2, 3])
  assert.throws(() => shape([[1], [1, 2]]))
})

test('rows become columns', () => {
  assert.deepEqual(transpose([[1, 2, 3], [4, 5, 6]]), [[1, 4], [2, 5], [3, 6]])
})

test('sums', () => {
  assert.deepEqual(add([[1, 2]], [[10, 20]]), [[11, 22]])
  assert.throws(() => add([[1, 2]], [[1, 2], [3, 4]]), /shapes differ/)
})

test('products', () => {
  assert.deepEqual(multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]), [[19, 22], [43, 50]])
  assert.deepEqual(multiply([[1, 2, 3]], [[1], [2], [3]]), [[14]])
})

test('determinants', () => {
  assert.equal(determinant([[1, 2], [3, 4]]), -2)
  assert.equal(determinant([[2, 0, 1], [1, 3, 2], [1, 1, 1]]), 0)
  assert.equal(determinant([[1, 2, 3], [4, 5, 6], [7, 8, 10]]), -3)
})

test('powers', () => {
  assert.deepEqual(power([[1, 1], [1, 0]], 10), [[89, 55], [55, 34]])
})

test('a quarter turn', () => {
  assert.deepEqual(rotate([[1, 2], [3, 4]]), [[3, 1], [4, 2]])
})

test('a spiral goes round inward', () => {
  assert.deepEqual(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]), [1, 2, 3, 6, 9, 8, 7, 4, 5])
  assert.deepEqual(spiral([[1, 2, 3]]), [1, 2, 3])
})
