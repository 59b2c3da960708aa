// Tests of the budget: what it ends, what it never cuts off, and what each effect is told of it.
import { describe, expect, it } from 'vitest'
import {
  after, ask, check, costs, errs, fails, ladder, loop, opening, passes, path, play, procedureOf, proves, repeated, seal, workspace,
  type Answer, type Played, type Script,
} from '../../test/support/core-cases.js'
import type { Budget } from './types.js'

const t1 = fails('t1')

function within(budget: Budget, script: Script): Played {
  return play(loop({ budget }), script)
}

describe('the budget', () => {
  it('ends a session after exactly as many iterations', () => {
    const { session, decisions } = within({ iterations: 2 }, { test: repeated(t1, 3) })
    const why = '2 of 2 iterations done'
    expect(decisions.at(-1)?.cause).toBe('budget')
    expect(session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why, resumesAt: 'make' })
    expect(session.iteration).toBe(2)
  })

  it('of 0 or none is no limit', () => {
    for (const budget of [{ iterations: 0, seconds: 0 }, {}]) expect(within(budget, { test: repeated(t1, 30) }).session.iteration).toBe(31)
  })

  it.each<[string, Budget, Answer]>([
    ['10 of 10 seconds spent', { seconds: 10 }, costs(t1, 10)],
    ['12.35 of 10 seconds spent', { seconds: 10 }, costs(t1, 12.3456)],
    ['600 of 500 tokens spent', { tokens: 500 }, costs(t1, 1, { tokens: 600 })],
    ['2.5 of 2 usd spent', { usd: 2 }, costs(t1, 1, { usd: 2.5 })],
  ])('ends a session with %s', (why, budget, answer) => {
    expect(within(budget, { test: [answer] }).session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why, resumesAt: 'make' })
  })

  it('lets go on what has something left', () => {
    expect(within({ seconds: 10 }, { test: [costs(t1, 9.99)], make: [passes] }).session.finish).toBeNull()
  })

  it('I8 never cuts off a check, a seal or a commit', () => {
    const phases = { ...loop().phases, seal: seal({ pass: 'commit', fail: 'make' }), commit: workspace('commit', { pass: '@converged' }) }
    const { session } = play(procedureOf(phases, { budget: { seconds: 10, iterations: 1 } }), { make: [costs(passes, 99)], seal: [proves] })
    expect(session.finish?.outcome).toBe('converged')
  })

  it('binds asks that open no iteration by what is spent, not by iterations', () => {
    const phases = { ...loop().phases, test: check({ pass: 'seal', fail: 'look' }), look: ask({ pass: 'make' }, { yields: 'review' }) }
    const inTime = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { test: [t1] })
    expect([path(inTime), inTime.session.finish?.why]).toEqual([['make', 'test', 'look'], '1 of 1 iterations done'])
    const late = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { test: [costs(t1, 11)] })
    expect(late.session.finish).toMatchObject({ why: '11 of 10 seconds spent', resumesAt: 'look' })
  })

  it('binds what policies want, too', () => {
    const phases = { ...loop().phases, look: ask({ pass: 'make' }, { yields: 'review' }) }
    const policies = ladder([{ at: 1, to: 'look' }])
    const { session, decisions } = play(procedureOf(phases, { policies, budget: { seconds: 10 } }), { test: [costs(t1, 11)] })
    expect(decisions.at(-1)).toMatchObject({ cause: 'budget', rung: 0, fired: true })
    expect(session.finish?.resumesAt).toBe('look')
  })

  it('asks nobody for the sake of an iteration that will not come, and leaves that rung for a session that is extended', () => {
    const phases = { ...loop().phases, look: ask({ pass: 'make' }, { yields: 'review' }) }
    const policies = ladder([{ at: 2, to: 'look', resets: true, times: 1 }])
    const played = play(procedureOf(phases, { policies, budget: { iterations: 2 } }), { test: repeated(t1, 2) })
    expect(path(played)).toEqual(['make', 'test', 'make', 'test'])
    expect(played.session).toMatchObject({ uses: [], stall: { level: 2 }, finish: { why: '2 of 2 iterations done', resumesAt: 'make' } })
    const extended = after(played.session, { type: 'extended', budget: { iterations: 5 } })
    expect(path(play(extended, { test: repeated(t1, 3) }))).toEqual(['make', 'test', 'make', 'test', 'look', 'make', 'test'])
  })

  it('that ends a rung which would open an iteration goes on there, and not with a check that it never cut off', () => {
    const review = ask({ pass: 'seal', fail: 'test' }, { yields: 'review', judges: true })
    const phases = { ...loop().phases, make: opening({ pass: 'review' }), review }
    const { session } = play(procedureOf(phases, { policies: ladder([{ at: 1, to: 'make' }]), budget: { iterations: 1 } }), { review: [t1] })
    expect(session.finish).toMatchObject({ why: '1 of 1 iterations done', resumesAt: 'make' })
  })

  it('binds a retry by what is spent, not by iterations', () => {
    const phases = { make: opening({ pass: '@completed' }, { retries: 2 }) }
    const played = play(procedureOf(phases, { budget: { iterations: 1, seconds: 10 } }), { make: [costs(errs(), 1), costs(errs(), 10)] })
    expect(played.decisions.map(({ cause }) => cause)).toEqual(['retry', 'budget'])
  })

  it('leads, when iterations are spent, where the procedure says; what else is spent is always exhausted', () => {
    const budget = { iterations: 2, seconds: 10, then: 'completed' } as const
    const done = within(budget, { test: repeated(t1, 2) })
    expect(done.session.finish).toMatchObject({ outcome: 'completed', code: 0, why: '2 of 2 iterations done', resumesAt: null })
    expect(within(budget, { test: [costs(t1, 11)] }).session.finish?.outcome).toBe('exhausted')
  })
})
