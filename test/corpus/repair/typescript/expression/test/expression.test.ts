import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, names } from '../src/evaluate.ts'

test('products come before sums', () => {
  assert.equal(evaluate('1 + 2 * 3'), 7)
  assert.equal(evaluate('(1 + 2) * 3'), 9)
})

test('equal signs go from left to right', () => {
  assert.equal(evaluate('10 - 4 - 3'), 3)
  assert.equal(evaluate('24 / 4 / 2'), 3)
})

test('powers go from right to left', () => {
  assert.equal(evaluate('2 ^ 3 ^ 2'), 512)
})

test('a minus in front', () => {
  assert.equal(evaluate('-3 + 5'), 2)
  assert.equal(evaluate('2 * -4'), -8)
  assert.equal(evaluate('-2 ^ 2'), -4)
})

test('names have values', () => {
  assert.equal(evaluate('price * (1 + tax)', { price: 50, tax: 0.2 }), 60)
  assert.throws(() => evaluate('x + 1'), /unknown name: x/)
})

test('functions take lists', () => {
  assert.equal(evaluate('max(1, 5, 3) - min(4, 2)'), 3)
  assert.equal(evaluate('round(2.345, 1)'), 2.3)
  assert.equal(evaluate('avg(1, 2, 6)'), 3)
})

test('division by zero is an error', () => {
  assert.throws(() => evaluate('1 / (2 - 2)'), RangeError)
})

test('bad formulas are errors', () => {
  for (const source of ['', '1 +', '(1', '1 2', '1 $ 2', 'max(1,']) assert.throws(() => evaluate(source), SyntaxError, source)
})

test('the names of a formula', () => {
  assert.deepEqual(names('b * max(a, -c) + b'), ['a', 'b', 'c'])
})
