const assert = require('node:assert/strict')
const { test } = require('node:test')
const { parse, stringify, withQuery } = require('../src/query.cjs')

test('names and values are split at the first equals sign', () => {
  assert.deepEqual(parse('a=1&b=x=y'), { a: '1', b: 'x=y' })
})

test('a leading question mark is ignored', () => {
  assert.deepEqual(parse('?a=1'), { a: '1' })
})

test('a name without a value is true', () => {
  assert.deepEqual(parse('debug&a='), { debug: true, a: '' })
})

test('plus and percent are decoded', () => {
  assert.deepEqual(parse('q=a+b%26c'), { q: 'a b&c' })
})

test('lists are gathered', () => {
  assert.deepEqual(parse('x[]=1&x[]=2&y[]=3'), { x: ['1', '2'], y: ['3'] })
})

test('dots go inward', () => {
  assert.deepEqual(parse('a.b.c=1&a.d=2'), { a: { b: { c: '1' }, d: '2' } })
})

test('values are written', () => {
  assert.equal(stringify({ a: 1, list: ['x', 'y z'], deep: { er: 'v' }, none: null, flag: true }), 'a=1&list%5B%5D=x&list%5B%5D=y+z&deep.er=v&flag')
})

test('names can be sorted', () => {
  assert.equal(stringify({ b: 1, c: 2, a: 3 }, { sort: true }), 'a=3&b=1&c=2')
})

test('an address gets another query', () => {
  assert.equal(withQuery('/p?a=1&b=2#top', { b: 3, c: 4 }), '/p?a=1&b=3&c=4#top')
  assert.equal(withQuery('/p?a=1', { a: null }), '/p')
})
