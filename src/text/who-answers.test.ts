import { describe, expect, it } from 'vitest'
import { knownSpend, moneyText, whoAnswers, whoInRoles, whoText } from './who-answers.js'

const SETUP = {
  agents: { a: { model: 'big', fallback: 'b' }, b: { fallback: 'a' }, c: {} },
  versions: { greenlatch: '1', 'agent a': '2.1.0', 'agent b': '0.9.1' },
  origins: { agent: 'greenlatch.yaml:3' },
  unpriced: ['b'],
}
const CAST = { roles: { implementer: 'a', reviewer: 'c', planner: 'a' }, setup: SETUP }

describe('who answers', () => {
  it('is told by agent, with its roles, model, version and whoever stands in for it, nobody twice', () => {
    expect(whoAnswers(CAST)).toEqual([
      { agent: 'a', roles: ['implementer', 'planner'], model: 'big', version: '2.1.0', cost: 'known', fallbacks: ['b'] },
      { agent: 'c', roles: ['reviewer'], model: null, version: null, cost: 'known', fallbacks: [] },
    ])
  })

  it('is one line, with where the choice came from', () => {
    expect(whoText(CAST)).toBe('a 2.1.0, model big, then b 0.9.1; c (from greenlatch.yaml:3)')
    expect(whoInRoles(CAST)).toBe('implementer, planner: a 2.1.0, model big, then b 0.9.1; reviewer: c (from greenlatch.yaml:3)')
    expect(whoText({ ...CAST, setup: { ...SETUP, absent: ['a'] } })).toBe('b 0.9.1; c (from greenlatch.yaml:3)')
    expect(whoText({ roles: { implementer: 'told' }, setup: {} })).toBe('told')
  })

  it('costs what is known, and what is not is never nothing', () => {
    const spent = { seconds: 1, tokens: 2, usd: 0 }
    expect(moneyText({ spent, budget: { usd: 3 }, setup: {} })).toBe('0.00 of 3.00 USD')
    expect(moneyText({ spent, budget: {}, setup: SETUP })).toBe('what b costs is not known')
    expect(moneyText({ spent: { ...spent, usd: 0.5 }, budget: {}, setup: SETUP })).toBe('at least 0.50 USD, since what b costs is not known')
    expect([knownSpend({ spent, setup: SETUP }).usd, knownSpend({ spent, setup: {} }).usd]).toEqual([null, 0])
  })
})
