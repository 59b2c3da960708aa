import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes, fromEnvironment, merge, originOf, resolve } from '../src/layers.ts'

const layers = [
  { name: 'defaults', values: { editor: { width: 80, theme: 'light' }, plugins: ['a'], proxy: 'none' } },
  { name: 'user', values: { editor: { theme: 'dark' }, proxy: null } },
  { name: 'project', values: { editor: { width: 100 }, plugins: ['b', 'c'] } },
]

test('later layers win, value by value', () => {
  assert.deepEqual(resolve(layers), { editor: { width: 100, theme: 'dark' }, plugins: ['b', 'c'] })
  assert.deepEqual(resolve([]), {})
})

test('null takes a value away', () => {
  assert.deepEqual(merge({ a: 1, b: 2 }, { a: null }), { b: 2 })
  assert.deepEqual(merge({}, { a: { b: null, c: 1 } }), { a: { c: 1 } })
})

test('a tree takes the place of a value and the other way round', () => {
  assert.deepEqual(merge({ a: 1 }, { a: { b: 2 } }), { a: { b: 2 } })
  assert.deepEqual(merge({ a: { b: 2 } }, { a: 1 }), { a: 1 })
})

test('merging changes neither side', () => {
  const base = { a: { b: 1 } }
  const over = { a: { c: 2 } }
  merge(base, over)
  assert.deepEqual([base, over], [{ a: { b: 1 } }, { a: { c: 2 } }])
})

test('a value knows its layer', () => {
  assert.equal(originOf(layers, 'editor.width'), 'project')
  assert.equal(originOf(layers, 'editor.theme'), 'user')
  assert.equal(originOf(layers, 'missing'), undefined)
})

test('what was taken away has no layer', () => {
  assert.equal(originOf(layers, 'proxy'), undefined)
})

test('changes are told by path', () => {
  assert.deepEqual(changes({ a: { x: 1, y: 2 }, b: 1 }, { a: { x: 1, y: 3 }, c: 0 }), [
    { path: 'a.y', before: 2, after: 3 },
    { path: 'b', before: 1 },
    { path: 'c', after: 0 },
  ])
})

test('equal lists are no change', () => {
  assert.deepEqual(changes({ list: [1, 2] }, { list: [1, 2] }), [])
  assert.deepEqual(changes({ list: [1, 2] }, { list: [2, 1] }), [{ path: 'list', before: [1, 2], after: [2, 1] }])
})

test('the environment is a layer', () => {
  const environment = { APP_EDITOR__WIDTH: '120', APP_EDITOR__TAB_STOP: 'wide', APP_DEBUG: 'true', HOME: '/root' }
  assert.deepEqual(fromEnvironment(environment, 'APP_'), { editor: { width: 120, tab_stop: 'wide' }, debug: true })
})

test('texts of the environment are read as what they look like', () => {
  const environment = { P_A: 'false', P_B: '', P_C: '1.5', P_D: '5 apples' }
  assert.deepEqual(fromEnvironment(environment, 'P_'), { a: false, b: '', c: 1.5, d: '5 apples' })
})
