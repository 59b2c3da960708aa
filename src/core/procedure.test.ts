// Tests of procedures as data: what extending one gives, where verdicts lead, and how long an iteration can be.
import { describe, expect, it } from 'vitest'
import { ask, check, ladder, loop, opening, procedureOf, seal, workspace } from '../../test/support/core-cases.js'
import {
  effectsPerIteration, isOutcome, judges, resolveProcedure, routeOf, type ProcedureEntry,
} from './procedure.js'
import type { Phase, Procedure } from './types.js'

const BASE: ProcedureEntry = {
  ...loop(),
  summary: 'the base',
  policies: { setbacks: { limit: 3, counts: ['error'] }, ...ladder([{ at: 2, stance: 'calm' }]) },
  budget: { iterations: 20, seconds: 60 },
}

function extending(entry: Record<string, unknown>): Procedure {
  return resolveProcedure('mine', { base: BASE, mine: { extends: 'base', ...entry } }).procedure
}

describe('a procedure that extends another', () => {
  it('inherits all it does not say itself, under its own name', () => {
    const { procedure, problems } = resolveProcedure('mine', { base: BASE, mine: { extends: 'base' } })
    expect(problems).toEqual([])
    expect(procedure).toEqual({ ...BASE, name: 'mine' })
    expect(procedure).not.toHaveProperty('extends')
  })

  it('merges maps by key, at every depth', () => {
    const mine = extending({ policies: { setbacks: { limit: 5 } }, budget: { iterations: 40 } })
    expect(mine.policies.setbacks).toEqual({ limit: 5, counts: ['error'] })
    expect(mine.budget).toEqual({ iterations: 40, seconds: 60 })
  })

  it('replaces lists and scalars whole', () => {
    const mine = extending({ summary: 'mine', policies: { ladder: { rungs: [{ at: 9, to: '@stalled' }] } } })
    expect(mine.summary).toBe('mine')
    expect(mine.policies.ladder).toEqual({ signals: ['repeats'], rungs: [{ at: 9, to: '@stalled' }] })
  })

  it('removes what it sets to null, and a null in a map that is new removes nothing but itself', () => {
    const mine = extending({ policies: { ladder: null, floor: { iterations: 2, to: 'make', note: null } }, budget: { seconds: null } })
    expect(mine.policies).toEqual({ setbacks: { limit: 3, counts: ['error'] }, floor: { iterations: 2, to: 'make' } })
    expect(mine.budget).toEqual({ iterations: 20 })
  })

  it('changes one phase and keeps the others', () => {
    const mine = extending({ phases: { test: { retries: 2, on: { fail: '@failed' } } } })
    expect(mine.phases.test).toEqual({ ...loop().phases.test, retries: 2, on: { pass: 'seal', fail: '@failed' } })
    expect(mine.phases.make).toEqual(loop().phases.make)
  })

  it('may extend one that extends another, the nearest word winning', () => {
    const middle = { extends: 'base', summary: 'middle', final: 'best' }
    const { procedure } = resolveProcedure('mine', { base: BASE, middle, mine: { extends: 'middle', summary: 'mine' } })
    expect([procedure.summary, procedure.final, procedure.budget.iterations]).toEqual(['mine', 'best', 20])
  })

  it('leaves the one it extends as it was', () => {
    const before = JSON.stringify(BASE)
    extending({ policies: { ladder: null }, phases: { test: { on: { fail: '@failed' } } } })
    expect(JSON.stringify(BASE)).toBe(before)
  })

  it('gets empty policies, no budget and the last tree where nobody says otherwise', () => {
    const bare = { start: 'make', phases: { make: opening({ pass: '@completed' }) } }
    const { procedure, problems } = resolveProcedure('bare', { bare })
    expect(problems).toEqual([])
    expect(procedure).toMatchObject({ name: 'bare', summary: '', policies: {}, budget: {}, final: 'last', stances: {} })
  })

  it('is refused when it extends itself, directly or by way of another', () => {
    expect(resolveProcedure('a', { a: { extends: 'a' } }).problems).toEqual(['"a" extends itself by way of "a"'])
    const round = { a: { extends: 'b' }, b: { extends: 'c' }, c: { extends: 'b' } }
    expect(resolveProcedure('a', round).problems).toEqual(['"a" extends itself by way of "b"'])
  })

  it('is refused when what it extends is not there', () => {
    expect(resolveProcedure('a', { a: { extends: 'nothing' } })).toMatchObject({ problems: ['there is no procedure "nothing"'] })
    expect(resolveProcedure('b', {}).problems).toEqual(['there is no procedure "b"'])
  })

  it('is refused when the merged whole is not sound, though each part was', () => {
    const { problems } = resolveProcedure('mine', { base: BASE, mine: { extends: 'base', phases: { seal: null } } })
    expect(problems).toEqual(['phase "test" leads to "seal", which is neither a phase nor an outcome'])
  })

  it('may put a map where there was a list or a word', () => {
    expect(extending({ summary: { en: 'mine' } }).summary).toEqual({ en: 'mine' })
    expect(extending({ summary: undefined }).summary).toBe('the base')
  })

  it('is refused when what it extends is only a word that every object knows', () => {
    expect(resolveProcedure('a', { a: { extends: 'constructor' } }).problems).toEqual(['there is no procedure "constructor"'])
  })
})

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
