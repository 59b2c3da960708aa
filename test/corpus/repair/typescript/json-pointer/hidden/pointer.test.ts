import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPointer, get, leaves, parsePointer, remove, set, type Json } from '../src/pointer.ts'

const document: Json = { a: { b: [10, [20, 30], { c: null }], '': 'empty' }, '~1': 1, '/': [false], z: 0 }

test('every leaf can be reached', () => {
  const found = leaves(document)
  assert.equal(found.length, 8)
  for (const pointer of found) assert.notEqual(get(document, pointer), undefined, pointer)
})

test('pointers survive being written', () => {
  for (const parts of [[], [''], ['~', '/', '~1', '~0'], ['a b', '0', '01'], ['~01', '//']]) {
    assert.deepEqual(parsePointer(formatPointer(parts)), parts)
  }
})

test('what is set is found again, and nothing else changes', () => {
  const before = JSON.stringify(document)
  for (const pointer of leaves(document)) {
    const changed = set(document, pointer, 'new')
    assert.equal(get(changed, pointer), 'new')
    for (const other of leaves(document)) if (other !== pointer) assert.deepEqual(get(changed, other), get(document, other))
  }
  assert.equal(JSON.stringify(document), before)
})

test('what is removed is gone', () => {
  const before = JSON.stringify(document)
  for (const pointer of leaves(document)) {
    const changed = remove(document, pointer)
    assert.ok(JSON.stringify(changed).length < before.length)
  }
  assert.equal(JSON.stringify(document), before)
})

test('removing in lists moves the rest', () => {
  assert.deepEqual(remove([1, 2, 3], '/0'), [2, 3])
  assert.deepEqual(remove([[1], [2, 3]], '/1/0'), [[1], [3]])
  assert.deepEqual(remove([{ a: 1, b: 2 }], '/0/a'), [{ b: 2 }])
  assert.deepEqual(remove([1, 2], '/2'), [1, 2])
})

test('indices are plain numbers', () => {
  for (const part of ['01', '-1', '1.5', '', 'a']) assert.throws(() => get([1, 2], `/${part}`), RangeError)
  assert.equal(get([1, 2], '/-'), undefined)
  assert.equal(get({ '01': 5 }, '/01'), 5)
})

test('lists grow at their end alone', () => {
  assert.deepEqual(set([1, 2], '/2', 3), [1, 2, 3])
  assert.deepEqual(set([1, 2], '/1', 3), [1, 3])
  assert.throws(() => set([1, 2], '/3', 3), /no place 3/)
})

test('setting replaces what cannot hold anything', () => {
  assert.deepEqual(set('text', '/a', 1), { a: 1 })
  assert.deepEqual(set(null, '/a/b', 1), { a: { b: 1 } })
  assert.equal(set({ a: 1 }, '', 5), 5)
  assert.deepEqual(set({ a: [null] }, '/a/0/x', 1), { a: [{ x: 1 }] })
})

test('values that are false are there', () => {
  assert.equal(get(document, '/z'), 0)
  assert.equal(get(document, '/a/b/2/c'), null)
  assert.equal(get(document, '/~1/0'), false)
  assert.equal(get(document, '/a/'), 'empty')
  assert.deepEqual(remove({ z: 0, y: 1 }, '/z'), { y: 1 })
})

test('a single value is its own leaf', () => {
  assert.deepEqual(leaves(5), [''])
  assert.deepEqual(leaves([[]]), ['/0'])
})
