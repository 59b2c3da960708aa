import { describe, expect, it } from 'vitest'
import { ask, check, ladder, loop, opening, procedureOf, seal } from '../../test/support/core-cases.js'
import { withoutConfiguredGates } from './without-gates.js'

describe('a procedure where no gate is configured', () => {
  const phases = {
    base: check({ pass: 'make', fail: 'make' }, { baseline: true, gates: ['@configured'] }),
    make: opening({ pass: 'test', error: 'make' }, { words: { done: 'test' } }),
    test: check({ pass: 'look', fail: 'make' }, { gates: ['@configured'] }),
    look: ask({ pass: 'seal', fail: 'test', error: '@failed' }, { yields: 'review', judges: true }),
    seal: seal({ pass: '@converged', fail: 'make' }, { gates: ['@configured'] }),
    last: check({ pass: 'make', fail: 'make' }, { gates: ['@configured', 'scope'] }),
  }
  const floor = { iterations: 2, to: 'test' }
  const policies = { ...ladder([{ at: 1, stance: 'calm' }, { at: 2, to: 'test' }, { at: 3, to: 'last' }]), floor }
  const without = withoutConfiguredGates(procedureOf(phases, { policies, final: 'best' }))

  it('does without its empty checks, and what led to one leads on from it', () => {
    expect(Object.keys(without.phases)).toEqual(['make', 'look', 'seal', 'last'])
    expect(without.start).toBe('make')
    expect(without.phases.make).toEqual({ ...phases.make, on: { pass: 'look', error: 'make' }, words: { done: 'look' } })
    expect(without.phases.look).toEqual({ ...phases.look, on: { pass: 'seal', fail: 'look', error: '@failed' } })
  })

  it('keeps its seal, and checks that have a gate of their own', () => {
    expect([without.phases.seal, without.phases.last]).toEqual([phases.seal, phases.last])
  })

  it('has its policies lead on, too, and all else as it was', () => {
    expect(without.policies).toEqual({
      ladder: { signals: ['repeats'], rungs: [{ at: 1, stance: 'calm' }, { at: 2, to: 'look' }, { at: 3, to: 'last' }] },
      floor: { iterations: 2, to: 'look' },
    })
    expect(without.final).toBe('best')
    expect(withoutConfiguredGates(loop({ policies: { ratchet: { patience: 1 } } })).policies).toEqual({ ratchet: { patience: 1 } })
  })

  it('goes from ask to ask when that is all there is', () => {
    const ooda = { act: opening({ pass: 'gates', error: 'act' }), gates: check({ pass: 'act', fail: 'act' }, { gates: ['@configured'] }) }
    expect(withoutConfiguredGates(procedureOf(ooda)).phases).toEqual({ act: opening({ pass: 'act', error: 'act' }) })
  })
})
