// Tests of the fold: what each event does to a session.
import { describe, expect, it } from 'vitest'
import {
  adds, after, ask, check, costs, errs, fails, loop, moves, openedWith, opening, passes, play, procedureOf, proves, repeated, workspace,
  type Answer,
} from '../../test/support/core-cases.js'
import { addSpend, apply, rebuild } from './apply.js'
import type { Event } from './types.js'

const t1 = fails('t1')
const COST = { seconds: 5, tokens: 50, usd: 0.5 }
const signal: Event = { type: 'interrupted', cause: 'signal', note: '', spent: COST }

describe('a journal', () => {
  it('lets others answer from an extension on, and keeps the rest of the setup', () => {
    const opened = openedWith(loop(), { roles: { implementer: 'a' }, setup: { agents: { a: {} }, gates: ['g'] } })
    const cast = { roles: { implementer: 'b' }, setup: { agents: { b: {} } } }
    expect(rebuild([opened, { type: 'extended', budget: {}, cast }])).toMatchObject({ roles: { implementer: 'b' }, setup: { agents: { b: {} }, gates: ['g'] } })
    expect(rebuild([opened, { type: 'extended', budget: {} }])).toMatchObject({ roles: { implementer: 'a' }, setup: { agents: { a: {} } } })
  })

  it('begins with a session that is opened, and with nothing else', () => {
    expect(() => apply(null, { type: 'paused' })).toThrow('a journal cannot begin with "paused"')
    expect(() => rebuild([])).toThrow('a journal without events has no session')
  })

  it('that names a phase its procedure does not have, or a report nobody asked for, is broken', () => {
    const { session, effects, events } = play(loop(), { make: [passes], test: [] })
    const effect = { ...effects[0], phase: 'other' } as never
    expect(() => after(session, { type: 'asked', effect, prompt: null })).toThrow('a phase "other"')
    const observed = events.find((event) => event.type === 'observed') as Event
    expect(() => after(rebuild([openedWith(loop())]), observed)).toThrow('no effect outstanding')
  })

  it('I2 folds to the same session from the start and from any session in between', () => {
    const { session, events } = play(loop(), { test: [t1, passes], seal: [proves] })
    const opened = openedWith(loop())
    expect(rebuild([opened, ...events])).toEqual(session)
    expect(rebuild(events.slice(4), rebuild([opened, ...events.slice(0, 4)]))).toEqual(session)
  })

  it('may be told that it was repaired, which changes nothing', () => {
    const { session } = play(loop(), { make: [] })
    expect(after(session, { type: 'repaired', note: 'half a line' })).toEqual(session)
  })

  it('opens with nothing done, nothing spent and nothing wrong', () => {
    const task = { path: 'task.md', sha: 'a', bytes: 1 }
    expect(rebuild([openedWith(loop(), { task, openedAt: 5, setup: { a: 1 } })])).toMatchObject({
      id: 'session', kept: { task }, pins: 'start', openedAt: 5, setup: { a: 1 }, tree: 'start', start: 'start', at: 'make', iteration: 0, plan: 0, asked: 0,
      outstanding: null, repeating: false, judged: false, stall: { repeats: 0, revisits: 0, plateau: 0, level: 0 }, key: '', seen: [],
      setbacks: { row: 0, marked: false, by: null }, infrastructure: 0, breaches: { subject: '', row: 0 }, worse: 0, rung: -1, uses: [],
      best: null, facing: [], refuted: [], mended: [], baseline: null, proof: null, pending: null, spent: { seconds: 0, tokens: 0, usd: 0 },
      finished: 0, finishedAt: null, reportedAt: null, hints: [], taken: [], rest: 'running', finish: null,
    })
  })
})

describe('the tree', () => {
  it('is moved by a candidate and by what is materialised, and by nothing else', () => {
    const writes = adds(passes, { tree: 'written' })
    const phases = {
      setup: workspace('setup', { pass: 'plan' }),
      plan: ask({ pass: 'make' }, { yields: 'response' }),
      make: opening({ pass: 'test' }),
      test: check({ pass: 'review', fail: 'review' }),
      review: ask({ pass: 'take' }, { yields: 'review' }),
      take: workspace('materialise', { pass: '@completed' }),
    }
    const script = { setup: [writes], plan: [writes], make: [moves('a')], test: [writes], review: [writes], take: [moves('b')] }
    const { effects, session } = play(procedureOf(phases), script)
    expect(effects.map(({ phase, tree }) => [phase, tree])).toEqual([
      ['setup', 'start'], ['plan', 'start'], ['make', 'start'], ['test', 'a'], ['review', 'a'], ['take', 'a'],
    ])
    expect([session.tree, session.start]).toEqual(['b', 'start'])
  })

  it('is moved by a candidate that failed, too', () => {
    expect(play(loop(), { make: [errs('timeout', 'half')] }).session.tree).toBe('half')
  })
})

