// Tests of extending: what a procedure gets from the one it extends, and when that is refused.
import { describe, expect, it } from 'vitest'
import { ladder, loop, opening } from '../../test/support/core-cases.js'
import type { Procedure } from '../core/index.js'
import { converge } from '../procedures/converge.js'
import { resolveProcedure, type ProcedureEntry } from './resolve.js'

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

  it('RB-14 drops by one line a policy together with the phases that only it led to, and never a phase of its own', () => {
    const away = resolveProcedure('mine', { converge, mine: { extends: 'converge', policies: { ladder: null } } })
    expect([away.problems, Object.keys(away.procedure.phases)]).toEqual([[], ['baseline', 'implement', 'check', 'accept']])
    const own = { lost: opening({ pass: '@completed' }) }
    expect(resolveProcedure('mine', { converge, mine: { extends: 'converge', phases: own } }).problems).toEqual(['phase "lost" is never reached'])
  })

  it('may put a map where there was a list or a word', () => {
    expect(extending({ summary: { en: 'mine' } }).summary).toEqual({ en: 'mine' })
    expect(extending({ summary: undefined }).summary).toBe('the base')
  })

  it('is refused when what it extends is only a word that every object knows', () => {
    expect(resolveProcedure('a', { a: { extends: 'constructor' } }).problems).toEqual(['there is no procedure "constructor"'])
  })
})
