// The stop rules of published loops, each at the iteration it is written for.
import { describe, expect, it } from 'vitest'
import { cheater, contradictory, diligent, honest, liar, newPatchSameFailures, oscillator, samePatch, type MakeAgent } from './agents.js'
import { playPublished, PUBLISHED, type Ended } from './published.js'
import { randomFrom } from './random.js'
import { makeProject } from './world.js'

function ended(name: string, make: MakeAgent, red = 1): Ended {
  const rule = PUBLISHED.find((one) => one.name === name)
  if (!rule) throw new Error(`no rule ${name}`)
  const random = randomFrom(7)
  const project = makeProject(random, { red })
  return playPublished({ random, project, agent: make(random, project) }, rule)
}

describe('the rules of published loops', () => {
  it.each([
    ['fixed cap 10', newPatchSameFailures, 10],
    ['equal twice', newPatchSameFailures, 2],
    ['same set 3/5', newPatchSameFailures, 5],
    ['exact 4/3/3/6', samePatch, 4],
    ['exact 4/3/3/6', oscillator(2), 6],
  ])('%s stops where it is meant to.', (name, make, iterations) => {
    expect(ended(name, make)).toEqual({ how: 'stopped', iterations, falseComplete: false })
  })

  it('are given twenty iterations where they never stop.', () => {
    expect(ended('exact 4/3/3/6', newPatchSameFailures)).toMatchObject({ how: 'spent', iterations: 20 })
    expect(ended('same set 3/5', contradictory)).toMatchObject({ how: 'spent', iterations: 20 })
  })

  it('believe a liar by his word, and a cheater by his gate.', () => {
    expect(ended('fixed cap 10', liar)).toEqual({ how: 'complete', iterations: 1, falseComplete: true })
    expect(ended('same set 3/5', liar)).toMatchObject({ how: 'stopped' })
    expect(ended('same set 3/5', cheater)).toEqual({ how: 'complete', iterations: 1, falseComplete: true })
  })

  it('let honest work be complete when it is.', () => {
    for (const { name } of PUBLISHED) expect(ended(name, diligent, 3)).toEqual({ how: 'complete', iterations: 3, falseComplete: false })
    expect(ended('equal twice', honest(0))).toMatchObject({ how: 'stopped', iterations: 2 })
  })
})
