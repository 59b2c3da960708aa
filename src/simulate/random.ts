// Chance from a seed: the same seed gives the same numbers on every machine.

export type Random = { next(): number; below(n: number): number; chance(p: number): boolean; pick<T>(from: readonly T[]): T }

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { next, below, chance: (p) => next() < p, pick: (from) => from[below(from.length)] as never }
}
