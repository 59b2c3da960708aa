import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highest, satisfies } from '../src/range.ts'
import { compare, format, parseVersion } from '../src/version.ts'

const order = (a: string, b: string): number => Math.sign(compare(parseVersion(a), parseVersion(b)))

test('versions are read and written', () => {
  assert.deepEqual(parseVersion('v1.2.3-beta.4'), { major: 1, minor: 2, patch: 3, pre: ['beta', '4'] })
  assert.equal(format(parseVersion('1.2.3-rc.1')), '1.2.3-rc.1')
  assert.throws(() => parseVersion('1.2'))
})

test('numbers are compared from left to right', () => {
  assert.equal(order('1.2.3', '1.10.0'), -1)
  assert.equal(order('2.0.0', '1.9.9'), 1)
  assert.equal(order('1.0.0', '1.0.0'), 0)
})

test('a pre-release comes before its release', () => {
  assert.equal(order('1.0.0-rc.1', '1.0.0'), -1)
  assert.equal(order('1.0.0-rc.2', '1.0.0-rc.10'), -1)
})

test('comparators must all hold', () => {
  assert.equal(satisfies('1.5.0', '>=1.0.0 <2.0.0'), true)
  assert.equal(satisfies('2.0.0', '>=1.0.0 <2.0.0'), false)
})

test('a caret keeps the leftmost number', () => {
  assert.equal(satisfies('1.9.0', '^1.2.3'), true)
  assert.equal(satisfies('2.0.0', '^1.2.3'), false)
  assert.equal(satisfies('0.3.0', '^0.2.3'), false)
})

test('a tilde keeps the minor', () => {
  assert.equal(satisfies('1.2.9', '~1.2.3'), true)
  assert.equal(satisfies('1.3.0', '~1.2.3'), false)
})

test('parts of a version stand for all of them', () => {
  assert.equal(satisfies('1.7.2', '1.x'), true)
  assert.equal(satisfies('1.3.0', '1.2'), false)
  assert.equal(satisfies('9.9.9', '*'), true)
})

test('one of several ranges is enough', () => {
  assert.equal(satisfies('3.1.4', '^1.0.0 || 3.1.4'), true)
  assert.equal(satisfies('2.0.0', '^1.0.0 || 3.1.4'), false)
})

test('the highest that fits is chosen', () => {
  assert.equal(highest(['1.2.0', '1.10.0', '2.0.0', '1.9.0'], '^1.0.0'), '1.10.0')
  assert.equal(highest(['2.0.0'], '^1.0.0'), undefined)
})