describe('a baseline', () => {
  const phases = { base: check({ pass: 'make', fail: 'make' }, { baseline: true }), make: opening({ pass: '@completed' }) }

  it('is what failed before us, and what the first prompt shows', () => {
    const { session } = play(procedureOf(phases), { base: [fails('t1', 't2')], make: [] })
    expect(session.baseline).toEqual(['t1', 't2'])
    expect(session.facing.map(({ subject }) => subject)).toEqual(['t1', 't2'])
    expect(session.best).toMatchObject({ iteration: 0, tree: 'start', score: [0, 1, 2, 0] })
  })

  it('that leaves nothing to prove is no mark for candidates, only for what is delivered', () => {
    const { session } = play(procedureOf(phases), { base: [passes], make: [] })
    expect([session.best, session.origin?.score]).toEqual([null, [0, 0, 0, 0]])
  })

  it('counts what it may excuse neither for nor against the start tree', () => {
    const policies = { goal: { excuse: ['t2'] } }
    const { session } = play(procedureOf(phases, { policies }), { base: [fails('t1', 't2')], make: [] })
    expect(session.origin?.score).toEqual([0, 1, 1, 0])
  })

  it('knows what it excuses, and asks nobody to mend it', () => {
    const policies = { goal: { excuse: ['t2'] } }
    const { session } = play(procedureOf(phases, { policies }), { base: [fails('t1', 't2')], make: [] })
    expect([session.baseline, session.facing.map(({ subject }) => subject)]).toEqual([['t1', 't2'], ['t1']])
  })

  it('is empty when everything passed, and none when it could not be taken', () => {
    expect(play(procedureOf(phases), { base: [passes], make: [] }).session.baseline).toEqual([])
    const { session } = play(procedureOf(phases), { base: [errs('gate')] })
    expect([session.baseline, session.finish?.code]).toEqual([null, 5])
  })
})

function bestOf(...test: Answer[]): number | undefined {
  return play(loop(), { test }).session.best?.iteration
}

describe('the best', () => {
  it('is replaced by a better one, or by an equal one with a smaller diff', () => {
    expect(bestOf(fails('t1', 't2'), t1)).toBe(2)
    expect(bestOf(t1, fails('t1', 't2'))).toBe(1)
    expect(bestOf(adds(t1, { diffLines: 9 }), adds(t1, { diffLines: 3 }))).toBe(2)
    expect(bestOf(t1, t1)).toBe(1)
  })

  it('is remembered with what fails on it', () => {
    expect(play(loop(), { test: [t1] }).session.best).toEqual({
      iteration: 1, tree: 'tree-1', score: [0, 1, 1, 0], heldByFloor: false, failing: [expect.objectContaining({ subject: 't1' })],
    })
  })
})

describe('labels', () => {
  const plan = ask({ pass: 'make' }, { yields: 'plan', label: 'PLANNING', rests: 'PLANNED' })
  const phases = { plan, make: opening({ pass: '@completed' }) }

  it('are the phase while it is open, its own word where it has one, and what it rests as when it is over', () => {
    const asked = play(procedureOf(phases), { plan: [] }).session
    expect([rebuild([openedWith(loop())]).label, asked.label]).toEqual(['initialized', 'PLANNING'])
    const played = play(procedureOf(phases), { make: [] })
    const rested = rebuild([openedWith(procedureOf(phases)), ...played.events.slice(0, 3)])
    expect([rested.label, played.session.label]).toEqual(['PLANNED', 'make'])
  })

  it('are the outcome when all is over', () => {
    expect(play(procedureOf(phases)).session.label).toBe('completed')
    expect(play(procedureOf(phases), { plan: [errs()] }).session.label).toBe('failed')
  })
})

