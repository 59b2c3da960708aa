import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counts, diff, patch, show, similarity } from '../src/diff.js'

const words = (text) => text.split(' ').filter(Boolean)
const brief = (steps) => steps.map(({ kind, line }) => ({ keep: '=', add: '+', remove: '-' })[kind] + line).join(' ')

test('equal lists keep everything', () => {
  assert.equal(brief(diff(words('a b'), words('a b'))), '=a =b')
})

test('a changed line is removed and added', () => {
  assert.equal(brief(diff(words('a b c'), words('a x c'))), '=a -b +x =c')
})

test('lines at the end are added', () => {
  assert.equal(brief(diff(words('a'), words('a b c'))), '=a +b +c')
})

test('lines at the end are removed', () => {
  assert.equal(brief(diff(words('a b'), words('a'))), '=a -b')
})

test('the longest common part is kept', () => {
  assert.deepEqual(counts(diff(words('a b c d e'), words('b d e x'))), { added: 1, removed: 2, kept: 3 })
  assert.deepEqual(counts(diff(words('b b a a'), words('a b b'))), { added: 1, removed: 2, kept: 2 })
})

test('similarity is a share', () => {
  assert.equal(similarity(words('a b'), words('a c')), 0.5)
  assert.equal(similarity([], []), 1)
})

test('a patch makes the one of the other', () => {
  const [before, after] = [words('a b c d'), words('x b d y')]
  assert.deepEqual(patch(before, diff(before, after)), after)
})

test('a patch that does not fit is refused', () => {
  const steps = diff(words('a b'), words('a c'))
  assert.throws(() => patch(words('a z'), steps), /line 2/)
})

test('only what is near a change is shown', () => {
  const steps = diff(words('a b c d e f'), words('a b c x e f'))
  assert.equal(show(steps), '...\n c\n-d\n+x\n e\n...')
})
