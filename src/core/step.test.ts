// Tests of the engine's moves: what is asked next, under which name, and what a report may do.
import { describe, expect, it } from 'vitest'
import {
  after, ask, asksOf, check, errs, fails, loop, openedWith, opening, passes, play, procedureOf, repeated, seal, workspace,
  type Script,
} from '../../test/support/core-cases.js'
import { rebuild } from './apply.js'
import { emptyReport, issue, rests, step } from './step.js'
import type { Effect, Event, Session } from './types.js'

const t1 = fails('t1')

function hinted(id: string): Event {
  return { type: 'hinted', hint: { id, text: `try ${id}` } }
}

/** The gates of a check whose phase lists these, in a session with those configured. */
function gatesOf(gates: string[], configured: string[]): string[] {
  const effect = issue(rebuild([openedWith(procedureOf({ test: check({}, { gates }) }), { gates: configured })])) as Effect
  return effect.kind === 'check' ? effect.gates : []
}

/** Which hints each ask was given. */
function hintsOf(session: Session, script: Script = {}): string[][] {
  return asksOf(play(session, script)).map(({ hints }) => hints.map(({ id }) => id))
}

describe('issuing', () => {
  it('asks for the first phase of a session that was opened', () => {
    const effect = issue(rebuild([openedWith(loop())]))
    expect(effect).toMatchObject({ id: '1.make', phase: 'make', kind: 'ask', iteration: 1, opensIteration: true, tree: 'start' })
  })

  it('I3 asks for nothing while an effect is outstanding, nor when all is over', () => {
    expect(issue(play(loop(), { make: [] }).session)).toBeNull()
    expect(issue(play(loop()).session)).toBeNull()
  })

  it('writes nothing: the same session gives the same effect', () => {
    const session = rebuild([openedWith(loop())])
    expect(issue(session)).toEqual(issue(session))
  })

  it('opens an iteration by the ask, not by the decision before it', () => {
    const played = play(loop(), { make: [passes], test: [t1] })
    const decided = rebuild([openedWith(loop()), ...played.events.slice(0, -1)])
    expect([decided.iteration, played.session.iteration]).toEqual([1, 2])
  })

  it('puts the configured gates where the phase says so, each once, in order', () => {
    expect(gatesOf(['scope', '@configured', 'integrity'], ['lint', 'test'])).toEqual(['scope', 'lint', 'test', 'integrity'])
    expect(gatesOf(['test', '@configured'], ['lint', 'test'])).toEqual(['test', 'lint'])
    expect(gatesOf(['@configured'], [])).toEqual([])
  })

  it('says how a check is to be run', () => {
    const phases = { base: check({ pass: 'seal' }, { baseline: true, reruns: 2 }), seal: seal({}, { confirm: 1 }) }
    const { effects } = play(procedureOf(phases))
    expect(effects).toMatchObject([
      { baseline: true, sealed: false, reruns: 2, confirm: 0 },
      { baseline: false, sealed: true, reruns: 0, confirm: 1 },
    ])
  })

  it('says which workspace action is wanted', () => {
    const { effects } = play(procedureOf({ go: workspace('branch', {}) }))
    expect(effects).toMatchObject([{ kind: 'workspace', action: 'branch' }])
  })

  it('counts the turns of each role, and the plans', () => {
    const phases = {
      plan: ask({ pass: 'make' }, { role: 'planner', yields: 'plan', opensPlan: true }),
      make: opening({ pass: 'test' }),
      test: check({ pass: '@completed', fail: 'plan' }),
    }
    const played = play(procedureOf(phases), { test: [t1, t1], plan: repeated(passes, 3) })
    expect(asksOf(played).map(({ role, turn, plan }) => [role, turn, plan])).toEqual([
      ['planner', 1, 1], ['implementer', 1, 1], ['planner', 2, 2], ['implementer', 2, 2], ['planner', 3, 3], ['implementer', 3, 3],
    ])
  })

  it('opens no second plan for a retry', () => {
    const phases = { plan: ask({ pass: '@completed' }, { yields: 'plan', opensPlan: true, retries: 1 }) }
    const { effects } = play(procedureOf(phases), { plan: [errs(), passes] })
    expect(effects.map(({ plan, opensPlan }) => [plan, opensPlan])).toEqual([[1, true], [1, false]])
  })

  it('says whether the agent\'s own ending decides', () => {
    const phases = { act: opening({ pass: 'make' }, { status: 'decides' }), make: opening({}) }
    expect(asksOf(play(procedureOf(phases), { make: [] })).map(({ decides }) => decides)).toEqual([true, false])
  })

  it('makes a code for completion words, another for every effect and session, and none where there are no words', () => {
    const phases = { act: opening({ pass: 'act' }, { words: { done: '@completed' } }) }
    const codes = asksOf(play(openedWith(procedureOf(phases)), { act: [passes, passes] })).map(({ nonce }) => nonce)
    const other = asksOf(play(openedWith(procedureOf(phases), { id: 'other' }), { act: [] }))[0]?.nonce
    expect(codes.every((code) => /^[0-9a-f]{8}$/.test(code))).toBe(true)
    expect(new Set([...codes, other]).size).toBe(4)
    expect(asksOf(play(loop(), { make: [] }))[0]?.nonce).toBe('')
  })
})

