// Tests of keeping the first and the last lines.
import { describe, expect, it } from 'vitest'
import { keptLines } from './tail.js'

describe('kept lines', () => {
  it('are the first and the last ones, each cut to a length', () => {
    const kept = keptLines(4, 10)
    for (let n = 1; n <= 1000; n += 1) kept.add(`line ${n} ${'x'.repeat(50)}`)
    expect(kept.lines()).toEqual(['line 1 xxx', 'line 2 xxx', 'line 999 x', 'line 1000 '])
    const few = keptLines(4)
    for (const line of ['a', 'b', 'c']) few.add(line)
    expect(few.lines()).toEqual(['a', 'b', 'c'])
  })
})
