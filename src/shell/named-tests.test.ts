// Tests of whether the tests that a user named are there.
import { describe, expect, it } from 'vitest'
import { failureOf, gateResult, openedWith, procedureOf } from '../../test/support/core-cases.js'
import { runInMemory } from '../../test/support/loop.js'
import { rebuild } from '../core/index.js'
import type { GateResult, Policies, Session } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import { converge } from '../procedures/converge.js'
import { misnamed } from './named-tests.js'

type Heard = Exclude<GateOutcome, 'aborted'>

const IDS = ['test/sum.test.js::adds', 'test/sum.test.js::adds nothing']

function aiming(goal: NonNullable<Policies['goal']>): Session {
  return rebuild([openedWith(procedureOf({}, { policies: { goal } }))])
}

function heard(part: Partial<GateResult> = {}, more: Partial<Heard> = {}): Heard {
  return { result: gateResult('unit', part), failures: [], ids: IDS, skipped: [], files: [], ...more }
}

describe('a test that was named', () => {
  it.each([
    ['by its id', { targets: [IDS[0] ?? ''] }],
    ['with a star', { targets: ['*nothing'], excuse: ['test/*'] }],
    ['by what fails of a gate that knows no ids', { targets: ['lint: *'] }],
    ['not at all', {}],
  ])('is there, %s', (_how, goal) => {
    const lint = { ...heard({ gate: 'lint', exit: 'fail', known: false }, { ids: null }), failures: [failureOf('lint: line too long', { gate: 'lint' })] }
    expect(misnamed(aiming(goal), [heard(), lint])).toBeNull()
  })

  it('is missed with those that are near it, whether it was to be proved or excused', () => {
    const words = 'target "add nothin" is no test that a gate has reported, of 2 tests; near it: "test/sum.test.js::adds nothing"'
    expect(misnamed(aiming({ targets: ['*adds', 'add nothin'] }), [heard()])?.replace(/, test.*$/, '')).toBe(words)
    expect(misnamed(aiming({ excuse: ['qqq'] }), [heard()])).toBe('excuse "qqq" is no test that a gate has reported, of 2 tests')
    expect(misnamed(aiming({ targets: ['qqq'] }), [heard({}, { ids: null })])).toContain('no gate names its tests')
  })

  it('is not missed where it cannot be told: a gate broke off, or knows no ids that could be excused', () => {
    for (const part of [{ complete: false }, { exit: 'timeout' as const }, { exit: 'error' as const }]) {
      expect(misnamed(aiming({ targets: ['qqq'] }), [heard(part)])).toBeNull()
    }
    expect(misnamed(aiming({ excuse: ['qqq'] }), [heard({}, { ids: null })])).toBeNull()
    const silent = [heard({ exit: 'fail', known: false }, { ids: null })]
    expect(misnamed(aiming({ targets: ['unit: failed*'] }), silent)).toBeNull()
  })

  it('ends the session after its baseline, before anybody is asked', async () => {
    const policies = { ...converge.policies, goal: { change: true, targets: ['qqq'] } }
    const { live } = await runInMemory({ procedure: { ...converge, policies }, turns: [{}], gates: [{ failing: ['a'] }] })
    expect(live.session).toMatchObject({ iteration: 0, finish: { outcome: 'refused', code: 5, why: expect.stringContaining('target "qqq" is no test') } })
  })
})
