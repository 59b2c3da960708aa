// Tests of quoting against a real shell and against our own splitting.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitCommand } from '../../process/command-line.js'
import { quoteCommand } from './quote.js'

const word = fc.string({ unit: fc.constantFrom("'", '"', '\\', ' ', '$', '`', '\n', '*', ';', 'a', '-', 'é', '~', '#', '!', '=') })

it('leaves plain words as they are and quotes the rest', () => {
  expect(quoteCommand(['npm', 'run', 'test:unit', '--', "it's", ''])).toBe(`npm run test:unit -- 'it'\\''s' ''`)
})

it('is read back as the same words by a shell', () => {
  const argv = ['a b', "'", '$HOME', '`x`', '*', '', '\\', 'a\nb', ';', '~', '#']
  const script = `printf '%s\\0' ${quoteCommand(argv)}`
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(argv)
})

it('is read back as the same words by our own splitting', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      expect(splitCommand(quoteCommand(['x', ...words]))).toEqual(['x', ...words])
    }),
  )
})
