// Tests of what comes next and why: routes, retries, and the rows of bad luck that end a session.
import { describe, expect, it } from 'vitest'
import {
  adds, ask, cancels, check, errs, fails, failureOf, loop, opening, passes, play, procedureOf, proves, repeated, workspace,
  type Answer,
} from '../../test/support/core-cases.js'
import type { Cause, Policies, Procedure, Verdict } from './types.js'

const UNREACHABLE = errs('infrastructure')

function says(word: 'done' | 'failed'): Answer {
  return adds(passes, { word })
}

function breach(subject: string): Answer {
  return adds(fails(), { failures: [failureOf(subject, { class: 'scope' })] })
}

function retrying(retries: number, part: Partial<Procedure> = {}): Procedure {
  const make = opening({ pass: 'test', error: 'make' }, { retries })
  return procedureOf({ make, test: check({ pass: '@completed', fail: 'make' }, { retries }) }, part)
}

describe('a route', () => {
  it('is taken where no policy has a say, and says what happened', () => {
    const { decisions } = play(loop(), { make: [passes], test: [adds(fails('t1'), { note: 'test: 1 failed' })] })
    expect(decisions).toMatchObject([
      { to: 'test', cause: 'route', why: 'make: pass' },
      { to: 'make', cause: 'route', why: 'test: fail (test: 1 failed)', restore: null, finish: null, repeats: false },
    ])
  })

  it.each<[string, Answer, string, number]>([
    ['a cancelled ask', cancels, 'cancelled', 11],
    ['an ask in error', errs(), 'failed', 1],
    ['an ask that fails', () => ({ verdict: 'fail' }), 'failed', 1],
  ])('of %s leads, when nothing else is said, to an end that cannot be resumed', (_, answer, outcome, code) => {
    const { session } = play(procedureOf({ make: opening({ pass: '@completed' }) }), { make: [answer] })
    expect(session.finish).toMatchObject({ outcome, code, label: 'unverified', resumesAt: null })
    expect(session.label).toBe(outcome)
  })

  it('of a gate that cannot be run refuses with 5, and the session can go on from there', () => {
    const { session } = play(loop(), { make: [passes], test: [errs('gate')] })
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 5, resumesAt: 'test', why: 'test: error (broken by gate)' })
  })

  it('that refuses carries the code of who could not do their part', () => {
    const refusing = procedureOf({ make: opening({ pass: 'test', error: '@refused' }), test: check({ error: '@refused' }) })
    const codesOf = (phase: string, ...causes: Cause[]): (number | undefined)[] =>
      causes.map((cause) => play(refusing, { [phase]: [errs(cause)] }).session.finish?.code)
    expect(codesOf('make', 'agent', 'guard', 'state')).toEqual([7, 6, 10])
    expect(codesOf('test', 'gate', 'guard', 'state')).toEqual([5, 6, 10])
  })

  it('to @stalled can be resumed at the phase that took it', () => {
    const amend = ask({ pass: '@completed', fail: '@stalled' }, { yields: 'response' })
    const { session, decisions } = play(procedureOf({ amend }), { amend: [() => ({ verdict: 'fail' })] })
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3, resumesAt: 'amend' })
    expect(decisions[0]?.cause).toBe('route')
  })
})

describe('a completion word', () => {
  const act = opening({ pass: 'act', error: 'act' }, { words: { done: '@completed', failed: '@failed' } })

  it('leads where the phase says, and is told', () => {
    const done = play(procedureOf({ act }), { act: [passes, says('done')] })
    expect(done.session.finish).toMatchObject({ outcome: 'completed', why: 'act: pass; the agent said done' })
    expect(done.session.iteration).toBe(2)
    expect(play(procedureOf({ act }), { act: [says('failed')] }).session.finish?.outcome).toBe('failed')
  })

  it('weighs nothing where the phase knows no such word, or where the agent broke', () => {
    const { session } = play(procedureOf({ act: { ...act, words: { done: '@completed' } } }), { act: [says('failed')] })
    expect([session.finish, session.at]).toEqual([null, 'act'])
    expect(play(procedureOf({ act }), { act: [adds(errs(), { word: 'done' })] }).session.finish).toBeNull()
  })

  it('weighs nothing where the ask was cancelled or judged to fail', () => {
    const phases = { act: { ...act, on: { ...act.on, fail: '@failed' } } }
    const endOf = (verdict: Verdict) => play(procedureOf(phases), { act: [adds(says('done'), { verdict })] }).session.finish?.outcome
    expect([endOf('cancelled'), endOf('fail')]).toEqual(['cancelled', 'failed'])
  })
})

describe('a retry', () => {
  it('asks the same phase again within the same iteration, as often as allowed, and then follows the route', () => {
    const played = play(retrying(2), { make: [errs(), errs(), errs()] })
    expect(played.decisions.map(({ to, cause, repeats }) => [to, cause, repeats])).toEqual([
      ['make', 'retry', true], ['make', 'retry', true], ['make', 'route', false],
    ])
    expect(played.effects.map((effect) => effect.iteration)).toEqual([1, 1, 1, 2])
    expect(played.decisions[1]?.why).toBe('make could not be judged (broken by agent); once more, 2 of 2')
  })

  it('is for errors only', () => {
    const played = play(retrying(2), { make: [passes], test: [fails('t1')] })
    expect(played.decisions.at(-1)).toMatchObject({ cause: 'route', to: 'make' })
  })

  it('begins afresh at the next phase', () => {
    const played = play(retrying(1), { make: [errs(), passes], test: [errs('gate'), errs('gate')] })
    expect(played.decisions.map((decision) => decision.cause)).toEqual(['retry', 'route', 'retry', 'route'])
  })

  it('is not had anew by way of an agent that could not be reached in between', () => {
    const policies = { infrastructure: { limit: 3 } }
    const played = play(retrying(1, { policies }), { make: [UNREACHABLE, errs(), UNREACHABLE, errs()] })
    expect(played.decisions.map((decision) => decision.cause)).toEqual(['infrastructure', 'retry', 'infrastructure', 'route'])
  })

  it('keeps a broken gate from burning iterations', () => {
    const { session } = play(retrying(1), { make: [passes], test: [errs('gate'), errs('gate')] })
    expect([session.iteration, session.finish?.outcome, session.finish?.code]).toEqual([1, 'refused', 5])
  })
})

