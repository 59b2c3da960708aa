// Unit tests of the search for less, by what it asks and what it comes to.
import { describe, expect, it } from 'vitest'
import { searchLess } from './minimise.js'

type Piece = { file: string; name: string }

function pieces(...names: string[]): Piece[] {
  return names.map((name) => ({ file: name.slice(0, 1), name }))
}

function searched(all: readonly Piece[], holds: (names: ReadonlySet<string>) => boolean): { left: string[]; trials: number } {
  const search = searchLess(all)
  let trials = 0
  let next = search.next(true)
  while (!next.done) {
    trials += 1
    next = search.next(holds(new Set(next.value.map(({ name }) => name))))
  }
  return { left: next.value.map(({ name }) => name), trials }
}

describe('the search for less', () => {
  it('finds the few that are needed among many, with few trials', () => {
    const all = pieces(...Array.from({ length: 40 }, (_, file) => [1, 2, 3].map((at) => `${String.fromCodePoint(0x100 + file)}${at}`)).flat())
    const [one, other] = [all[17]?.name ?? '', all[98]?.name ?? '']
    const { left, trials } = searched(all, (names) => names.has(one) && names.has(other))
    expect(left).toEqual([one, other])
    expect(trials).toBeLessThan(60)
  })

  it('leaves out whole files before it looks into them', () => {
    const asked: string[][] = []
    searched(pieces('a1', 'a2', 'b1', 'b2'), (names) => asked.push([...names]) > 0 && names.has('b2'))
    expect(asked.slice(0, 3)).toEqual([[], ['b1', 'b2'], []])
    expect(asked).toContainEqual(['b2'])
  })

  it('comes to none at all where nothing is needed, with one trial', () => {
    expect(searched(pieces('a1', 'b1', 'c1'), () => true)).toEqual({ left: [], trials: 1 })
    expect(searched([], () => true)).toEqual({ left: [], trials: 0 })
  })

  it('keeps all where all are needed', () => {
    expect(searched(pieces('a1', 'a2', 'b1'), (names) => names.size === 3).left).toEqual(['a1', 'a2', 'b1'])
  })

  it('ends where no single one can go, even when one can only go after another has', () => {
    // `a1` needs `b1` to be there, so that it can go before `b1` and not after it.
    const holds = (names: ReadonlySet<string>): boolean => names.has('d1') && (!names.has('c1') || names.has('a1')) && (!names.has('a1') || names.has('b1'))
    expect(searched(pieces('a1', 'b1', 'c1', 'd1'), holds).left).toEqual(['d1'])
  })

  it('leaves a set of which no single piece can go, for any property', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const all = pieces('a1', 'a2', 'b1', 'c1', 'c2', 'd1', 'e1')
      const holds = (names: ReadonlySet<string>): boolean => names.size === all.length || drawn(seed, [...names].toSorted().join()) < 0.4
      const { left } = searched(all, holds)
      const isHeld = (names: readonly string[]): boolean => holds(new Set(names))
      expect(isHeld(left)).toBe(true)
      expect(left.filter((name) => isHeld(left.filter((other) => other !== name)))).toEqual([])
    }
  })
})

/** The same for the same text, and otherwise anything from 0 to 1. */
function drawn(seed: number, text: string): number {
  let hash = seed * 2654435761
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}
