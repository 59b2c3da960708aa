import { describe, expect, it } from 'vitest'
import { apply, type Budget, type Session, type Spend } from '../../core/index.js'
import { loop, openedWith } from '../../../test/support/core-cases.js'
import { raiseFlags } from './raise.js'

function exhausted(budget: Budget, spent: Partial<Spend>, iteration: number): Session {
  const session = apply(null, openedWith(loop({ budget })))
  const phase = Object.keys(session.procedure.phases).find((name) => session.procedure.phases[name]?.opensIteration) ?? ''
  const finish = { outcome: 'exhausted', code: 4, label: 'unverified', why: 'spent', delivers: '', resumesAt: phase } as const
  return { ...session, iteration, spent: { ...session.spent, ...spent }, finish }
}

describe('the flags that raise a spent budget', () => {
  it.each<[Budget, Partial<Spend>, number, string]>([
    [{ iterations: 5 }, {}, 5, ' --max-iterations 10'],
    [{ seconds: 60 }, { seconds: 61.5 }, 1, ' --max-time 123s'],
    [{ seconds: 1800 }, { seconds: 1800 }, 1, ' --max-time 1h'],
    [{ seconds: 90 }, { seconds: 90 }, 1, ' --max-time 3m'],
    [{ tokens: 1000 }, { tokens: 1500 }, 1, ' --max-tokens 3000'],
    [{ usd: 0.25 }, { usd: 0.251 }, 1, ' --max-cost 0.51'],
    [{ iterations: 2, tokens: 10 }, { tokens: 10 }, 2, ' --max-iterations 4 --max-tokens 20'],
    [{ iterations: 5, tokens: 10 }, { tokens: 9 }, 4, ''],
  ])('of %j with %j spent after %i iterations are as expected.', (budget, spent, iteration, flags) => {
    expect(raiseFlags(exhausted(budget, spent, iteration))).toBe(flags)
  })

  it('go beyond what was asked for and is not enough, and are none when it is.', () => {
    const session = exhausted({ iterations: 2, tokens: 10 }, { tokens: 30 }, 2)
    expect(raiseFlags(session, { iterations: 6, tokens: 20 })).toBe(' --max-tokens 60')
    expect(raiseFlags(session, { iterations: 6, tokens: 40 })).toBe('')
  })
})
