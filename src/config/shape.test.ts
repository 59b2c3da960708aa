// Tests of every way in which something is not the shape of a procedure.
import { describe, expect, it } from 'vitest'
import { check, loop, opening, procedureOf, workspace } from '../../test/support/core-cases.js'
import type { Phase } from '../core/types.js'
import { shapeProblems } from './shape.js'

function problems(phases: Record<string, Phase>): string[] {
  return shapeProblems(procedureOf(phases))
}

describe('a procedure has no shape', () => {
  it('under a name that is no name', () => {
    expect(shapeProblems(loop({ name: 'My Loop' }))).toEqual(['"My Loop" is no name for a procedure (small letters, digits, hyphens)'])
    expect(shapeProblems(loop({ name: `a${'b'.repeat(40)}` }))).toHaveLength(1)
    expect(shapeProblems(loop({ name: `a${'b'.repeat(39)}` }))).toEqual([])
  })

  it('without phases', () => {
    expect(problems({})).toEqual(['it has no phases', 'it starts at "", which is no phase'])
    expect(shapeProblems({ ...loop(), phases: undefined } as never)).toContain('it has no phases')
  })

  it('with a phase whose name is no name', () => {
    expect(problems({ Make: opening({ pass: '@completed' }) })).toEqual(['"Make" is no name for a phase (small letters, digits, hyphens)'])
  })

  it.each([
    [{ on: {} }, 'needs a kind: ask, check or workspace'],
    [{ kind: 'dance', on: {} }, 'needs a kind: ask, check or workspace'],
    [{ kind: 'ask', yields: 'candidate', on: {} }, 'asks nobody: it needs a role'],
    [{ kind: 'ask', role: 'implementer', on: {} }, 'must say what it yields'],
    [{ kind: 'ask', role: 'implementer', yields: 'candidate', on: {} }, 'needs a prompt'],
    [{ kind: 'check', on: {} }, 'needs a list of gates'],
    [{ kind: 'check', gates: 'test', on: {} }, 'needs a list of gates'],
    [{ kind: 'workspace', on: {} }, 'needs an action'],
    [{ kind: 'check', gates: [] }, 'leads nowhere: it needs "on"'],
  ])('with the phase %j, which %s', (phase, problem) => {
    expect(problems({ make: phase as unknown as Phase })).toEqual([`phase "make" ${problem}`])
  })

  it('when a check or a workspace phase opens an iteration', () => {
    const opens = { opensIteration: true } as const
    expect(problems({ test: check({ pass: '@completed' }, opens) })).toEqual(['phase "test" opens an iteration, which only an ask can do'])
    expect(problems({ take: workspace('materialise', { pass: '@completed' }, opens) })).toHaveLength(1)
  })

  it('when it starts at no phase', () => {
    expect(shapeProblems(loop({ start: 'nowhere' }))).toEqual(['it starts at "nowhere", which is no phase'])
  })
})
