// Two whole sessions, number for number: test-driven work with two amendments, and the coder's cycle with its limit.
import { describe, expect, it } from 'vitest'
import {
  ask, asksOf, check, fails, ladder, ledger, opening, passes, path, play, procedureOf, proves, repeated, seal, workspace, type Played,
} from '../../test/support/core-cases.js'
import { effectsPerIteration } from '../config/effects.js'
import { problemsOf } from '../config/soundness.js'
import type { Procedure } from './types.js'

const toMake = { pass: 'implement', fail: 'implement', error: 'implement' }

/** Survey and plan once; then implement, test, audit and review, with the consultant from a stall of 3 and an amendment at 5. */
const tdd: Procedure = procedureOf(
  {
    survey: workspace('survey', { pass: 'plan' }),
    plan: ask({ pass: 'implement', fail: '@failed' }, { role: 'planner', yields: 'plan', opensPlan: true, retries: 1 }),
    implement: opening({ pass: 'test', error: 'implement' }),
    test: check({ pass: 'seal', fail: 'audit' }),
    audit: ask({ pass: 'review', fail: 'implement', error: 'review' }, { role: 'auditor', yields: 'review' }),
    review: ask(toMake, { role: 'reviewer', yields: 'review' }),
    seal: seal({ pass: '@converged', fail: 'audit' }, { confirm: 1 }),
    amend: ask({ pass: 'resurvey', fail: '@stalled', error: '@stalled' }, { role: 'consultant', yields: 'response' }),
    resurvey: workspace('survey', { pass: 'replan' }),
    replan: ask(toMake, { role: 'planner', yields: 'plan', opensPlan: true }),
  },
  {
    policies: {
      floor: { iterations: 12, to: 'audit' },
      setbacks: { limit: 3, counts: ['error'] },
      ...ladder([
        { at: 3, stance: 'bold', roles: { auditor: 'consultant', reviewer: 'consultant' } },
        { at: 5, to: 'amend', resets: true },
      ]),
    },
    final: 'best',
  },
)

describe('twelve iterations with two amendments', () => {
  const test = [...repeated(fails('parse', 'print'), 5), ...repeated(fails('escape', 'quote'), 5), passes, passes]
  const played = play(tdd, { test, seal: [proves] })
  const perIteration = (phase: string): number[] => played.effects.flatMap((effect) => (effect.phase === phase ? [effect.iteration] : []))

  it('is a sound procedure', () => {
    expect(problemsOf(tdd)).toEqual([])
  })

  it('implements and tests in each of the twelve, and never counts back', () => {
    const twelve = Array.from({ length: 12 }, (_, index) => index + 1)
    expect([perIteration('implement'), perIteration('test')]).toEqual([twelve, twelve])
  })

  it('counts the stall 1 to 5, twice, and not while tests pass', () => {
    expect(ledger(played).map(({ stall }) => stall.repeats)).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 0, 0])
  })

  it('amends at 5 and at 10, before and instead of audit and review', () => {
    expect(perIteration('amend')).toEqual([5, 10])
    expect(perIteration('audit')).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11])
    expect(perIteration('review')).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 11])
  })

  it('plans three times: once before, and once after each amendment', () => {
    expect([perIteration('plan'), perIteration('replan')]).toEqual([[0], [5, 10]])
    const plans = played.effects.flatMap((effect) => (effect.phase === 'implement' ? [effect.plan] : []))
    expect(plans).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3])
  })

  it('has the consultant audit and review in 3 and 4 and in 8 and 9, and its own roles restored after each amendment', () => {
    const byConsultant = asksOf(played).filter(({ role, answers }) => role !== 'consultant' && answers === 'consultant')
    expect(byConsultant.map(({ phase, iteration }) => `${phase} ${iteration}`)).toEqual([
      'audit 3', 'review 3', 'audit 4', 'review 4', 'audit 8', 'review 8', 'audit 9', 'review 9',
    ])
  })

  it('asks for another strategy in the two iterations after each stall of 3', () => {
    const asked = asksOf(played).filter(({ phase, posture }) => phase === 'implement' && posture.stance === 'bold')
    expect(asked.map(({ iteration }) => iteration)).toEqual([4, 5, 9, 10])
  })

  it('passes in 11, where the floor of 12 holds it back, and converges in 12', () => {
    const held = played.decisions.filter(({ cause }) => cause === 'floor')
    expect(held.map(({ why }) => why)).toEqual(['test passed, but iteration 11 is below the floor of 12'])
    expect(played.session.finish).toMatchObject({ outcome: 'converged', label: 'verified', delivers: 'tree-12' })
    expect([played.session.iteration, played.session.plan, perIteration('seal')]).toEqual([12, 3, [12]])
  })

  it('ends stalled when an amendment is refused, at the amendment', () => {
    const { session } = play(tdd, { test: repeated(fails('parse'), 5), amend: [() => ({ verdict: 'fail', note: 'low confidence' })] })
    expect(session.finish).toMatchObject({ outcome: 'stalled', code: 3, why: 'amend: fail (low confidence)', resumesAt: 'amend' })
  })
})

