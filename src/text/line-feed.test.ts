// Tests of cutting text into lines.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineFeed, rawLineFeed } from './line-feed.js'

function linesOf(pieces: readonly string[], make: typeof lineFeed = lineFeed): string[] {
  const lines: string[] = []
  const feed = make((line) => lines.push(line))
  for (const piece of pieces) feed.push(piece)
  feed.end()
  return lines
}

describe('a line feed', () => {
  it('gives the same lines however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 })), (pieces) => {
        const lines = pieces.join('').split('\n')
        if (lines.at(-1) === '') lines.pop()
        expect(linesOf(pieces)).toEqual(lines)
      }),
    )
  })

  it('takes terminal codes and carriage returns out, also across pieces', () => {
    expect(linesOf(['ok \u001b[3', '2mgood\u001b[0m\r', '\nnext'])).toEqual(['ok good', 'next'])
  })

  it('holds no more than a bounded part of a line, whichever way it comes', () => {
    const long = 'x'.repeat(1_000_000)
    for (const pieces of [[`${long}\nb`], [long, long, '\nb'], ['a', `${long}\nb`]]) {
      const [first = '', second] = linesOf(pieces)
      expect(first.length).toBe(64 * 1024)
      expect(second).toBe('b')
    }
    expect(linesOf([`${'y'.repeat(50)}\n`], (onLine) => rawLineFeed(onLine, 10))).toEqual(['y'.repeat(10)])
  })
})
