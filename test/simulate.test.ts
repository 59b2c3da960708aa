// The simulator in small: the bounds of docs/convergence.md, with room for the chance of a smaller sample.
import { describe, expect, it } from 'vitest'
import { boundsOf, EVERY_ROLE, FAST, LIMITS, simulate } from '../src/simulate/index.js'
import { withLastRung } from '../src/simulate/curve.js'
import { PATHOLOGIES } from '../src/simulate/kinds.js'

/** One session of the smallest group weighs this much. */
const ONE_BAD = 1 / FAST.bad
const ROOM = {
  named: LIMITS.named - ONE_BAD,
  caught: LIMITS.caught - ONE_BAD,
  early: LIMITS.early + 1 / FAST.honest,
  falseComplete: LIMITS.falseComplete + ONE_BAD,
}

describe('500 simulated sessions', () => {
  const simulation = simulate(EVERY_ROLE, FAST, 1)

  it('end, are named, are caught, and are not stopped too early.', () => {
    expect(simulation.sessions).toBeGreaterThanOrEqual(500)
    expect(boundsOf(simulation, ROOM).filter(({ isKept }) => !isKept)).toEqual([])
  })

  it('come out the same from the same seed, and otherwise from another.', () => {
    const few = { bad: 2, twins: 1, honest: 2 }
    expect(simulate(EVERY_ROLE, few, 5)).toEqual(simulate(EVERY_ROLE, few, 5))
    expect(simulate(EVERY_ROLE, few, 5).honest).not.toEqual(simulate(EVERY_ROLE, few, 6).honest)
  })

  it('cover every pathology, each with its own name and a published rule that does worse.', () => {
    const patterns = new Set(PATHOLOGIES.flatMap((kind) => (kind.is === 'bad' ? [kind.pattern] : [])))
    expect(patterns.size).toBe(14)
    const liar = simulation.bad[0]
    expect([liar?.falseComplete, liar?.published[0]?.falseComplete]).toEqual([0, 1])
  })

  it('break a bound where the ladder is made worse.', () => {
    const hasty = { ...EVERY_ROLE, procedure: withLastRung(EVERY_ROLE.procedure, 2, 'one round') }
    const broken = boundsOf(simulate(hasty, { bad: 3, twins: 1, honest: 18 }, 1), ROOM).filter(({ isKept }) => !isKept).map(({ text }) => text)
    expect(broken).toContainEqual(expect.stringContaining('stopped too early'))
    expect(broken).toContainEqual(expect.stringContaining('right name'))
  })
})
