// Tests of rows of setbacks: what counts, what breaks the row, and how it ends a session.
import { describe, expect, it } from 'vitest'
import { ask, check, errs, fails, opening, passes, path, play, procedureOf, repeated } from '../../test/support/core-cases.js'
import type { Policies, Procedure } from './types.js'

function ooda(policies: Policies, part: Partial<Procedure> = {}): Procedure {
  const phases = { act: opening({ pass: 'gates', error: 'act' }), gates: check({ pass: 'act', fail: 'act' }) }
  return procedureOf(phases, { policies, ...part })
}

describe('a row of setbacks', () => {
  const both: Policies = { setbacks: { limit: 3, counts: ['fail', 'error'] } }

  it('stalls with 3 when the last was by a gate, and can go on with the next iteration', () => {
    const { session } = play(ooda(both), { gates: repeated(fails('t1'), 3) })
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3, why: '3 setbacks in a row, the last by a gate', resumesAt: 'act' })
    expect(session.iteration).toBe(3)
  })

  it('refuses with 7 when the last was by the agent', () => {
    const { session } = play(ooda(both), { act: [passes, passes, errs()], gates: repeated(fails('t1'), 2) })
    const why = '3 setbacks in a row, the last by the agent'
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 7, why, resumesAt: 'act' })
  })

  it('is not waited for where the agent has nothing more to try: that stalls at once, and can go on with the same ask', () => {
    const { session } = play(ooda(both), { act: [passes, errs('over')], gates: [fails('t1')] })
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3, why: 'act: error (broken by over)', resumesAt: 'act' })
    expect(session.iteration).toBe(2)
  })

  it('is not cut short by an ask that opens no iteration, whatever its agent has left to try', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ fail: 'review' }), review: ask({ pass: 'make', error: 'make' }, { yields: 'review' }) }
    const { session } = play(procedureOf(phases, { policies: both }), { make: [passes, passes], test: [fails('t1')], review: [errs('over')] })
    expect([session.finish, session.iteration]).toEqual([null, 2])
  })

  it('is tested before the limit: three failures of three abort', () => {
    const { session } = play(ooda(both, { budget: { iterations: 3 } }), { gates: repeated(fails('t1'), 3) })
    expect([session.finish?.outcome, session.finish?.code]).toEqual(['stalled', 3])
  })

  it('is broken by an iteration without one, when the next opens', () => {
    const gates = [fails('t1'), fails('t1'), passes, fails('t1'), fails('t1')]
    const { session } = play(ooda(both), { gates, act: repeated(passes, 6) })
    expect([session.finish, session.setbacks.row]).toEqual([null, 2])
  })

  it('is not yet broken within the iteration that has none', () => {
    const { session } = play(ooda(both), { gates: [fails('t1'), fails('t1')], act: repeated(passes, 3) })
    expect(session.setbacks).toEqual({ row: 2, marked: false, by: 'check' })
  })

  it('grows by one for an iteration, however much goes wrong in it', () => {
    const phases = {
      make: opening({ pass: 'test' }),
      test: check({ pass: 'make', fail: 'review' }),
      review: ask({ pass: 'make', fail: 'make', error: 'make' }, { yields: 'review', role: 'reviewer' }),
    }
    const script = { make: [passes, passes], test: [fails('t1'), fails('t1')], review: [errs(), errs()] }
    const played = play(procedureOf(phases, { policies: both }), script)
    expect(played.session.setbacks).toEqual({ row: 2, marked: false, by: 'check' })
    expect(played.session.iteration).toBe(3)
  })

  it('stops only where the next iteration would open', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ fail: 'review' }), review: ask({ pass: 'make' }, { yields: 'review' }) }
    const one: Policies = { setbacks: { limit: 1, counts: ['fail'] } }
    const played = play(procedureOf(phases, { policies: one }), { test: [fails('t1')] })
    expect(path(played)).toEqual(['make', 'test', 'review'])
    expect(played.session.finish?.outcome).toBe('stalled')
  })

  it('counts only the verdicts the procedure names', () => {
    const errors: Policies = { setbacks: { limit: 2, counts: ['error'] } }
    expect(play(ooda(errors), { gates: repeated(fails('t1'), 5) }).session.setbacks.row).toBe(0)
    expect(play(ooda(errors), { act: [errs(), errs()] }).session.finish?.code).toBe(7)
  })

  it('does not begin before the first iteration: what failed before us is nobody\'s setback', () => {
    const phases = { base: check({ fail: 'act' }, { baseline: true }), ...ooda(both).phases }
    const { session } = play(procedureOf(phases, { policies: both }), { base: [fails('t1')], gates: repeated(fails('t1'), 3) })
    expect([session.iteration, session.finish?.outcome]).toEqual([3, 'stalled'])
  })

  it('comes after a retry', () => {
    const phases = { act: opening({ pass: '@completed', error: 'act' }, { retries: 1 }) }
    const played = play(procedureOf(phases, { policies: { setbacks: { limit: 1, counts: ['error'] } } }), { act: [errs(), errs()] })
    expect(played.decisions.map((decision) => decision.cause)).toEqual(['retry', 'setbacks'])
  })

  it('IS-08 does not grow by a reply that is asked for once more, unless that is no better', () => {
    const unreadable = errs('reply')
    const mended = play(ooda(both), { act: [unreadable, passes, unreadable, passes], gates: [passes, passes] })
    expect(path(mended).slice(0, 6)).toEqual(['act', 'act', 'gates', 'act', 'act', 'gates'])
    expect([mended.session.setbacks.row, mended.session.iteration]).toEqual([0, 3])
    const again = play(ooda(both), { act: repeated(unreadable, 6) })
    expect([again.session.finish?.code, again.session.setbacks.row, again.session.iteration]).toEqual([7, 3, 3])
    const never = procedureOf({ act: opening({ pass: 'act', error: 'act' }, { retries: 0 }) }, { policies: both })
    expect(play(never, { act: repeated(unreadable, 3) }).session).toMatchObject({ iteration: 3, finish: { code: 7 } })
  })
})
