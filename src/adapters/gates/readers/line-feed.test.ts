// Tests of cutting text into lines.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineFeed, rawLineFeed } from './line-feed.js'
import { keptLines } from './tail.js'

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

describe('kept lines', () => {
  it('are the first and the last ones, each cut to a length', () => {
    const kept = keptLines(4, 10)
    for (let n = 1; n <= 1000; n += 1) kept.add(`line ${n} ${'x'.repeat(50)}`)
    expect(kept.lines()).toEqual(['line 1 xxx', 'line 2 xxx', 'line 999 x', 'line 1000 '])
    const few = keptLines(4)
    expect(few.isEmpty()).toBe(true)
    for (const line of ['a', 'b', 'c']) few.add(line)
    expect(few.lines()).toEqual(['a', 'b', 'c'])
    expect(few.isEmpty()).toBe(false)
  })
})
