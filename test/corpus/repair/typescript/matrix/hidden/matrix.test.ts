import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, create, determinant, identity, multiply, power, rotate, shape, spiral, transpose, type Matrix } from '../src/matrix.ts'

function sample(seed: number, rows: number, columns: number): Matrix {
  let state = seed + 1
  return create(rows, columns, () => {
    state = (state * 48271) % 2147483647
    return (state % 11) - 5
  })
}

test('transposing twice changes nothing', () => {
  for (let seed = 1; seed < 10; seed += 1) {
    const m = sample(seed, 1 + (seed % 4), 1 + (seed % 3))
    assert.deepEqual(transpose(transpose(m)), m)
    assert.deepEqual(shape(transpose(m)), shape(m).reverse())
  }
})

test('the product of transposed matrices', () => {
  for (let seed = 1; seed < 10; seed += 1) {
    const [a, b] = [sample(seed, 2, 3), sample(seed + 50, 3, 4)]
    assert.deepEqual(transpose(multiply(a, b)), multiply(transpose(b), transpose(a)))
    assert.deepEqual(shape(multiply(a, b)), [2, 4])
  }
})

test('determinants multiply', () => {
  for (let seed = 1; seed < 10; seed += 1) {
    const [a, b] = [sample(seed, 3, 3), sample(seed + 70, 3, 3)]
    assert.equal(Math.abs(determinant(multiply(a, b)) - determinant(a) * determinant(b)), 0)
  }
})

test('determinants of special matrices', () => {
  assert.equal(determinant([]), 1)
  assert.equal(determinant([[7]]), 7)
  assert.equal(determinant(identity(4)), 1)
  assert.throws(() => determinant([[1, 2]]))
})

test('adding keeps both', () => {
  const [a, b] = [sample(3, 2, 2), sample(4, 2, 2)]
  const sum = add(a, b)
  assert.deepEqual(add(sum, create(2, 2)), sum)
  assert.equal(sum[1]![0], a[1]![0]! + b[1]![0]!)
  assert.throws(() => add([[1], [2]], [[1]]), /shapes differ/)
  assert.throws(() => add([[1]], [[1, 2]]), /shapes differ/)
})

test('shapes that do not fit are named', () => {
  assert.throws(() => multiply([[1, 2]], [[1, 2]]), /1x2 by 1x2/)
})

test('powers agree with multiplying', () => {
  const m = sample(9, 2, 2)
  let expected = identity(2)
  for (let exponent = 0; exponent < 8; exponent += 1) {
    assert.deepEqual(power(m, exponent), expected)
    expected = multiply(expected, m)
  }
})

test('four turns come back', () => {
  const m = sample(5, 2, 3)
  assert.deepEqual(rotate(rotate(rotate(rotate(m)))), m)
  assert.deepEqual(rotate([[1, 2, 3]]), [[1], [2], [3]])
  assert.deepEqual(rotate([[1], [2]]), [[2, 1]])
})

test('spirals of all shapes', () => {
  assert.deepEqual(spiral([]), [])
  assert.deepEqual(spiral([[1], [2], [3]]), [1, 2, 3])
  assert.deepEqual(spiral([[1, 2], [3, 4], [5, 6]]), [1, 2, 4, 6, 5, 3])
  assert.deepEqual(spiral([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]), [1, 2, 3, 4, 8, 12, 11, 10, 9, 5, 6, 7])
})

test('rows are not shared', () => {
  const m = create(2, 2)
  m[0]![0] = 1
  assert.equal(m[1]![0], 0)
})
