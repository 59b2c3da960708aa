// Tests of going on: a session that was cut off keeps its effect, and one that gave up is reopened where it was cut.
import { describe, expect, it } from 'vitest'
import {
  adds, after, ask, check, costs, errs, failureOf, fails, ladder, loop, openedWith, opening, passes, path, play, procedureOf, proves,
  seal, workspace,
} from '../../test/support/core-cases.js'
import { rebuild } from './apply.js'
import { obstacleToExtend, reissue } from './step.js'
import type { Budget, Event, Session } from './types.js'

const t1 = fails('t1')
const COST = { seconds: 5, tokens: 50, usd: 0.5 }
const signal: Event = { type: 'interrupted', cause: 'signal', note: '', spent: COST }
const crash: Event = { type: 'interrupted', cause: 'crash', note: '', spent: COST }

/** A session cut off in its first check. */
function cut(...events: Event[]): Session {
  return after(play(loop(), { make: [passes], test: [] }).session, ...events)
}

function extended(session: Session, budget: Budget = {}): Session {
  return after(session, { type: 'extended', budget })
}

describe('a session that is cut off', () => {
  it('keeps its outstanding effect under the same name, and pays for what was done', () => {
    const session = cut(signal)
    expect([session.outstanding?.id, session.rest, session.cuts, session.spent]).toEqual(['2.test', 'interrupted', 1, COST])
    expect(reissue(session)).toBeNull()
  })

  it('begins a crashed effect again twice; the third crash is an error of it', () => {
    expect([reissue(cut(crash)), reissue(cut(crash, crash))]).toEqual([null, null])
    expect(reissue(cut(crash, crash, crash))).toMatchObject({
      effect: '2.test', verdict: 'error', cause: 'interrupted', note: 'cut off by a crash 3 times',
    })
  })

  it('may be stopped by its user as often as they like', () => {
    expect(reissue(cut(signal, signal, crash, signal, signal, crash))).toBeNull()
  })

  it('starts counting again with the next effect', () => {
    const { session } = play(cut(crash, crash), { test: [t1], make: [] })
    expect([session.outstanding?.id, session.cuts, session.crashes]).toEqual(['3.make', 0, 0])
  })

  it('between two effects has nothing to begin again', () => {
    const session = after(rebuild([openedWith(loop())]), crash, crash, crash)
    expect([session.cuts, session.crashes, reissue(session)]).toEqual([0, 0, null])
  })

  it('is paused, stopped or interrupted until something is done again', () => {
    const rests = ([{ type: 'paused' }, { type: 'stopped' }, signal] as const).map((event) => cut(event))
    expect(rests.map(({ rest }) => rest)).toEqual(['paused', 'stopped', 'interrupted'])
    expect(rests.map((session) => play(session, { test: [t1], make: [] }).session.rest)).toEqual(['running', 'running', 'running'])
  })
})

