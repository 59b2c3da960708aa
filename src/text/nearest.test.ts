// Tests of finding the word that was meant.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.js'

const KEYS = ['procedure', 'default_iterations', 'agent', 'agents', 'gates', 'budget', 'limits', 'timeoutSeconds', 'run', 'file']

test.each([
  ['gate', 'gates'],
  ['GATES', 'gates'],
  ['gaets', 'gates'],
  ['agnt', 'agent'],
  ['agentss', 'agents'],
  ['defaultIterations', 'default_iterations'],
  ['procedrue', 'procedure'],
  ['timeout', 'timeoutSeconds'],
  ['urn', 'run'],
  ['fil', 'file'],
])('The word nearest to %j is %j.', (word, expected) => {
  expect(nearest(word, KEYS)).toBe(expected)
})

test.each(['money', 'x', '', 'constructor', 'zz', 'g'.repeat(100_000)])('A word unlike all others has no nearest one (%#).', (word) => {
  expect(nearest(word, KEYS)).toBeNull()
})

test('Of two equally near words the first listed is taken, and a word that fits exactly beats one that does not.', () => {
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat')
  expect(nearest('hat', ['bat', 'hat'])).toBe('hat')
})

test('Without candidates there is no nearest word.', () => {
  expect(nearest('gates', [])).toBeNull()
})

test('A candidate is always nearest to itself and to itself with one letter left out.', () => {
  const words = ['procedure', 'default_iterations', 'budget', 'limits', 'promptTokens', 'stateDir']
  fc.assert(
    fc.property(fc.constantFrom(...words), fc.nat(), (word, at) => {
      const index = at % word.length
      expect(nearest(word, words)).toBe(word)
      expect(nearest(word.slice(0, index) + word.slice(index + 1), words)).toBe(word)
    }),
  )
})
