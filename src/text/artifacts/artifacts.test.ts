// Tests of the artifacts on sessions played through the real core.
import { describe, expect, it } from 'vitest'
import { ARTIFACT_SCHEMAS } from '../../config/artifact-schemas.js'
import {
  adds, check, fails, failsAt, failureOf, gateFails, gateResult, loop, MIXED, moves, opening, openedWith, passes, play, procedureOf, proves,
  repeated, seal, withBaseline, type Answer, type Script,
} from '../../../test/support/core-cases.js'
import type { Event, Failure, Policies, Procedure, Session } from '../../core/index.js'
import { ARTIFACT_NAMES, makeArtifacts, type Artifacts } from './artifacts.js'
import { NOTHING_TRACKED, trackEvent } from './track.js'

function artifactsFrom(events: readonly Event[], session: Session): Artifacts {
  const artifacts = makeArtifacts(events.reduce(trackEvent, NOTHING_TRACKED), session)
  for (const name of ARTIFACT_NAMES) ARTIFACT_SCHEMAS[name].parse(JSON.parse(JSON.stringify(artifacts[name])))
  return artifacts
}

/** Baseline, then make and check in turns, for as long as the script goes. */
function turning(policies: Policies = {}): Procedure {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true, gates: ['lint', 'test'] }),
    make: opening({ pass: 'test' }),
    test: check({ pass: 'make', fail: 'make' }, { gates: ['lint', 'test'] }),
  }
  return procedureOf(phases, { policies })
}

function played(script: Script, procedure: Procedure = turning()): Artifacts {
  const { events, session } = play(openedWith(procedure, { gates: ['lint', 'test'] }), script)
  return artifactsFrom(events, session)
}

/** How each failure and each fixed one stands after these checks; the first is the baseline. */
function standing(...[baseline, ...tests]: Answer[]): Record<string, string> {
  const { current_failures: now } = played({ baseline: baseline ? [baseline] : [], test: tests })
  return Object.fromEntries([...now.failures, ...now.fixed].map(({ subject, status }) => [subject, status]))
}

describe('current failures', () => {
  it('RB-11 say of each failure whether it is new, the same, another fault, fixed, or back again', () => {
    expect(standing(fails('a', 'b'), fails('a', 'c'))).toEqual({ a: 'same', c: 'new', b: 'fixed' })
    expect(standing(fails('a', 'b'), fails('a', 'c'), fails('b', 'c'))).toEqual({ b: 'regressed', c: 'same', a: 'fixed' })
    expect(standing(fails('a'), passes, passes, fails('a'))).toEqual({ a: 'regressed' })
    expect(standing(fails('a'), gateFails([failureOf('a', { fingerprint: '1:other' })]))).toEqual({ a: 'changed' })
  })

  it('RB-11 count what was not there at the start apart from what is new since the last check', () => {
    const { current_failures: now } = played({ baseline: [fails('a')], test: [fails('a', 'b'), fails('b')] })
    expect(now.counts).toEqual({ new: 0, same: 1, changed: 0, regressed: 0, excused: 0, flaky: 0, fixed: 1, fresh: 1 })
    const runs = { failed: 1, of: 1 }
    expect(now.failures).toMatchObject([{ gate: 'test', subject: 'b', status: 'same', baseline: false, runs, before: null }])
    expect(now).toMatchObject({ version: 1, session: 'session', iteration: 2, phase: 'test', tree: 'tree-2', verdict: 'fail' })
  })

  it('have everything a failure has, but not what would have to be permitted', () => {
    const finding = { category: 'naming', severity: 'note', path: 'a.ts', snippet: 'x', fix: 'a better name' } as const
    const whole: Failure = { ...failureOf('a'), before: { failed: 0, of: 2 }, finding }
    const script = { baseline: [fails('a')], test: [gateFails([{ ...whole, breach: { kept: null, permit: [] } }])] }
    const { events } = play(openedWith(turning(), { gates: ['lint', 'test'] }), script)
    expect(events.reduce(trackEvent, NOTHING_TRACKED).last?.failures).toEqual([{ ...whole, status: 'same', baseline: true }])
  })

  it('call nothing fixed that was not run again, broke off or kept tests back', () => {
    const lintFails = failsAt('lint', 'style')
    expect(standing(fails('a'), lintFails)).toEqual({ style: 'new' })
    expect(standing(fails('a'), lintFails, fails('a'))).toEqual({ a: 'same', style: 'fixed' })
    const broken = (part: object): Answer => () => {
      return { verdict: 'fail', gates: [gateResult('lint'), gateResult('test', { exit: 'fail', ...part })] }
    }
    expect(standing(fails('a'), broken({ complete: false }))).not.toHaveProperty('a')
    expect(standing(fails('a'), broken({ missing: 1 }))).not.toHaveProperty('a')
    expect(standing(fails('a'), broken({}))).toMatchObject({ a: 'fixed' })
  })

  it('list excused and flaky failures as such, and do not call a flaky one fixed when it stays away', () => {
    const goal = { excuse: ['old*'] }
    const odd = failureOf('odd', { runs: MIXED, before: { failed: 1, of: 2 } })
    const mixed = adds(fails(), { failures: [failureOf('old-1'), odd] })
    const script = { baseline: [fails('old-1', 'odd-2')], test: [mixed] }
    const { current_failures: now, completion_reasons: completion } = played(script, turning({ goal }))
    expect(now.failures.map(({ subject, status, before }) => [subject, status, before])).toEqual([
      ['old-1', 'excused', null], ['odd', 'flaky', { failed: 1, of: 2 }],
    ])
    expect(now.counts).toMatchObject({ excused: 1, flaky: 1, fresh: 0 })
    expect(completion).toMatchObject({ excused: ['old-1'], flaky: ['odd'], fixed: ['odd-2'] })
    const later = played({ ...script, test: [mixed, passes] }, turning({ goal }))
    expect(later.current_failures.fixed.map(({ subject }) => subject)).toEqual(['odd-2', 'old-1'])
  })

  it('do not call a failure fixed that now comes and goes', () => {
    const mixed = adds(fails(), { failures: [failureOf('b', { runs: MIXED, before: { failed: 1, of: 2 } })] })
    expect(standing(passes, fails('b'), mixed)).toEqual({ b: 'flaky' })
  })

  it('take in what the engine itself finds, such as a time limit', () => {
    const slow: Answer = () => ({ verdict: 'fail', gates: [gateResult('lint'), gateResult('test', { exit: 'timeout', complete: false })] })
    expect(standing(fails('a'), slow)).toEqual({ 'test: timed out': 'new' })
  })

  it('of a session that has checked nothing are empty', () => {
    expect(played({ baseline: [] }).current_failures).toMatchObject({ iteration: 0, phase: '', gates: [], failures: [], fixed: [] })
  })
})

