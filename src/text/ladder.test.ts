import { describe, expect, it } from 'vitest'
import { ask, check, ladder, opening, procedureOf } from '../../test/support/core-cases.js'
import { skippedRungs } from './ladder.js'

describe('the rungs that are left out', () => {
  const phases = {
    make: opening({ pass: 'test', error: 'make' }),
    test: check({ pass: '@completed', fail: 'make' }),
    advise: { ...ask({ pass: 'make' }), role: 'consultant' },
  }
  const rungs = [{ at: 2, stance: 'calm' }, { at: 3, roles: { implementer: 'expert' } }, { at: 5, to: 'advise' }, { at: 7, to: '@stalled' }]
  const procedure = procedureOf(phases, { policies: ladder(rungs) })

  it('are those whose roles nobody fills, each with what it waits for.', () => {
    expect(skippedRungs(procedure, { implementer: 'a' })).toEqual([
      'rung 2 (no better ×3: expert answers for implementer) is left out: nobody answers as expert',
      'rung 3 (no better ×5: on to advise) is left out: nobody answers as consultant',
    ])
  })

  it('are none when every role is filled, or there is no ladder.', () => {
    expect(skippedRungs(procedure, { implementer: 'a', expert: 'b', consultant: 'c' })).toEqual([])
    expect(skippedRungs(procedureOf(phases), {})).toEqual([])
  })
})
