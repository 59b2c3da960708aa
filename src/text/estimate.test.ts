import { describe, expect, it } from 'vitest'
import { byFormula, byHistory, SCOPES } from './estimate.js'

const minutes = (scope: (typeof SCOPES)[number], speed: number): number => byFormula(scope, speed, null).seconds / 60

describe('an estimate by formula', () => {
  it('IS-22 reproduces the published table: 3, 6 and 12 iterations, 18, 36 and 72 minutes at 20 tokens a second, 6, 12 and 24 at 60', () => {
    expect(SCOPES.map((scope) => byFormula(scope, 20, null).iterations)).toEqual([3, 6, 12])
    for (const [speed, table] of [[20, [18, 36, 72]], [60, [6, 12, 24]]] as const) {
      SCOPES.forEach((scope, at) => expect(minutes(scope, speed)).toBeCloseTo(table[at] ?? 0, 9))
    }
  })

  it('IS-22 is a formula: half the speed takes twice the time, at every speed', () => {
    expect(minutes('feature', 7)).toBeCloseTo(2 * minutes('feature', 14), 9)
    expect(byFormula('minor', 1000, null).tokens).toBe(byFormula('minor', 1, null).tokens)
  })

  it('IS-22 gives a range of money where a price is known: from prompts of nothing to the longest that are sent', () => {
    const { usd, tokens } = byFormula('minor', 20, { input: 3, output: 15, promptTokens: 100_000 })
    expect(tokens).toBe(18_432)
    expect(usd?.least).toBeCloseTo(0.27648, 9)
    expect(usd?.most).toBeCloseTo(0.27648 + 1.8, 9)
    expect(byFormula('minor', 20, null).usd).toBeNull()
  })
})

describe('an estimate by history', () => {
  const past = [
    { iterations: 2, seconds: 100, tokens: 1000, usd: 0.2 },
    { iterations: 4, seconds: 260, tokens: 3000, usd: 0.8 },
    { iterations: 9, seconds: 390, tokens: 5000, usd: 0.9 },
  ]

  it('IS-22 takes the median of iterations, at what each cost on average, between the cheapest and the dearest', () => {
    const { usd, ...rest } = byHistory(past, null) ?? { usd: null }
    expect(rest).toEqual({ scope: null, iterations: 4, seconds: 200, tokens: 2400 })
    expect([usd?.least, usd?.most]).toEqual([0.4, 0.8])
  })

  it('IS-22 takes the iterations of a scope that is named', () => {
    expect(byHistory(past, 'project')).toMatchObject({ scope: 'project', iterations: 12, seconds: 600, tokens: 7200 })
  })

  it('IS-22 is none without a session that did anything, and tells no money that is not known of all', () => {
    expect(byHistory([], null)).toBeNull()
    expect(byHistory([{ iterations: 0, seconds: 1, tokens: 1, usd: 0 }], null)).toBeNull()
    expect(byHistory([...past, { iterations: 1, seconds: 1, tokens: 1, usd: null }], null)?.usd).toBeNull()
  })
})
