import { afterAll, describe, expect, it } from 'vitest'
import { applied, shapeOf } from './dedupe.js'
import { closeReader, read } from './fixture.js'
import { hintFrom } from './hints.js'
import { suspicionFromFrames, suspicionOf, type Covered } from './localise.js'
import { openReader } from './parse.js'
import { rank } from './rank.js'

afterAll(closeReader)

const SOURCE = 'export function pick(a, b) {\n  if (a > b) return a\n  return b - 1\n}\n'

function test(id: string, passed: boolean, lines: number[], message = ''): Covered {
  return { id, passed, lines: { 'a.js': lines }, message }
}

describe('suspicion', () => {
  it('is greatest where only failing tests go, and none where they never go', () => {
    const { line, paths } = suspicionOf({ folder: '', tests: [test('bad', false, [1, 3]), test('good', true, [1, 2])], loaded: {} }, () => true)
    expect(paths).toEqual(['a.js'])
    expect(line('a.js', 3)).toBe(1)
    expect(line('a.js', 1)).toBeCloseTo(Math.SQRT1_2)
    expect(line('a.js', 2)).toBe(0)
  })

  it('leaves some for what is run when a file is loaded', () => {
    const { line } = suspicionOf({ folder: '', tests: [test('bad', false, [3])], loaded: { 'a.js': [1, 3], 'other.js': [1] } }, () => true)
    expect([line('a.js', 3), line('a.js', 1), line('other.js', 1)]).toEqual([1, 0.5, 0])
  })

  it('follows stacks where nothing is known of lines', () => {
    const { line } = suspicionFromFrames(['src/a.js', 'src/b.js'], ['Error: no\n    at f (/copy/src/a.js:10:3)'], '')
    expect(line('src/a.js', 10)).toBeGreaterThan(line('src/a.js', 12))
    expect(line('src/a.js', 12)).toBeGreaterThan(line('src/b.js', 10))
  })
})

describe('the order of candidates', () => {
  it('puts first what is suspicious and ordinary, and is the same each time', async () => {
    const unit = await read('a.js', SOURCE)
    const ranking = {
      units: [unit],
      suspicion: { paths: ['a.js'], line: (_path: string, line: number) => (line === 2 ? 1 : line === 3 ? 0.2 : 0) },
      hint: hintFrom([]),
      seed: 7,
    }
    const ranked = rank(ranking)
    const [first] = ranked
    expect(first && applied(SOURCE, first.edits)).toBe(SOURCE.replace('a > b', 'a >= b'))
    expect(rank(ranking).map(({ edits }) => edits)).toEqual(ranked.map(({ edits }) => edits))
    expect(ranked.some(({ line }) => line === 1)).toBe(false)
  })

  it('puts last what is judged by a place that no failing test reached', async () => {
    const unit = await read('a.js', 'export function f(a) {\n  return a > 1\n}\n')
    const suspicion = { paths: ['a.js'], line: (_path: string, line: number) => (line === 1 ? 1 : 0) }
    const scores = rank({ units: [unit], suspicion, hint: hintFrom([]), seed: 1 }).map(({ score }) => score)
    expect(scores.at(-1)).toBe(0)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
  })

  it('heeds what a failure says', async () => {
    const unit = await read('a.js', 'async function f(a) {\n  const x = g(a > 1)\n  return x\n}\n')
    const suspicion = { paths: ['a.js'], line: () => 1 }
    const kinds = (messages: string[]): string[] =>
      rank({ units: [unit], suspicion, hint: hintFrom(messages), seed: 1 }).map(({ kind }) => kind)
    expect(kinds([]).indexOf('comparison')).toBeLessThan(kinds([]).indexOf('await'))
    expect(kinds(['AssertionError: Promise { 1 } !== 1'])[0]).toBe('await')
  })
})

describe('the shape of a source', () => {
  it('is the same whatever its spaces, comments and needless brackets, and another for another block', async () => {
    const reader = openReader()
    const shapes = await Promise.all(['f(a)  // x\n', 'f((a))\n', 'f(b)\n'].map((text) => reader.shape('a.js', text)))
    expect(shapes[0]).toBe(shapes[1])
    expect(shapes[0]).not.toBe(shapes[2])
    const [inner, outer] = await Promise.all(
      ['if a:\n    b()\n    c()\n', 'if a:\n    b()\nc()\n'].map((text) => reader.shape('a.py', text)),
    )
    expect(inner).not.toBe(outer)
    expect(await reader.shape('a.py', 'if a\n')).toBeNull()
    await reader.close()
    expect(shapeOf({ type: 'program', field: '', start: 0, end: 0, children: [] }, '')).toMatch(/^[0-9a-f]{16}$/)
  })
})