describe('time and spending', () => {
  it('adds up over everything that was done, cut off or not', () => {
    const { session } = play(loop(), { make: [adds(passes, { spent: COST })], test: [] })
    expect(after(session, signal).spent).toEqual(addSpend(COST, COST))
  })

  it('is told for each finished iteration, when the next is about to open or the session ends', () => {
    const test = [costs(t1, 3), costs(t1, 30)]
    const played = play(loop({ budget: { iterations: 2 } }), { make: [costs(passes, 2), costs(passes, 20)], test })
    expect(played.session).toMatchObject({ finished: 2, elapsed: [5, 50], iterationSeconds: 0 })
    expect(play(loop(), { make: [costs(passes, 2)], test: [] }).session).toMatchObject({ finished: 0, elapsed: [], iterationSeconds: 2 })
  })

  it('counts a retry to its own iteration', () => {
    const phases = { make: opening({ pass: 'make', error: 'make' }, { retries: 1 }) }
    const { session } = play(procedureOf(phases), { make: [costs(errs(), 1), costs(passes, 2)] })
    expect(session.elapsed).toEqual([3])
  })

  it('counts what was cut off to its iteration', () => {
    const { session } = play(loop(), { make: [costs(passes, 2)], test: [] })
    expect(after(session, signal).iterationSeconds).toBe(7)
  })

  it('carries the times of the last report and of the last finished iteration, and compares neither', () => {
    const test = [adds(t1, { endedAt: 20 })]
    const { session } = play(loop(), { make: [adds(passes, { endedAt: 10 }), adds(passes, { endedAt: 30 })], test })
    expect([session.reportedAt, session.finishedAt]).toEqual([30, 20])
  })
})

describe('what is remembered', () => {
  it('is bounded: the newest ten refuted tries, the newest hundred times', () => {
    const { session } = play(loop(), { test: repeated(t1, 90) })
    expect(session.refuted.map(({ iteration }) => iteration)).toEqual([81, 82, 83, 84, 85, 86, 87, 88, 89, 90])
    const longer = play(session, { test: repeated(t1, 60), make: repeated(passes, 60) }).session
    expect([longer.elapsed.length, longer.refuted.length]).toEqual([100, 10])
  })

  it('is what fails on the tree at hand, and nothing of a pass', () => {
    const failed = play(loop(), { test: [t1], make: repeated(passes, 1) }).session
    expect(failed.facing.map(({ subject }) => subject)).toEqual(['t1'])
    const floor = { policies: { floor: { iterations: 9, to: 'make' } } }
    const passed = play(loop(floor), { test: [t1, passes], make: repeated(passes, 2) }).session
    expect([passed.facing, passed.refuted.length, passed.mended.length, passed.seen.length]).toEqual([[], 0, 1, 1])
  })

  it('of a refuted try is its number of failures and the first three', () => {
    const { session } = play(loop(), { test: [t1, fails('a', 'b', 'c', 'd')], make: repeated(passes, 2) })
    expect(session.refuted).toEqual([{ iteration: 2, failing: 4, changed: '', note: 'a, b, c' }])
    expect(play(loop(), { test: [t1, fails('x'.repeat(300))], make: repeated(passes, 2) }).session.refuted[0]?.note).toHaveLength(200)
  })

  it('of a try that was kept is what it mended: it is no refuted one', () => {
    const { session } = play(loop(), { test: [fails('a', 'b', 'c'), fails('a', 'c'), fails('a', 'c'), fails('c')], make: repeated(passes, 4) })
    expect(session.mended).toEqual([
      { iteration: 1, failing: 3, before: null, changed: '', note: '' },
      { iteration: 2, failing: 2, before: 3, changed: '', note: 'b' },
      { iteration: 4, failing: 1, before: 2, changed: '', note: 'a' },
    ])
    expect(session.refuted.map(({ iteration }) => iteration)).toEqual([3])
  })

  it('of a try that was kept is gone where a person went back before it', () => {
    const { session } = play(loop(), { test: [fails('a', 'b', 'c'), fails('a', 'c'), fails('c')], make: [1, 2, 3].map((n) => moves(`t${n}`)) })
    const undone = after(session, { type: 'undone', from: { iteration: 3, tree: 't3' }, to: { iteration: 2, tree: 't2' } })
    expect([session.mended.length, undone.mended.map(({ iteration }) => iteration)]).toEqual([3, [1, 2]])
  })
})