describe('baseline failures', () => {
  it('RB-11 hold what failed at the start, flaky or not, and what has to be proved', () => {
    const flaky = gateFails([failureOf('a'), failureOf('odd', { runs: MIXED })])
    const { baseline_failures: start } = played({ baseline: [flaky], test: [passes] }, turning({ goal: { targets: ['a'] } }))
    expect(start).toMatchObject({ captured: true, iteration: 0, tree: 'start', targets: ['a'], excuse: [] })
    expect(start.failures.map(({ subject, status }) => [subject, status])).toEqual([['a', 'failing'], ['odd', 'flaky']])
    expect(start.gates).toMatchObject([{ gate: 'test', exit: 'fail', more: 0 }])
  })

  it('say when nothing was captured, also when the look at the start went wrong', () => {
    expect(played({ baseline: [] }).baseline_failures).toMatchObject({ captured: false, tree: 'start', failures: [] })
    const wrong: Answer = () => ({ verdict: 'error', cause: 'gate', note: 'no such gate' })
    expect(played({ baseline: [wrong] }).baseline_failures).toMatchObject({ captured: false, failures: [] })
  })

  it('taken afresh replace the old ones, and leave what the work has come to', () => {
    const { events, session } = play(openedWith(turning(), { gates: ['lint', 'test'] }), { baseline: [fails('a')], test: [fails('b')] })
    const again = play(openedWith(turning(), { gates: ['lint', 'test'] }), { baseline: [fails('c')], make: [] }).events
    const baselined = again.flatMap((event): Event[] => (event.type === 'observed' ? [{ ...event, type: 'baselined' }] : []))
    const artifacts = artifactsFrom([...events, ...baselined], session)
    expect(artifacts.baseline_failures.failures).toMatchObject([{ subject: 'c' }])
    expect(artifacts.current_failures.failures).toMatchObject([{ subject: 'b' }])
  })
})

