import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, names } from '../src/evaluate.ts'

test('many formulas agree with the language', () => {
  const formulas = ['1+2-3*4/5', '7 % 4 * 2', '2*(3+4)*5-6', '1-(2-(3-4))', '100/10*2', '8-3+2', '2 * 3 % 4', '1.5 * 4 - 0.25', '((((7))))', '3 - -2']
  for (const formula of formulas) assert.equal(evaluate(formula), Function(`return ${formula}`)(), formula)
})

test('powers bind tighter than everything', () => {
  assert.equal(evaluate('2 * 3 ^ 2'), 18)
  assert.equal(evaluate('2 ^ 3 * 2'), 16)
  assert.equal(evaluate('(-2) ^ 2'), 4)
  assert.equal(evaluate('2 ^ -1'), 0.5)
  assert.equal(evaluate('-2 ^ 2 * 3'), -12)
})

test('signs in a row', () => {
  assert.equal(evaluate('--3'), 3)
  assert.equal(evaluate('1 - --3'), -2)
  assert.equal(evaluate('-(2 + 3) * 2'), -10)
})

test('spaces do not matter', () => {
  assert.equal(evaluate('  1+\t2  '), 3)
  assert.equal(evaluate('1\n+\n1'), 2)
})

test('names may hold digits and underscores', () => {
  assert.equal(evaluate('a1 + _b', { a1: 1, _b: 0 }), 1)
  assert.throws(() => evaluate('2a'), SyntaxError)
})

test('calls', () => {
  assert.equal(evaluate('abs(-7)'), 7)
  assert.equal(evaluate('round(2.5)'), 3)
  assert.equal(evaluate('round(1234.567, 2)'), 1234.57)
  assert.equal(evaluate('max(min(1, 2), min(3, 4)) ^ 2'), 9)
  assert.equal(evaluate('avg(2, 4) * 2'), 6)
  assert.throws(() => evaluate('nothing(1)'), /unknown function: nothing/)
})

test('other bad formulas', () => {
  for (const source of [')', '()', '1 + * 2', 'f(', 'f(1 2)', '1)', 'a b', '.5', '1..2', 'max(,1)']) assert.throws(() => evaluate(source, { a: 1, b: 1 }), SyntaxError, source)
})

test('errors tell the place', () => {
  assert.throws(() => evaluate('12 # 3'), /at 3/)
})

test('division', () => {
  assert.equal(evaluate('0 / 5'), 0)
  assert.equal(evaluate('7 / 2'), 3.5)
  assert.throws(() => evaluate('1 / 0'), /division by zero/)
})

test('names of all parts, sorted and once', () => {
  assert.deepEqual(names('z / (y + -x ^ w) - f(v, g(u), v)'), ['u', 'v', 'w', 'x', 'y', 'z'])
  assert.deepEqual(names('1 + 2'), [])
})
