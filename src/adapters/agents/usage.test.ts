// Tests of how amounts that agents tell are taken.
import { describe, expect, it } from 'vitest'
import { addUsage, NO_USAGE, spendOf, tokensIn, usdIn } from './usage.js'

describe('an amount that is told', () => {
  it.each([[Number.POSITIVE_INFINITY, 1e12], [1e308, 1e12], [-5, 0], [Number.NaN, 0], ['7', 0], [null, 0], [7, 7]])('is never more than can be, and gives nothing back: %s tokens', (told, taken) => {
    expect(tokensIn(told)).toBe(taken)
  })

  it.each([[Number.POSITIVE_INFINITY, 1e6], [-1000, null], [Number.NaN, null], ['1', null], [0.25, 0.25]])('of money neither: %s dollars', (told, taken) => {
    expect(usdIn(told)).toBe(taken)
  })

  it('adds up to something that a journal can hold', () => {
    const most = { ...NO_USAGE, input: tokensIn(Number.POSITIVE_INFINITY), output: tokensIn(Number.POSITIVE_INFINITY), usd: usdIn(Number.POSITIVE_INFINITY) }
    expect(JSON.parse(JSON.stringify(spendOf(addUsage(most, most), 1)))).toEqual({ seconds: 1, tokens: 4e12, usd: 2e6 })
  })
})