describe('a session that is extended', () => {
  it('I8 takes on budgets that are higher, never lower, and a bound where there was none', () => {
    const { session } = play(loop({ budget: { iterations: 5, seconds: 60, usd: 1 } }), { make: [] })
    expect(extended(session, { iterations: 9, seconds: 30, tokens: 100, usd: 2 }).budget).toEqual({ iterations: 9, seconds: 60, tokens: 100, usd: 2 })
    expect(extended(session, { iterations: 0 }).budget.iterations).toBe(0)
  })

  it('goes on where the budget cut it', () => {
    const phases = { ...loop().phases, test: check({ pass: 'seal', fail: 'look' }), look: ask({ pass: 'make' }, { yields: 'review' }) }
    const spent = play(procedureOf(phases, { budget: { seconds: 10 } }), { test: [costs(t1, 11)] }).session
    expect(obstacleToExtend(spent, {})).toBe('11 of 10 seconds spent')
    expect(obstacleToExtend(spent, { seconds: 20 })).toBeNull()
    const played = play(extended(spent, { seconds: 20 }), { make: [] })
    expect(path(played)).toEqual(['look', 'make'])
    expect(played.session).toMatchObject({ iteration: 2, spent: { seconds: 11 }, rest: 'running', finish: null })
  })

  it('goes on with the next iteration when all were done', () => {
    const spent = play(loop({ budget: { iterations: 2 } }), { test: [t1, t1] }).session
    expect(obstacleToExtend(spent, { iterations: 2 })).toBe('all 2 iterations are done')
    expect(obstacleToExtend(spent, { iterations: 3 })).toBeNull()
    const again = play(extended(spent, { iterations: 3 }), { test: [t1] }).session
    expect(again).toMatchObject({ iteration: 3, finish: { outcome: 'exhausted' } })
  })

  it('goes on after a stall with its ladder and counters at the beginning, what was used still used', () => {
    const rungs = [{ at: 1, stance: 'calm', times: 1 }, { at: 2, to: '@stalled' }]
    const stalled = play(loop({ policies: ladder(rungs) }), { test: [t1, t1] }).session
    expect(stalled.finish?.outcome).toBe('stalled')
    expect(extended(stalled)).toMatchObject({ at: 'make', finish: null, rung: -1, uses: [1, 1], stall: { repeats: 0, level: 0 }, seen: [] })
    expect(play(extended(stalled), { test: [t1, t1] }).session).toMatchObject({ iteration: 4, finish: { outcome: 'stalled' } })
  })

  it('goes on after setbacks with none', () => {
    const policies = { setbacks: { limit: 2, counts: ['fail' as const] }, infrastructure: { limit: 1 } }
    const aborted = play(loop({ policies }), { test: [t1, t1] }).session
    const again = play(extended(aborted), { test: [t1] }).session
    expect(again).toMatchObject({ iteration: 4, setbacks: { row: 1 }, finish: null })
  })

  it('goes on with a gate that could not be run', () => {
    const refused = play(loop(), { make: [passes], test: [errs('gate')] }).session
    expect(obstacleToExtend(refused, {})).toBeNull()
    expect(path(play(extended(refused), { make: [], seal: [] }))).toEqual(['test', 'seal'])
  })

  it('may give its best tree another seal when it gives up once more', () => {
    const part = { policies: { floor: { iterations: 9, to: 'make' } }, budget: { seconds: 10 } }
    const spent = play(loop(part), { test: [costs(passes, 11)], seal: [t1] }).session
    const again = play(extended(spent, { seconds: 20 }), { test: [costs(t1, 11)], seal: [proves] })
    expect([spent.finish?.outcome, again.session.finish?.outcome]).toEqual(['exhausted', 'converged'])
  })

  it('stays ended where there is nothing to resume', () => {
    const done = play(loop(), { seal: [proves] }).session
    expect(obstacleToExtend(done, { iterations: 99 })).toBe('it ended converged; there is nothing to resume')
    expect(extended(done)).toEqual(done)
  })

  it('goes on as it is when it had not ended', () => {
    const { session } = play(loop({ policies: { setbacks: { limit: 3, counts: ['fail'] } }, budget: { iterations: 5 } }), { test: [t1] })
    expect(obstacleToExtend(session, {})).toBeNull()
    expect(extended(session, { iterations: 7 })).toEqual({ ...session, budget: { iterations: 7 } })
  })

  it('keeps the proof of the tree it stands on', () => {
    const commit = workspace('commit', { pass: '@converged', error: '@refused' })
    const phases = { make: opening({ pass: 'seal' }), seal: seal({ pass: 'commit', fail: 'make' }), commit }
    const { session } = play(procedureOf(phases), { seal: [proves], commit: [errs('guard')] })
    expect(session.finish).toMatchObject({ outcome: 'refused', code: 6, resumesAt: 'commit' })
    expect(play(extended(session)).session.finish?.outcome).toBe('converged')
  })

  it('goes on after any row of bad luck with none of it', () => {
    const policies = { infrastructure: { limit: 1 }, breaches: { limit: 1 }, setbacks: { limit: 1, counts: ['fail' as const] } }
    const breach = adds(t1, { failures: [failureOf('docs/a.md', { class: 'scope' })] })
    const refused = play(loop({ policies }), { test: [breach] }).session
    const none = { setbacks: { row: 0, marked: false, by: null }, infrastructure: 0, breaches: { subject: '', row: 0 }, rest: 'running' }
    expect(refused).toMatchObject({ setbacks: { row: 1, marked: true }, breaches: { row: 1 }, finish: { code: 6 } })
    expect(extended(after(refused, { type: 'paused' }))).toMatchObject(none)
    const unreached = play(loop({ policies }), { make: [errs('infrastructure')] }).session
    expect([unreached.infrastructure, extended(unreached)]).toMatchObject([1, none])
  })

  it('has no maximum in its way where there is none', () => {
    const stalled = play(loop({ policies: ladder([{ at: 1, to: '@stalled' }]), budget: { iterations: 0 } }), { test: [t1] }).session
    expect(obstacleToExtend(stalled, {})).toBeNull()
  })

  it('goes on within the iteration in which the agent could not be reached, though it is the last', () => {
    const part = { policies: { infrastructure: { limit: 2 } }, budget: { iterations: 1 } }
    const refused = play(loop(part), { make: [errs('infrastructure'), errs('infrastructure')] }).session
    expect([obstacleToExtend(refused, {}), refused.finished]).toEqual([null, 0])
    const again = play(extended(refused), { seal: [proves] })
    expect(again.effects[0]).toMatchObject({ iteration: 1, base: 'iteration-1/make-3', opensIteration: false })
    expect(again.session).toMatchObject({ iteration: 1, finished: 1, finish: { outcome: 'converged' } })
  })

  it('goes on with the try that the budget cut off, within its iteration', () => {
    const make = opening({ pass: '@completed' }, { retries: 1 })
    const spent = play(procedureOf({ make }, { budget: { iterations: 1, seconds: 10 } }), { make: [costs(errs(), 11)] }).session
    expect(obstacleToExtend(spent, { seconds: 20 })).toBeNull()
    expect(play(extended(spent, { seconds: 20 })).session).toMatchObject({ iteration: 1, finish: { outcome: 'completed' } })
  })

  it('goes on with a check though nothing is left to spend: a budget binds asks alone', () => {
    const refused = play(loop({ budget: { seconds: 10 } }), { make: [costs(passes, 11)], test: [errs('gate')] }).session
    expect([refused.finish?.resumesAt, obstacleToExtend(refused, {})]).toEqual(['test', null])
  })
})
