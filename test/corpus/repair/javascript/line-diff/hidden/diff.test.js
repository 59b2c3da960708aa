import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counts, diff, patch, show, similarity } from '../src/diff.js'

const letters = (text) => text.split('')

function* samples() {
  let state = 5
  for (let round = 0; round < 40; round += 1) {
    const make = () => Array.from({ length: 1 + (state % 7) }, () => {
      state = (state * 48271) % 2147483647
      return 'abc'[state % 3]
    })
    yield [make(), make()]
  }
}

function commonLength(a, b) {
  if (a.length === 0 || b.length === 0) return 0
  if (a[0] === b[0]) return 1 + commonLength(a.slice(1), b.slice(1))
  return Math.max(commonLength(a.slice(1), b), commonLength(a, b.slice(1)))
}

test('as much as possible is kept', () => {
  for (const [a, b] of samples()) assert.equal(counts(diff(a, b)).kept, commonLength(a, b))
})

test('patching always gives the second list', () => {
  for (const [a, b] of samples()) assert.deepEqual(patch(a, diff(a, b)), b)
})

test('removed lines come before added ones', () => {
  assert.deepEqual(diff(['a'], ['b']), [{ kind: 'remove', line: 'a' }, { kind: 'add', line: 'b' }])
  assert.deepEqual(diff([], ['b']).map(({ kind }) => kind), ['add'])
  assert.deepEqual(diff(['a'], []).map(({ kind }) => kind), ['remove'])
  assert.deepEqual(diff([], []), [])
})

test('counts add up', () => {
  for (const [a, b] of samples()) {
    const { added, removed, kept } = counts(diff(a, b))
    assert.equal(kept + removed, a.length)
    assert.equal(kept + added, b.length)
  }
})

test('similarity at its ends', () => {
  assert.equal(similarity(letters('abc'), letters('abc')), 1)
  assert.equal(similarity(letters('abc'), letters('xyz')), 0)
  assert.equal(similarity([], ['a']), 0)
  assert.equal(similarity([], []), 1)
  assert.equal(similarity(letters('abcd'), letters('ab')), 4 / 6)
})

test('a patch leaves lines behind its last step', () => {
  assert.deepEqual(patch(letters('abcd'), [{ kind: 'keep', line: 'a' }, { kind: 'remove', line: 'b' }]), letters('acd'))
  assert.throws(() => patch(letters('ab'), [{ kind: 'remove', line: 'b' }]), /line 1 /)
})

test('context can be wider or none', () => {
  const steps = diff(letters('abcdefg'), letters('abcXefg'))
  assert.equal(show(steps, 0), '...\n-d\n+X\n...')
  assert.equal(show(steps, 2), '...\n b\n c\n-d\n+X\n e\n f\n...')
  assert.equal(show(steps, 9), ' a\n b\n c\n-d\n+X\n e\n f\n g')
})

test('two changes have dots between them', () => {
  assert.equal(show(diff(letters('abcdefg'), letters('bcdef'))), '-a\n b\n...\n f\n-g')
  assert.equal(show(diff(letters('ab'), letters('ab'))), '...')
})
