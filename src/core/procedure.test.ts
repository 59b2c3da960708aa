// Tests of procedures as data: where verdicts lead, and how long an iteration can be.
import { describe, expect, it } from 'vitest'
import { ask, check, ladder, loop, opening, procedureOf, seal, workspace } from '../../test/support/core-cases.js'
import { effectsPerIteration } from '../config/effects.js'
import { isOutcome, judges, routeOf } from './procedure.js'
import type { Phase } from './types.js'

describe('where a verdict leads', () => {
  const phases: Record<string, Phase> = { ask: ask({}), check: check({}), workspace: workspace('setup', {}) }

  it.each([
    ['ask', 'pass', '@completed'], ['ask', 'fail', '@failed'], ['ask', 'error', '@failed'], ['ask', 'cancelled', '@cancelled'],
    ['check', 'pass', '@completed'], ['check', 'fail', '@failed'], ['check', 'error', '@refused'], ['check', 'cancelled', '@cancelled'],
    ['workspace', 'pass', '@completed'], ['workspace', 'fail', '@failed'], ['workspace', 'error', '@failed'],
    ['workspace', 'cancelled', '@cancelled'],
  ] as const)('is, when a phase of kind %s does not say where %s leads, %s', (kind, verdict, target) => {
    expect(routeOf(phases[kind] as Phase, verdict)).toBe(target)
  })

  it('is what the phase says, where it says something', () => {
    const all = { pass: 'a', fail: 'b', error: 'c', cancelled: 'd' }
    expect((['pass', 'fail', 'error', 'cancelled'] as const).map((verdict) => routeOf(check(all), verdict))).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is an outcome exactly when it begins with @', () => {
    expect([isOutcome('@stalled'), isOutcome('stalled')]).toEqual([true, false])
  })
})

describe('whether a phase judges the iteration', () => {
  it('is yes for a check, no for a baseline, an ask and a workspace phase, unless they say otherwise', () => {
    const silent = [check({}), seal({}), check({}, { baseline: true }), ask({}), workspace('setup', {})]
    expect(silent.map(judges)).toEqual([true, true, false, false, false])
    expect([check({}, { judges: false }), ask({}, { judges: true })].map(judges)).toEqual([false, true])
  })
})

describe('the most effects of one iteration', () => {
  it('is the longest way from one opening to the next', () => {
    expect(effectsPerIteration(loop())).toBe(3)
    expect(effectsPerIteration(procedureOf({ make: opening({ pass: 'make' }) }))).toBe(1)
  })

  it('counts the ways that policies add', () => {
    const phases = { ...loop().phases, diagnose: ask({ pass: 'make', error: 'make', fail: 'make' }, { yields: 'review' }) }
    expect(effectsPerIteration(procedureOf(phases, { policies: ladder([{ at: 2, to: 'diagnose' }]) }))).toBe(4)
  })

  it('does not count what comes before the first iteration, and is 0 where none opens', () => {
    const before = { setup: workspace('setup', { pass: 'survey' }), survey: workspace('survey', { pass: 'make' }) }
    expect(effectsPerIteration(procedureOf({ ...before, make: opening({ pass: 'make' }) }))).toBe(1)
    expect(effectsPerIteration(procedureOf({ only: check({ pass: '@completed' }) }))).toBe(0)
  })
})