describe('the name of an effect', () => {
  it('is its number in the session and its phase', () => {
    const { effects } = play(loop(), { test: [t1] })
    expect(effects.map(({ id }) => id)).toEqual(['1.make', '2.test', '3.make', '4.test'])
  })

  it('of its files is the phase in the folder of the iteration, and at the root before the first', () => {
    const phases = { setup: workspace('setup', { pass: 'make' }), ...loop().phases }
    const { effects } = play(procedureOf(phases), { test: [t1] })
    expect(effects.map(({ base }) => base)).toEqual([
      'setup', 'iteration-1/make', 'iteration-1/test', 'iteration-2/make', 'iteration-2/test',
    ])
  })

  it('of its files is numbered when a phase is asked again within the iteration', () => {
    const phases = {
      setup: workspace('setup', { pass: 'make' }, { retries: 1 }),
      make: opening({ pass: 'test', error: 'make' }, { retries: 2 }),
      test: check({ fail: 'make' }, { retries: 1 }),
    }
    const script = { setup: [errs(), passes], make: [errs(), errs(), passes, passes], test: [errs('gate'), t1] }
    expect(play(procedureOf(phases), script).effects.map(({ base }) => base)).toEqual([
      'setup', 'setup-2', 'iteration-1/make', 'iteration-1/make-2', 'iteration-1/make-3', 'iteration-1/test', 'iteration-1/test-2',
      'iteration-2/make', 'iteration-2/test',
    ])
  })
})

describe('a report', () => {
  it('yields what it means and what follows, in that order', () => {
    const { session, effects } = play(loop(), { make: [] })
    expect(step(session, emptyReport(effects[0] as Effect)).map(({ type }) => type)).toEqual(['observed', 'decided'])
  })

  it('I4 of another effect than the outstanding one yields nothing, nor does one when nothing is outstanding', () => {
    const { session, effects } = play(loop(), { make: [passes], test: [] })
    expect(step(session, emptyReport(effects[0] as Effect))).toEqual([])
    expect(step(rebuild([openedWith(loop())]), emptyReport(effects[0] as Effect))).toEqual([])
  })

  it('changes neither the session it is given nor the report', () => {
    const { session, effects } = play(loop(), { make: [] })
    const report = emptyReport(effects[0] as Effect)
    const before = JSON.stringify([session, report])
    step(session, report)
    expect(JSON.stringify([session, report])).toBe(before)
  })

  it('that is empty passes, on the tree it was asked for, at no cost', () => {
    const { effects } = play(loop(), { make: [passes], test: [] })
    expect(emptyReport(effects[1] as Effect)).toEqual({
      effect: '2.test', verdict: 'pass', cause: null, note: '', tree: 'tree-1', gates: [], failures: [], diffLines: 0, sealed: null,
      evidence: [], exceptions: [], ids: {}, word: null, changed: '', pins: null, keeps: {}, files: [], spent: { seconds: 0, tokens: 0, usd: 0 }, endedAt: 0,
    })
  })
})

describe('a phase that rests', () => {
  it('wants the next phase to be asked by a step of its own, unless the session is over', () => {
    const phases = { plan: ask({ pass: 'make', fail: '@failed' }, { yields: 'plan', rests: 'planned' }), make: opening({}) }
    const rested = play(procedureOf(phases), { make: [] }).session
    expect([rests(rested, 'plan'), rests(rested, 'make')]).toEqual([true, false])
    expect(rests(play(procedureOf(phases), { plan: [errs()] }).session, 'plan')).toBe(false)
  })

  it('does not rest while it is tried again', () => {
    const plan = ask({ pass: '@completed' }, { yields: 'plan', label: 'planning', rests: 'planned', retries: 1 })
    const played = play(procedureOf({ plan }), { plan: [errs()] })
    const decided = rebuild([openedWith(procedureOf({ plan })), ...played.events.slice(0, -1)])
    expect([decided.label, decided.repeating, rests(decided, 'plan')]).toEqual(['planning', true, false])
  })
})

describe('a hint', () => {
  const looking = procedureOf({
    look: ask({ pass: 'make' }, { yields: 'review' }),
    make: opening({ pass: 'look', error: 'make' }),
  })

  it('waits for the next candidate and is told once', () => {
    const session = after(rebuild([openedWith(looking)]), hinted('a'), hinted('b'))
    expect(hintsOf(session, { make: repeated(passes, 2) })).toEqual([[], ['a', 'b'], [], [], [], []])
  })

  it('that comes while a candidate is being made waits for the next one', () => {
    const making = play(looking, { make: [] }).session
    const session = after(making, hinted('late'))
    expect(making.outstanding).toMatchObject({ hints: [] })
    expect([session.hints.map(({ id }) => id), session.outstanding]).toEqual([['late'], making.outstanding])
    expect(hintsOf(session, { make: [passes] })).toEqual([[], ['late']])
  })

  it('is remembered as taken', () => {
    const { session } = play(after(rebuild([openedWith(looking)]), hinted('a')), { make: [] })
    expect([session.hints, session.taken]).toEqual([[], ['a']])
  })

  it('told to an agent that then broke is gone: the words were said', () => {
    const session = after(rebuild([openedWith(looking)]), hinted('a'))
    expect(hintsOf(session, { make: [errs()] })).toEqual([[], ['a'], []])
  })

  it('is known again by its id, among those taken before', () => {
    expect(after(rebuild([openedWith(looking)]), hinted('a'), hinted('b')).taken).toEqual(['a', 'b'])
  })

  it('is told again when the agent could not be reached', () => {
    const policies = { infrastructure: { limit: 3 } }
    const session = after(rebuild([openedWith({ ...looking, policies })]), hinted('a'))
    expect(hintsOf(session, { make: [errs('infrastructure'), passes] })).toEqual([[], ['a'], ['a'], [], []])
  })
})
