// Tests of the token estimate.
import { expect, it } from 'vitest'
import { countTokens } from './tokens.js'

it('counts a token for every four characters, rounded up', () => {
  expect([countTokens(''), countTokens('a'), countTokens('abcd'), countTokens('abcde')]).toEqual([0, 1, 1, 2])
})
