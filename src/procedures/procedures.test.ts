// Tests of the built-in procedures: that they are sound, that their prompts are as reviewed, and what they promise.
import { describe, expect, it } from 'vitest'
import { resolveProcedure } from '../config/resolve.js'
import { problemsOf } from '../config/soundness.js'
import { issue, rebuild } from '../core/index.js'
import type { Failure, Procedure, Session } from '../core/types.js'
import { composePrompt, sectionTexts, type PromptInput } from '../text/prompt/prompt.js'
import { builtinProcedures, fragments } from './index.js'

const load: PromptInput['load'] = (fragment) => {
  const text = 'builtin' in fragment ? fragments[fragment.builtin] : undefined
  if (text === undefined) throw new Error(`no fragment ${JSON.stringify(fragment)}`)
  return text
}

const failure = (subject: string, message: string): Failure => ({
  gate: 'unit',
  subject,
  class: 'behaviour',
  fingerprint: '1:0',
  message,
  runs: { failed: 1, of: 1 },
})

describe('a philosophy', () => {
  it.each(Object.values(builtinProcedures))('IS-21 is a section of every prompt of $name that plans, implements or reviews', ({ phases }) => {
    const without = Object.entries(phases).flatMap(([name, phase]) => {
      if (phase.kind !== 'ask' || !['plan', 'candidate', 'review', 'response'].includes(phase.yields)) return []
      return phase.prompt.some(({ fragments: all }) => all.some((each) => 'section' in each && each.section === 'philosophy')) ? [] : [name]
    })
    expect(without).toEqual([])
  })
})

/** A session in mid-life, so that every section of a prompt has something to say. */
function midLife(procedure: Procedure, at: string): Session {
  const rest = { gates: ['unit'], when: {}, roles: {}, fingerprints: 1, task: null, openedAt: 0, setup: {} }
  const opened = rebuild([{ type: 'opened', format: 1, id: 's1', procedure, tree: 't', ...rest }])
  const stance = procedure.policies.ladder?.rungs[0]?.stance ?? null
  return {
    ...opened,
    at,
    iteration: 3,
    posture: { ...opened.posture, stance, focus: stance === null ? null : 'one' },
    hints: [{ id: 'h1', text: 'Dates before 1970 are valid.' }],
    facing: [failure('not ok <number> - parses dates', 'not ok 7 - parses dates\nexpected -1 to be 0'), failure('exit status', 'exit 1')],
    refuted: [{ iteration: 2, failing: 2, changed: 'src/dates/parse.ts (3 lines)', note: 'unit: parses dates' }],
    mended: [{ iteration: 1, failing: 2, before: 3, changed: 'src/dates/calendar.ts (5 lines)', note: 'unit: knows leap years' }],
  }
}

function promptOf(procedure: Procedure, at: string) {
  const session = midLife(procedure, at)
  const effect = issue(session)
  const phase = procedure.phases[at]
  if (effect?.kind !== 'ask' || phase?.kind !== 'ask') throw new Error(`${at} does not ask`)
  const sections = sectionTexts(session, {
    effect,
    kept: { task: 'Make the date parser accept every ISO 8601 date.' },
    context: ['Only the parser in src/dates may change.'],
    gates: [{ name: 'unit', describe: 'npm test' }],
  })
  return composePrompt({
    title: phase.title ?? '',
    parts: phase.prompt,
    sections,
    load,
    budgetTokens: 100_000,
    trim: phase.trim ?? 'ranked',
  })
}

const named = (name: string) => builtinProcedures[name] as Procedure

describe('the built-in procedures', () => {
  it.each(Object.keys(builtinProcedures))('%s is sound, carries its own name, and resolves to itself', (name) => {
    expect(problemsOf(named(name))).toEqual([])
    expect(resolveProcedure(name, builtinProcedures)).toEqual({ procedure: named(name), problems: [] })
  })

  it.each([
    ['ooda', 'act'],
    ['converge', 'implement'],
  ])('%s writes its prompt as it was reviewed', async (name, at) => {
    await expect(promptOf(named(name), at).text).toMatchFileSnapshot(`__golden__/${name}-${at}-prompt.md`)
  })

  it('names no fragment that is missing and ships none that is unused', () => {
    const phases = Object.values(builtinProcedures).flatMap((procedure) => Object.values(procedure.phases))
    const parts = phases.flatMap((phase) => (phase.kind === 'ask' ? phase.prompt : []))
    const used = parts.flatMap((part) => part.fragments.flatMap((fragment) => ('builtin' in fragment ? [fragment.builtin] : [])))
    expect(used.toSorted()).toEqual(Object.keys(fragments).toSorted())
  })

  it('has a text for every stance that a rung names', () => {
    for (const { policies, stances } of Object.values(builtinProcedures)) {
      for (const { stance } of policies.ladder?.rungs ?? []) if (stance !== undefined) expect(stances[stance]).toMatch(/\w/)
    }
  })

  it('lets only a sealed check lead to converged, or the commit that follows one', () => {
    const leading = Object.values(builtinProcedures).flatMap(({ phases }) => Object.values(phases).filter(({ on }) => Object.values(on).includes('@converged')))
    expect(leading).not.toEqual([])
    const commit = { kind: 'workspace', action: 'commit' }
    for (const phase of leading) expect(phase).toMatchObject(phase.kind === 'workspace' ? commit : { kind: 'check', sealed: true })
  })

  it('puts the four phases of ooda in their order, with the task under the first', () => {
    const { text } = promptOf(named('ooda'), 'act')
    expect([...text.matchAll(/^##? .*/gm)].map((heading) => heading[0])).toEqual([
      '# OODA Loop Iteration',
      '## OBSERVE',
      '## ORIENT',
      '## DECIDE',
      '## ACT',
    ])
    expect(text.indexOf('ISO 8601')).toBeLessThan(text.indexOf('## ORIENT'))
  })
})
