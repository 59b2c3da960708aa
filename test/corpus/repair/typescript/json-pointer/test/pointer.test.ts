import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPointer, get, leaves, parsePointer, remove, set } from '../src/pointer.ts'

const data = { name: 'x', items: [{ id: 1 }, { id: 2 }], 'a/b': { 'm~n': true } }

test('pointers are split at slashes', () => {
  assert.deepEqual(parsePointer('/items/0/id'), ['items', '0', 'id'])
  assert.deepEqual(parsePointer(''), [])
  assert.throws(() => parsePointer('items'), SyntaxError)
})

test('slashes and tildes are escaped', () => {
  assert.deepEqual(parsePointer('/a~1b/m~0n'), ['a/b', 'm~n'])
  assert.equal(formatPointer(['a/b', 'm~n', 0]), '/a~1b/m~0n/0')
})

test('values are found', () => {
  assert.equal(get(data, '/items/1/id'), 2)
  assert.equal(get(data, '/a~1b/m~0n'), true)
  assert.deepEqual(get(data, ''), data)
})

test('what is not there is undefined', () => {
  assert.equal(get(data, '/items/7/id'), undefined)
  assert.equal(get(data, '/name/length'), undefined)
  assert.throws(() => get(data, '/items/x'), RangeError)
})

test('setting makes a copy', () => {
  const changed = set(data, '/items/0/id', 9)
  assert.equal(get(changed, '/items/0/id'), 9)
  assert.equal(data.items[0]!.id, 1)
})

test('setting makes what is missing and adds to lists', () => {
  assert.deepEqual(set({}, '/a/b', 1), { a: { b: 1 } })
  assert.deepEqual(set([1], '/-', 2), [1, 2])
  assert.throws(() => set([1], '/5', 2), RangeError)
})

test('removing from lists and objects', () => {
  assert.deepEqual(remove({ a: [1, 2, 3], b: 0 }, '/a/1'), { a: [1, 3], b: 0 })
  assert.deepEqual(remove({ a: { b: 1, c: 2 } }, '/a/b'), { a: { c: 2 } })
  assert.throws(() => remove(data, ''))
})

test('removing what is not there changes nothing', () => {
  assert.equal(remove(data, '/nothing/here'), data)
})

test('leaves are listed', () => {
  assert.deepEqual(leaves(data), ['/name', '/items/0/id', '/items/1/id', '/a~1b/m~0n'])
  assert.deepEqual(leaves({ a: [], b: {} }), ['/a', '/b'])
})
