import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes, fromEnvironment, merge, originOf, resolve } from '../src/layers.ts'
import { flatten, getPath, isTree, setPath, unsetPath } from '../src/paths.ts'

const server = { http: { port: 80, hosts: ['a'], tls: { on: true, cert: '' } }, name: 'x', empty: {} }

test('what is a tree', () => {
  assert.deepEqual([{ a: 1 }, [1], null, undefined, 0].map(isTree), [true, false, false, false, false])
})

test('reading', () => {
  assert.equal(getPath(server, 'http.tls.cert'), '')
  assert.deepEqual(getPath(server, 'http.hosts'), ['a'])
  assert.equal(getPath(server, 'http.hosts.0'), undefined)
  assert.equal(getPath(server, 'name.length'), undefined)
  assert.equal(getPath(server, 'http.toString'), undefined)
  assert.equal(getPath({ a: null }, 'a.b'), undefined)
})

test('writing reaches the value and nothing else', () => {
  for (const [path] of flatten(server)) {
    const changed = setPath(server, path, 'new')
    assert.equal(getPath(changed, path), 'new')
    assert.deepEqual(changes(server, changed).map((change) => change.path), [path])
  }
})

test('writing over lists and texts', () => {
  assert.deepEqual(setPath({ a: [1] }, 'a.b.c', 0), { a: { b: { c: 0 } } })
  assert.deepEqual(setPath({ a: 'x', b: 1 }, 'a.y', 0), { a: { y: 0 }, b: 1 })
})

test('writing leaves the old tree', () => {
  const before = structuredClone(server)
  setPath(server, 'http.tls.on', false)
  unsetPath(server, 'http.tls.on')
  merge(server, { http: { tls: { on: null } } })
  assert.deepEqual(server, before)
})

test('taking out', () => {
  assert.deepEqual(unsetPath({ a: { b: { c: 1 }, d: 2 } }, 'a.b.c'), { a: { d: 2 } })
  assert.deepEqual(unsetPath({ a: { b: { c: 1, e: 2 } } }, 'a.b'), {})
  assert.deepEqual(unsetPath({ a: [1] }, 'a.0'), { a: [1] })
  assert.deepEqual(unsetPath({ a: { b: 1 } }, 'a.x'), { a: { b: 1 } })
})

test('flat settings', () => {
  assert.deepEqual([...flatten(server).keys()], ['http.port', 'http.hosts', 'http.tls.on', 'http.tls.cert', 'name', 'empty'])
  assert.deepEqual([...flatten({})], [])
})

test('merging deep trees', () => {
  assert.deepEqual(merge(server, { http: { tls: { cert: 'c' }, hosts: [] }, name: 'y' }), {
    http: { port: 80, hosts: [], tls: { on: true, cert: 'c' } }, name: 'y', empty: {},
  })
  assert.deepEqual(merge({ a: [1, 2] }, { a: { b: 1 } }), { a: { b: 1 } })
})

test('taking away deep values', () => {
  assert.deepEqual(merge({ a: { b: 1, c: 2 } }, { a: { b: null } }), { a: { c: 2 } })
  assert.deepEqual(merge({ a: 1 }, { a: { b: null } }), { a: {} })
  assert.deepEqual(merge({ a: 1 }, { b: null }), { a: 1 })
})

test('values that count as false still win', () => {
  const layers = [{ name: 'low', values: { a: 1, b: 'x', c: true } }, { name: 'high', values: { a: 0, b: '', c: false } }]
  assert.deepEqual(resolve(layers), { a: 0, b: '', c: false })
})

test('three layers', () => {
  const layers = [
    { name: 'low', values: { a: { x: 1, y: 1 }, b: 1 } },
    { name: 'mid', values: { a: { x: 2 }, b: null } },
    { name: 'high', values: { a: { z: 0 } } },
  ]
  assert.deepEqual(resolve(layers), { a: { x: 2, y: 1, z: 0 } })
  assert.deepEqual(['a.x', 'a.y', 'a.z', 'b', 'a.q'].map((path) => originOf(layers, path)), ['mid', 'low', 'high', undefined, undefined])
})

test('a value that comes back', () => {
  const layers = [{ name: 'one', values: { a: 1 } }, { name: 'two', values: { a: null } }, { name: 'three', values: { a: 3 } }]
  assert.equal(originOf(layers, 'a'), 'three')
})

test('changes', () => {
  assert.deepEqual(changes(server, structuredClone(server)), [])
  assert.deepEqual(changes({}, { b: { c: 1 }, a: 1 }).map(({ path }) => path), ['a', 'b.c'])
  assert.deepEqual(changes({ a: 1 }, { a: '1' }), [{ path: 'a', before: 1, after: '1' }])
  assert.deepEqual(changes({ a: { b: 1 } }, { a: {} }), [{ path: 'a', after: {} }, { path: 'a.b', before: 1 }])
})

test('names of the environment', () => {
  const values = fromEnvironment({ X_A__B__C: '1', X_A__B__D: '2', Y_A: '3', X_LONG_NAME: 'n' }, 'X_')
  assert.deepEqual(values, { a: { b: { c: 1, d: 2 } }, long_name: 'n' })
  assert.deepEqual(fromEnvironment({}, 'X_'), {})
})

test('values of the environment', () => {
  assert.deepEqual(fromEnvironment({ V_A: '-3', V_B: 'TRUE', V_C: ' ', V_D: '0', V_E: 'Infinity', V_F: 'true' }, 'V_'), {
    a: -3, b: 'TRUE', c: ' ', d: 0, e: 'Infinity', f: true,
  })
})
