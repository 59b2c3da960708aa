import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from '../src/template.js'

test('plain text stays as it is', () => {
  assert.equal(compile('nothing here')({}), 'nothing here')
})

test('names are replaced by values', () => {
  assert.equal(compile('Hi {{ name }}, {{age}}!')({ name: 'Ann', age: 7 }), 'Hi Ann, 7!')
})

test('paths go into objects, missing ones are empty', () => {
  assert.equal(compile('{{a.b}}|{{a.x.y}}|{{z}}')({ a: { b: 1 } }), '1||')
})

test('filters follow each other', () => {
  assert.equal(compile('{{ name | upper }} {{ list | count }} {{ t | lower | title }}')({ name: 'ann', list: [1, 2], t: 'BIG cat' }), 'ANN 2 Big Cat')
})

test('values are escaped unless raw', () => {
  assert.equal(compile('{{x}} {{x | raw}}')({ x: '<b>&' }), '&lt;b&gt;&amp; <b>&')
})

test('a list is repeated with its items as scope', () => {
  const data = { shop: 'S', items: [{ name: 'a' }, { name: 'b' }] }
  assert.equal(compile('{{#each items}}{{name}}@{{shop}};{{/each}}')(data), 'a@S;b@S;')
})

test('the dot is the item itself', () => {
  assert.equal(compile('{{#each xs}}[{{.}}]{{/each}}')({ xs: [1, 2] }), '[1][2]')
})

test('a condition has two branches', () => {
  const page = compile('{{#if ok}}yes{{else}}no{{/if}}.')
  assert.equal(page({ ok: true }), 'yes.')
  assert.equal(page({ ok: [] }), 'no.')
})

test('what is not closed is an error', () => {
  assert.throws(() => compile('{{#if a}}x'), SyntaxError)
  assert.throws(() => compile('x{{/if}}'), SyntaxError)
})
