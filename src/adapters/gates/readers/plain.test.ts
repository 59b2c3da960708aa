// Tests of reading plain output.
import { describe, expect, it } from 'vitest'
import { brief, runInPieces, runOf } from './fixture.js'

describe('plain output', () => {
  it('gives a trouble for each failing line, the same in every checkout', () => {
    const error = (line: number) => `/checkout/src/a.c:${line}:1: error: x`
    const run = runOf('lines', ['all is well', error(3), '  note', '\u001b[31mpanic: y\u001b[0m', error(9)].join('\n'))
    expect(brief(run)).toEqual(['trouble src/a.c:<line>: error: x | error : src/a.c:3:1: error: x', 'trouble panic: y | error : panic: y'])
    expect(run).toMatchObject({ cases: [], complete: true, note: '' })
    expect(run.troubles[0]?.fault.message).toBe('src/a.c:3:1: error: x\n  note')
  })

  it('without a failing line is fine, even when it is empty', () => {
    for (const text of ['', 'ok\n']) expect(runOf('lines', text)).toEqual({ cases: [], more: 0, troubles: [], complete: true, note: '' })
  })

  it('finds the same lines in pieces of any size, and no more than 500', () => {
    const noise = 'a line of a hundred characters that says nothing about anything being wrong with the program at all\n'.repeat(3000)
    const text = `${noise}not ok 1 - first\n${noise.repeat(8)}not ok 2 - second${noise.slice(-1)}`
    const pieces = text.match(/[^]{1,70000}/g) ?? []
    expect(brief(runInPieces('lines', pieces))).toEqual([
      'trouble not ok <number> - first | error : not ok 1 - first',
      'trouble not ok <number> - second | error : not ok 2 - second',
    ])
    const many = Array.from({ length: 2000 }, (_none, n) => `FAIL y${n % 100}z${n}y ${'x'.repeat(900)}\n`)
    expect(runInPieces('lines', many).troubles).toHaveLength(500)
  })

  it('is not harmed by a line of many megabytes', () => {
    const pieces = [...Array.from({ length: 40 }, () => 'x'.repeat(100_000)), '\nnot ok 1 - after\n']
    expect(brief(runInPieces('lines', pieces))).toEqual(['trouble not ok <number> - after | error : not ok 1 - after'])
  })
})
