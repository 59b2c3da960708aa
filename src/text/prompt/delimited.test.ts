// Tests of text of others within a line of a prompt.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inlineCode } from './delimited.js'

it('is code on one line, in as many backticks as it takes', () => {
  expect([inlineCode('npm test'), inlineCode('a `b`'), inlineCode('a ``b')]).toEqual(['`npm test`', '`` a `b` ``', '``` a ``b ```'])
})

it('lets nothing out of its backticks, whatever it contains', () => {
  const text = fc.string({ unit: fc.constantFrom('`', '``', 'a', ' ', '\n'), minLength: 1 }).filter((each) => each.trim() !== '')
  fc.assert(
    fc.property(text, (each) => {
      const [, mark = '', inside = ''] = /^(`+)(?!`)(.*[^`])\1$/.exec(inlineCode(each)) ?? []
      expect(mark).not.toBe('')
      expect(inside.match(/`+/g) ?? []).not.toContain(mark)
    }),
  )
})
