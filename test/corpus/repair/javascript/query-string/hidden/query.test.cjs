const assert = require('node:assert/strict')
const { test } = require('node:test')
const { parse, stringify, withQuery } = require('../src/query.cjs')

test('nothing gives nothing', () => {
  assert.deepEqual(parse(''), {})
  assert.deepEqual(parse('?'), {})
  assert.deepEqual(parse('&&a=1&'), { a: '1' })
  assert.deepEqual(parse('e=m=c'), { e: 'm=c' })
  assert.equal(stringify({}), '')
})

test('bad escapes are left as they are', () => {
  assert.deepEqual(parse('a=%zz&b=100%'), { a: '%zz', b: '100%' })
})

test('names are decoded too', () => {
  assert.deepEqual(parse('first+name=x&a%5B%5D=1'), { 'first name': 'x', a: ['1'] })
})

test('no more parts than allowed', () => {
  assert.deepEqual(parse('a=1&b=2&c=3', { limit: 2 }), { a: '1', b: '2' })
})

test('prototypes cannot be reached', () => {
  parse('__proto__.polluted=1&constructor.prototype.polluted=1')
  assert.equal({}.polluted, undefined)
  assert.deepEqual(Object.keys(parse('a.__proto__=1')), ['a'])
})

test('the last of two equal names wins', () => {
  assert.deepEqual(parse('a=1&a=2'), { a: '2' })
  assert.deepEqual(parse('a=1&a.b=2'), { a: { b: '2' } })
})

test('special characters are escaped', () => {
  assert.equal(stringify({ 'a b': 'c&d=e' }), 'a+b=c%26d%3De')
  assert.equal(stringify({ a: '+' }), 'a=%2B')
  assert.equal(stringify({ a: 0, b: false, c: '' }), 'a=0&b=false&c=')
})

test('deep names are joined by dots', () => {
  assert.equal(stringify({ a: { b: { c: 1, d: [2] } } }), 'a.b.c=1&a.b.d%5B%5D=2')
})

test('sorting puts every name in its place', () => {
  assert.equal(stringify({ d: 1, b: 2, a: 3, c: 4 }, { sort: true }), 'a=3&b=2&c=4&d=1')
  assert.equal(stringify({ b: 1, a: 2 }), 'b=1&a=2')
})

test('addresses with and without parts', () => {
  assert.equal(withQuery('/x', { a: 1 }), '/x?a=1')
  assert.equal(withQuery('/x#f', { a: 1 }), '/x?a=1#f')
  assert.equal(withQuery('/x?k', {}), '/x?k')
  assert.equal(withQuery('/x?a=1&b=2', { a: 5, b: null }), '/x?a=5')
  assert.equal(withQuery('/x#', {}), '/x#')
})

test('what is written is read again', () => {
  for (const value of [{ a: 'x y', b: ['1', '&'], c: { d: '=' } }, { e: '100%', f: true }, { g: { h: { i: 'ü+' } } }]) {
    assert.deepEqual(parse(stringify(value)), value)
  }
})
