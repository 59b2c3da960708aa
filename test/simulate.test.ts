// The simulator in small: the bounds of docs/convergence.md, with room for the chance of a smaller sample.
import { describe, expect, it } from 'vitest'
import { boundsOf, curveOf, documentOf, EVERY_ROLE, FAST, LIMITS, ONE_ROLE, simulate, WHOLE } from '../src/simulate/index.js'
import { pageText } from './support/docs/blocks.js'
import { examplesOf } from './support/docs/lists.js'
import { tryAll } from './support/subset.js'
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

describe('the page about convergence', () => {
  /** Numbers of processor time are those of one machine. */
  const steady = (text: string): string => text.replaceAll(/in \d+ s of processor time on one core|(?<=within 60 s of processor time \| )\d+ s/g, '…')
  const sectionsOf = (text: string): string[] => steady(text.trimEnd()).split(/^(?=## )/m)

  it('has the curve that the simulator makes, picture and table; every section of it where all is tried.', () => {
    const simulation = simulate(EVERY_ROLE, tryAll ? WHOLE : { bad: 1, twins: 1, honest: 1 }, 1)
    const alone = simulate(ONE_ROLE, { bad: 1, twins: 1, honest: tryAll ? 200 : 1 }, 1)
    const bounds = [...boundsOf(simulation, LIMITS), { text: '10,000 sessions within 60 s of processor time', figure: '0 s', isKept: true }]
    const made = documentOf({ simulation, bounds, alone, curve: curveOf(EVERY_ROLE, { bad: 12, honest: 150, seed: 1 }), seconds: 0 })
    const [picture, ...others] = examplesOf('the curve')
    expect(others).toEqual([])
    expect(made).toContain(`\`\`\`\n${picture.text}\`\`\`\n`)
    const [sections, shown] = [sectionsOf(made), sectionsOf(pageText('docs/convergence.md'))]
    expect(shown.slice(tryAll ? 0 : -1)).toEqual(sections.slice(tryAll ? 0 : -1))
  })
})
