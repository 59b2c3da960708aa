import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flatten, getPath, isTree, setPath, unsetPath } from '../src/paths.ts'

const settings = { editor: { tabs: { width: 4 }, theme: 'dark' }, files: ['a', 'b'], debug: false }

test('trees are plain objects', () => {
  assert.equal(isTree({}), true)
  assert.equal(isTree([]), false)
  assert.equal(isTree(null), false)
  assert.equal(isTree('text'), false)
})

test('values are found by path', () => {
  assert.equal(getPath(settings, 'editor.tabs.width'), 4)
  assert.equal(getPath(settings, 'debug'), false)
  assert.deepEqual(getPath(settings, 'editor.tabs'), { width: 4 })
})

test('what is not there is undefined', () => {
  assert.equal(getPath(settings, 'editor.font.size'), undefined)
  assert.equal(getPath(settings, 'debug.level'), undefined)
  assert.equal(getPath(settings, 'files.length'), undefined)
  assert.equal(getPath(settings, 'constructor'), undefined)
})

test('values are set in a copy', () => {
  const changed = setPath(settings, 'editor.tabs.width', 2)
  assert.equal(getPath(changed, 'editor.tabs.width'), 2)
  assert.equal(getPath(changed, 'editor.theme'), 'dark')
  assert.equal(settings.editor.tabs.width, 4)
})

test('the way to a new value is made', () => {
  assert.deepEqual(setPath({}, 'a.b.c', 1), { a: { b: { c: 1 } } })
  assert.deepEqual(setPath({ a: 5 }, 'a.b', 1), { a: { b: 1 } })
})

test('values are taken out in a copy', () => {
  assert.deepEqual(unsetPath({ a: { b: 1, c: 2 }, d: 3 }, 'a.b'), { a: { c: 2 }, d: 3 })
  assert.deepEqual(unsetPath({ a: 1, d: 3 }, 'a'), { d: 3 })
})

test('empty trees go with their last value', () => {
  assert.deepEqual(unsetPath({ a: { b: { c: 1 } }, d: 3 }, 'a.b.c'), { d: 3 })
})

test('taking out what is not there changes nothing', () => {
  assert.deepEqual(unsetPath(settings, 'editor.font.size'), settings)
  assert.deepEqual(unsetPath(settings, 'debug.level'), settings)
})

test('trees are flattened', () => {
  assert.deepEqual([...flatten(settings)], [['editor.tabs.width', 4], ['editor.theme', 'dark'], ['files', ['a', 'b']], ['debug', false]])
  assert.deepEqual([...flatten({ a: {} })], [['a', {}]])
})
