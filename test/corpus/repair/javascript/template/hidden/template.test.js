import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, lookup } from '../src/template.js'

test('text around tags is kept to the last character', () => {
  assert.equal(compile('a{{x}}b{{x}}c')({ x: '-' }), 'a-b-c')
  assert.equal(compile('{{x}}')({ x: 0 }), '0')
  assert.equal(compile('')({}), '')
  assert.equal(compile('{{a.b.c.d}}.')({ a: {} }), '.')
})

test('an inner scope hides an outer one', () => {
  const scopes = [{ a: 1, b: 1 }, { a: 2 }]
  assert.equal(lookup(scopes, 'a'), 2)
  assert.equal(lookup(scopes, 'b'), 1)
  assert.equal(lookup(scopes, 'c'), undefined)
  assert.deepEqual(lookup(scopes, '.'), { a: 2 })
  assert.equal(lookup([{ a: { b: { c: 5 } } }, null, 'text'], 'a.b.c'), 5)
})

test('loops in loops', () => {
  const data = { rows: [{ cells: [1, 2] }, { cells: [3] }], end: '!' }
  assert.equal(compile('{{#each rows}}{{#each cells}}{{.}},{{/each}}{{end}}{{/each}}')(data), '1,2,!3,!')
})

test('conditions in conditions', () => {
  const page = compile('{{#if a}}A{{#if b}}B{{else}}b{{/if}}{{else}}a{{#if b}}B{{/if}}{{/if}}')
  assert.deepEqual([[1, 1], [1, 0], [0, 1], [0, 0]].map(([a, b]) => page({ a, b })), ['AB', 'Ab', 'aB', 'a'])
})

test('a condition inside a loop sees the item', () => {
  assert.equal(compile('{{#each xs}}{{#if on}}{{n}}{{/if}}{{/each}}')({ xs: [{ on: true, n: 1 }, { on: false, n: 2 }, { on: 1, n: 3 }] }), '13')
})

test('a list that is missing is empty', () => {
  assert.equal(compile('<{{#each none}}x{{/each}}>')({}), '<>')
})

test('closing tags must fit', () => {
  assert.throws(() => compile('{{#each a}}x{{/if}}'), SyntaxError)
  assert.throws(() => compile('{{#if a}}x{{else}}y'), SyntaxError)
  assert.throws(() => compile('{{#each a}}{{#if b}}{{/if}}'), SyntaxError)
})

test('all special characters are escaped, after the filters', () => {
  assert.equal(compile('{{x}}')({ x: `"a" & <b>` }), '&quot;a&quot; &amp; &lt;b&gt;')
  assert.equal(compile('{{x|upper}}')({ x: 'a<b' }), 'A&lt;B')
  assert.equal(compile('{{x | upper | raw}}')({ x: 'a<b' }), 'A<B')
})

test('a page can be rendered many times', () => {
  const page = compile('{{#each xs}}{{.}}{{/each}}')
  assert.deepEqual([page({ xs: [1] }), page({ xs: [2, 3] }), page({ xs: [] })], ['1', '23', ''])
})
