// What trials teach: which places come first after them.
import { afterAll, describe, expect, it } from 'vitest'
import { openEvidence } from './evidence.js'
import { closeReader, read } from './fixture.js'
import type { Candidate, Ranked } from './types.js'

afterAll(closeReader)

const unit = await read('a.js', 'const a = 1\nconst b = 2\nconst c = 3\n')
const at = (line: number, score: number): Candidate => ({
  kind: 'constant', weight: 1, edits: [{ start: 0, end: 1, text: '' }], at: 0, unit, line, score, worth: score,
  factors: { suspect: 1, small: 1, hinted: 1 }, rank: 0, text: '', shape: '',
})
const LEFT: [number, Ranked][] = [[0, at(1, 3)], [1, at(2, 2.9)], [2, at(3, 2.8)], [3, at(3, 2.7)]]
const lines = (ordered: readonly [number, Ranked][]): number[] => ordered.map(([, { line }]) => line)

describe('what trials teach', () => {
  it('is nothing at first: the order stays', () => {
    expect(openEvidence(2).ordered(LEFT)).toEqual(LEFT)
  })

  it.each([
    ['mends one of the targets', { fixed: ['t'], broken: [], moved: 0, note: '' }],
    ['breaks something else and mends one', { fixed: ['t'], broken: ['u'], moved: 0, note: '' }],
    ['makes both say something else', { fixed: [], broken: [], moved: 2, note: '' }],
  ])('puts a place first where a change %s', (_what, verdict) => {
    const evidence = openEvidence(2)
    evidence.note(at(3, 3), verdict)
    expect(lines(evidence.ordered(LEFT))).toEqual([3, 3, 1, 2])
  })

  it('puts a place back where change after change makes no difference', () => {
    const evidence = openEvidence(1)
    for (let trial = 0; trial < 4; trial++) evidence.note(at(1, 3), { fixed: [], broken: [], moved: 0, note: '' })
    expect(lines(evidence.ordered(LEFT))).toEqual([2, 3, 3, 1])
  })
})