describe('an agent that cannot be reached', () => {
  const policies: Policies = { infrastructure: { limit: 3 }, setbacks: { limit: 1, counts: ['error'] } }

  it('is asked again within the same iteration, without a setback', () => {
    const { session, effects } = play(loop({ policies }), { make: [UNREACHABLE, UNREACHABLE, passes], test: [] })
    expect(effects.map((effect) => effect.iteration)).toEqual([1, 1, 1, 1])
    expect([session.setbacks.row, session.infrastructure]).toEqual([0, 0])
  })

  it('refuses with 7 after a row of them, and says where it can go on', () => {
    const { session, decisions } = play(loop({ policies }), { make: repeated(UNREACHABLE, 3) })
    const why = 'the agent cannot be reached: broken by infrastructure (3 of 3 in a row)'
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 7, why, resumesAt: 'make' })
    expect(decisions.map(({ cause }) => cause)).toEqual(['infrastructure', 'infrastructure', 'infrastructure'])
    expect(decisions[0]?.why).toBe('the agent cannot be reached: broken by infrastructure (1 of 3 in a row)')
  })

  it('for longer than is waited refuses at once, without a setback', () => {
    const { session, effects } = play(loop({ policies }), { make: repeated(errs('limit'), 3) })
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 7, why: 'the agent cannot be reached: broken by limit', resumesAt: 'make' })
    expect([effects.length, session.setbacks.row]).toEqual([1, 0])
  })

  it('begins a new row after any other answer', () => {
    const make = [UNREACHABLE, UNREACHABLE, passes, UNREACHABLE, UNREACHABLE]
    const { session } = play(loop({ policies }), { make, test: [fails('t1')] })
    expect([session.finish, session.infrastructure]).toEqual([null, 2])
  })

  it('is an error like any other where the procedure does not count them apart', () => {
    const { decisions, session } = play(loop(), { make: [UNREACHABLE] })
    expect([decisions[0]?.cause, session.iteration]).toEqual(['route', 2])
  })
})

describe('the same breach', () => {
  const policies: Policies = { breaches: { limit: 3 } }

  it('refuses with 6 when it comes three times', () => {
    const { session, decisions } = play(loop({ policies }), { test: repeated(breach('docs/a.md'), 3) })
    expect([session.iteration, decisions.at(-1)?.cause]).toEqual([3, 'breaches'])
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 6, why: 'the same breach 3 times: docs/a.md', resumesAt: 'make' })
  })

  it('is not the same as another, and an iteration without one ends the row', () => {
    const test = [breach('a'), breach('b'), breach('b'), fails('t1'), breach('b'), breach('b')]
    const { session } = play(loop({ policies }), { test })
    expect([session.finish, session.breaches]).toEqual([null, { subject: 'b', row: 2 }])
    expect(play(loop({ policies }), { test: [breach('a'), fails('t1')] }).session.breaches).toEqual({ subject: '', row: 0 })
  })

  it('is a failure like any other without the policy', () => {
    expect(play(loop(), { test: repeated(breach('a'), 4) }).session.finish).toBeNull()
  })
})

describe('the order of policies', () => {
  it('puts setbacks before the ladder, and the ladder before the route', () => {
    const ladder: Policies['ladder'] = { signals: ['repeats'], rungs: [{ at: 2, to: 'look' }] }
    const phases = { ...loop().phases, look: workspace('survey', { pass: 'make' }) }
    const causes = (policies: Policies): (string | undefined)[] => {
      const { decisions } = play(procedureOf(phases, { policies }), { test: [fails('t1'), fails('t1')], make: [passes, passes] })
      return [decisions[3]?.cause, decisions[3]?.to]
    }
    expect(causes({ ladder, setbacks: { limit: 2, counts: ['fail'] } })).toEqual(['setbacks', '@stalled'])
    expect(causes({ ladder })).toEqual(['ladder', 'look'])
    expect(causes({})).toEqual(['route', 'make'])
  })

  it('puts breaches before setbacks', () => {
    const policies: Policies = { breaches: { limit: 1 }, setbacks: { limit: 1, counts: ['fail'] } }
    const { session } = play(loop({ policies }), { test: [adds(fails(), { failures: [failureOf('a', { class: 'integrity' })] })] })
    expect(session.finish?.code).toBe(6)
  })

  it('leaves a session that passes alone', () => {
    const policies: Policies = { setbacks: { limit: 1, counts: ['fail', 'error'] }, breaches: { limit: 1 }, infrastructure: { limit: 1 } }
    expect(play(loop({ policies }), { seal: [proves] }).session.finish?.outcome).toBe('converged')
  })
})