describe('the history of fingerprints', () => {
  it('RB-11 has one entry for each iteration with the identity of its failing set, and counts each fingerprint', () => {
    const script = { baseline: [fails('a', 'b')], test: [fails('a'), fails('b'), fails('b', 'c')] }
    const { failure_fingerprint_history: history } = played(script)
    expect(history.entries.map(({ iteration, failing, fingerprints }) => [iteration, failing, fingerprints])).toEqual([
      [0, 2, ['1:a', '1:b']], [1, 1, ['1:a']], [2, 1, ['1:b']], [3, 2, ['1:b', '1:c']],
    ])
    expect(history.judged).toBe(4)
    expect(history.counts).toEqual([
      { fingerprint: '1:b', gate: 'test', subject: 'b', first: 0, last: 3, seen: 3, row: 2 },
      { fingerprint: '1:c', gate: 'test', subject: 'c', first: 3, last: 3, seen: 1, row: 1 },
      { fingerprint: '1:a', gate: 'test', subject: 'a', first: 0, last: 1, seen: 2, row: 0 },
    ])
  })

  it('takes the last check of an iteration, so that a seal that fails is what counts', () => {
    const { events, session } = play(loop(), { make: [passes, passes], test: [passes, fails('b')], seal: [fails('a')] })
    const { entries, judged } = artifactsFrom(events, session).failure_fingerprint_history
    expect(entries).toMatchObject([{ iteration: 1, phase: 'seal', verdict: 'fail' }, { iteration: 2, phase: 'test' }])
    expect(judged).toBe(2)
  })

  it('RB-11 keeps the last 200 iterations however long a session goes on, and no file grows without bound', () => {
    const many = (n: number): string[] => Array.from({ length: 100 }, (_none, at) => `test ${n}-${at}`)
    const { events, session } = play(openedWith(turning(), { gates: ['lint', 'test'] }), { baseline: [passes], test: [fails('x')] })
    const { before, round } = roundOf(events)
    let track = before.reduce(trackEvent, NOTHING_TRACKED)
    for (let iteration = 1; iteration <= 250; iteration += 1) track = round(iteration, many(iteration)).reduce(trackEvent, track)
    const artifacts = makeArtifacts(track, session)
    const { entries, counts, judged } = artifacts.failure_fingerprint_history
    expect([entries.length, entries[0]?.iteration, entries.at(-1)?.iteration, judged]).toEqual([200, 51, 250, 251])
    expect([entries[0]?.failing, entries[0]?.fingerprints.length, counts.length]).toEqual([100, 50, 500])
    expect(artifacts.current_failures.fixed).toHaveLength(500)
    for (const name of ARTIFACT_NAMES) expect(JSON.stringify(artifacts[name]).length).toBeLessThan(600_000)
  })
})

/** One round of a played session, to be had again with other numbers and failures. */
function roundOf(all: readonly Event[]) {
  const at = all.findIndex((event) => event.type === 'asked' && event.effect.phase === 'test')
  const [asked, observed] = [all[at], all[at + 1]]
  if (asked?.type !== 'asked' || observed?.type !== 'observed') throw new Error('no check was played')
  return {
    before: all.slice(0, at),
    round(iteration: number, subjects: string[]): Event[] {
      const failures = subjects.map((subject) => failureOf(subject))
      const judgement = { ...observed.judgement, failing: failures.map((_failure, place) => place) }
      return [{ ...asked, effect: { ...asked.effect, iteration } }, { ...observed, report: { ...observed.report, failures }, judgement }]
    },
  }
}

describe('the reasons of completion', () => {
  function ended(script: Script, procedure: Procedure): Artifacts['completion_reasons'] {
    const { events, session } = play(procedure, script)
    return artifactsFrom(events, session).completion_reasons
  }

  it('RB-11 tell of a proved end what was fixed, what shows it and what is excepted', () => {
    const goal = { excuse: ['old'] }
    const sealed = (effect: Parameters<Answer>[0]) => ({ ...proves(effect), exceptions: ['a pinned file was changed by permission'] })
    expect(ended({ baseline: [fails('a', 'old')], make: [moves('t')], seal: [sealed] }, withBaseline(goal))).toMatchObject({
      outcome: 'converged', code: 0, label: 'partly verified', proved: true, tree: 't', iteration: 1,
      evidence: ['a new test that failed before'], exceptions: ['a pinned file was changed by permission'],
      fixed: ['a', 'old'], fresh: [], fingerprints: [],
    })
  })

  it('RB-11 tell of a stall what fails, by which fingerprints, and how it was noticed', () => {
    const rungs = [{ at: 2, stance: 'calm' }, { at: 3, to: '@stalled' }]
    const policies: Policies = { ladder: { signals: ['repeats', 'plateau'], rungs } }
    const phases = { ...withBaseline().phases, seal: seal({ pass: '@converged', fail: 'make' }) }
    const reasons = ended(
      { baseline: [fails('a')], make: repeated(moves('same'), 9), seal: repeated(fails('a', 'b'), 9) },
      procedureOf(phases, { policies }),
    )
    expect(reasons).toMatchObject({ outcome: 'stalled', label: 'unverified', proved: false, fresh: ['b'], fixed: [] })
    expect(reasons.reasons).toEqual([reasons.why, 'test: a', 'test: b'])
    expect(reasons.fingerprints).toEqual(['1:a', '1:b'])
    expect(reasons.stall).toMatchObject({ repeats: 3, rung: 1 })
  })

  it('RB-11 are there while the session goes on, with no outcome yet', () => {
    const reasons = ended({ baseline: [fails('a')], make: [passes], seal: [fails('a')] }, withBaseline())
    expect(reasons).toMatchObject({ outcome: null, code: null, label: null, proved: false, reasons: [reasons.why, 'test: a'] })
    expect(reasons.why).not.toBe('')
  })

  it('are about the tree that is delivered, not the last that was tried', () => {
    const phases = withBaseline().phases
    const procedure = procedureOf(phases, { final: 'best', budget: { iterations: 2 } })
    const script = { baseline: [fails('a', 'b')], make: [moves('t1'), moves('t2')], seal: [fails('a'), adds(fails('a', 'b', 'c'), {})] }
    expect(ended(script, procedure)).toMatchObject({ outcome: 'exhausted', tree: 't1', fresh: [], fingerprints: ['1:a'] })
  })
})