/** Branch, then code, test and audit until both pass; the seal, then one commit. */
const cycle: Procedure = procedureOf(
  {
    branch: workspace('branch', { pass: 'setup' }),
    setup: workspace('setup', { pass: 'code' }),
    code: opening({ pass: 'test', error: 'code' }),
    test: check({ pass: 'audit', fail: 'code' }),
    audit: ask({ pass: 'seal', fail: 'code' }, { role: 'auditor', yields: 'review', judges: true }),
    seal: seal({ pass: 'commit', fail: 'code' }),
    commit: workspace('commit', { pass: '@converged' }),
  },
  { budget: { iterations: 5 } },
)

function phasesOf(played: Played, iteration: number): string[] {
  return played.effects.flatMap((effect) => (effect.iteration === iteration ? [effect.phase] : []))
}

describe('failing tests, then a failing audit, then both pass', () => {
  const played = play(cycle, { test: [fails('adds'), passes, passes], audit: [fails('secret in the code'), passes], seal: [proves] })

  it('is a sound procedure of at most five effects for each iteration', () => {
    expect([problemsOf(cycle), effectsPerIteration(cycle)]).toEqual([[], 5])
  })

  it('goes back to the coder from the test, then from the audit, and ends with one commit', () => {
    expect(path(played).slice(0, 2)).toEqual(['branch', 'setup'])
    expect(phasesOf(played, 1)).toEqual(['code', 'test'])
    expect(phasesOf(played, 2)).toEqual(['code', 'test', 'audit'])
    expect(phasesOf(played, 3)).toEqual(['code', 'test', 'audit', 'seal', 'commit'])
  })

  it('judges each iteration once, by what failed first in it', () => {
    expect(ledger(played).map(({ verdict, fresh }) => [verdict, fresh])).toEqual([
      ['fail', ['adds']], ['fail', ['secret in the code']], ['pass', []],
    ])
  })

  it('converges on the sealed tree', () => {
    expect(played.session.finish).toMatchObject({ outcome: 'converged', code: 0, label: 'verified', delivers: 'tree-3' })
  })
})

describe('the limit of five iterations', () => {
  it('runs exactly five rounds of code and test, and then fails', () => {
    const played = play(cycle, { test: repeated(fails('adds'), 9) })
    expect(path(played).slice(2)).toEqual(repeated(passes, 5).flatMap(() => ['code', 'test']))
    expect(played.session.finish).toMatchObject({ outcome: 'exhausted', code: 4, why: '5 of 5 iterations done', delivers: 'tree-5' })
  })

  it('does not take away a fifth that passes', () => {
    const played = play(cycle, { test: [...repeated(fails('adds'), 4), passes], seal: [proves] })
    expect(played.session).toMatchObject({ iteration: 5, finish: { outcome: 'converged' } })
  })

  it('counts an audit that fails in the fifth', () => {
    const played = play(cycle, { audit: repeated(fails('secret'), 9) })
    expect(phasesOf(played, 5)).toEqual(['code', 'test', 'audit'])
    expect(played.session).toMatchObject({ iteration: 5, finish: { outcome: 'exhausted' } })
  })
})
