// Tests of what a report means: which failures count, which are set aside, and what is stored of them.
import { describe, expect, it } from 'vitest'
import {
  checked, errs, fails, failsAt, failureOf, gateFails, gateResult, MIXED, moves, passes, play, procedureOf, sealedAfter, withBaseline,
  workspace,
} from '../../test/support/core-cases.js'
import { failingOf } from './judge.js'
import type { Failure, GateResult, Report } from './types.js'

describe('a failure that was there before us', () => {
  it('counts all the same while nobody excuses it', () => {
    expect(sealedAfter(['t1'], fails('t1'))).toMatchObject({ verdict: 'fail', failing: [0], excused: [], fresh: [] })
  })

  it('is excused by name or by a pattern, and listed', () => {
    for (const excuse of ['old one', 'old*']) {
      const judgement = sealedAfter(['old one', 't1'], fails('old one'), { excuse: [excuse] })
      expect(judgement).toMatchObject({ verdict: 'pass', excused: ['old one'], failing: [] })
    }
  })

  it('is excused when targets are named and it is none of them', () => {
    expect(sealedAfter(['t1', 'other'], fails('other'), { targets: ['t*'] })).toMatchObject({ verdict: 'pass', excused: ['other'] })
    expect(sealedAfter(['t1', 'other'], fails('t1'), { targets: ['t*'] })).toMatchObject({ verdict: 'fail', excused: [] })
  })

  it('is never excused when it is a target, whatever else excuses it', () => {
    expect(sealedAfter(['t1'], fails('t1'), { targets: ['t1'], excuse: ['*'] })).toMatchObject({ verdict: 'fail', excused: [] })
  })

  it('is told from a new one, which nothing excuses', () => {
    const judgement = sealedAfter(['t1'], fails('t1', 't2'), { excuse: ['*'] })
    expect(judgement).toMatchObject({ verdict: 'fail', excused: ['t1'], failing: [1], fresh: ['t2'] })
  })

  it('is called new by a session without a baseline, where everything is', () => {
    expect(checked(fails('t1'), { policies: { goal: { excuse: ['*'] } } })).toMatchObject({ verdict: 'fail', fresh: ['t1'], excused: [] })
  })
})

describe('a pattern', () => {
  it.each([
    ['t1', 't1', 'matches'], ['t1', 't12', 'does not match'], ['*', 'anything', 'matches'], ['t*', 'at', 'does not match'],
    ['*b', 'ab', 'matches'], ['a*c', 'abc', 'matches'], ['a*c', 'ac', 'matches'], ['a*a', 'a', 'does not match'],
    ['a*b*c', 'a1b2c', 'matches'], ['a*b*c', 'acb', 'does not match'], ['a.c', 'abc', 'does not match'], ['**', '', 'matches'],
    ['*ab*ab', 'ab', 'does not match'], ['', 'a', 'does not match'], ['a*x*c', 'abc', 'does not match'],
  ])('"%s" and the subject "%s": it %s', (pattern, subject, outcome) => {
    expect(sealedAfter([subject], fails(subject), { excuse: [pattern] }).excused).toEqual(outcome === 'matches' ? [subject] : [])
  })

  it('with many stars is no slower than its length', () => {
    const subject = 'a'.repeat(5_000)
    expect(sealedAfter([subject], fails(subject), { excuse: [`${'*a'.repeat(500)}*b`] }).excused).toEqual([])
  })
})

describe('I7 nothing is set aside', () => {
  const excuse = { excuse: ['*'] }

  it.each<[string, Partial<GateResult>, Partial<Failure>]>([
    ['of a run that broke off', { complete: false }, {}],
    ['of a run that kept ids back', { missing: 2 }, {}],
    ['of a run that timed out', { exit: 'timeout' }, {}],
    ['of a gate that passed', { exit: 'pass' }, {}],
    ['of a gate that is not in the report', {}, { gate: 'other' }],
    ['that is a scope breach', {}, { class: 'scope' }],
    ['that is an integrity breach', {}, { class: 'integrity' }],
  ])('%s, neither as old nor as flaky', (_, gate, failure) => {
    const old = gateFails([failureOf('t1', failure)], gate)
    const flaky = gateFails([failureOf('t1', { ...failure, runs: MIXED })], gate)
    expect(sealedAfter(['t1'], old, excuse)).toMatchObject({ verdict: 'fail', excused: [] })
    expect(sealedAfter(['t9'], flaky)).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it.each<[string, Partial<GateResult>, string]>([
    ['fails without saying what', { exit: 'fail' }, 'test: failed without saying what'],
    ['breaks off', { exit: 'pass', complete: false }, 'test: broke off'],
    ['keeps ids back', { exit: 'pass', missing: 1 }, 'test: missing tests'],
    ['times out', { exit: 'timeout', complete: false }, 'test: timed out'],
  ])('and a gate that %s is a failure of its own', (_, part, subject) => {
    const judgement = sealedAfter(['t1'], () => ({ gates: [gateResult('test', part)] }), excuse)
    expect(judgement).toMatchObject({ verdict: 'fail', failing: [], fresh: [subject] })
    expect(judgement.found.map((failure) => failure.subject)).toEqual([subject])
  })

  it('and a failure of its own has an identity of its own, with the gate\'s note as its message', () => {
    const timedOut = checked(gateFails([], { exit: 'timeout', note: 'after 30 minutes' }))
    const silent = checked(gateFails([]))
    expect(timedOut.found).toEqual([failureOf('test: timed out', { message: 'after 30 minutes', fingerprint: expect.any(String) })])
    expect(silent.found[0]?.message).toBe('failed without saying what')
    expect(timedOut.key).not.toBe(silent.key)
  })

  it('but a gate that was not run, or could not be, is no failure beside one that failed', () => {
    for (const exit of ['not run', 'error'] as const) {
      const gates = [gateResult('lint', { exit: 'fail' }), gateResult('test', { exit, complete: false })]
      const judgement = checked(() => ({ verdict: 'fail', gates, failures: [failureOf('l1', { gate: 'lint' })] }))
      expect(judgement).toMatchObject({ verdict: 'fail', found: [], fresh: ['l1'] })
    }
  })
})

describe('a failure that comes and goes', () => {
  it('is set aside as flaky and listed, and does not count', () => {
    expect(checked(gateFails([failureOf('t1', { runs: MIXED })]))).toMatchObject({ verdict: 'pass', flaky: ['t1'], failing: [], key: '' })
  })

  it('does not hide one that stays', () => {
    const judgement = checked(gateFails([failureOf('t1', { runs: MIXED }), failureOf('t2', { runs: { failed: 3, of: 3 } })]))
    expect(judgement).toMatchObject({ verdict: 'fail', flaky: ['t1'], failing: [1] })
    expect(judgement.key).toBe(checked(fails('t2')).key)
  })

  it('is not part of the baseline', () => {
    const { session } = play(withBaseline(), { baseline: [gateFails([failureOf('t1', { runs: MIXED }), failureOf('t2')])], make: [] })
    expect(session.baseline).toEqual(['t2'])
  })

  it('I9 still counts when it is what has to be proved', () => {
    const flaky = gateFails([failureOf('t1', { runs: MIXED })])
    expect(sealedAfter(['t1'], flaky)).toMatchObject({ verdict: 'fail', flaky: [], failing: [0] })
    expect(sealedAfter(['t1', 't2'], flaky, { excuse: ['t1'] })).toMatchObject({ verdict: 'pass', flaky: ['t1'] })
  })
})

describe('a candidate that changes nothing', () => {
  const goal = { policies: { goal: { change: true } } }
  const same = moves('start')

  it('fails where a change is wanted, even though every gate passes', () => {
    expect(checked(passes, goal, same)).toMatchObject({ verdict: 'fail', judged: true, fresh: ['change: no change'] })
  })

  it('passes where no change is asked for, and a changed tree passes anyway', () => {
    expect(checked(passes, {}, same).verdict).toBe('pass')
    expect(checked(passes, goal).verdict).toBe('pass')
  })

  it('is told by its real failures where there are some, and not at all when the check itself broke', () => {
    expect(checked(fails('t1'), goal, same).fresh).toEqual(['t1'])
    expect(checked(errs('gate'), goal, same)).toMatchObject({ verdict: 'error', fresh: [] })
  })

  it('does not make the baseline fail', () => {
    const { session } = play(withBaseline({ change: true }), { baseline: [passes], make: [] })
    expect(session.baseline).toEqual([])
  })
})

describe('what is stored of failures', () => {
  it('is their places in the report, and in full only those the engine found itself', () => {
    const report: Partial<Report> = gateFails([failureOf('t1', { runs: MIXED }), failureOf('t2')], { missing: 1 })({} as never)
    const judgement = checked(() => report)
    expect(judgement.failing).toEqual([0, 1])
    expect(failingOf(report as Report, judgement).map((failure) => failure.subject)).toEqual(['t1', 't2', 'test: missing tests'])
  })

  it('names the first breach', () => {
    expect(checked(fails('t1')).breach).toBeNull()
    expect(checked(gateFails([failureOf('t1'), failureOf('docs/a.md', { class: 'scope' })])).breach).toBe('docs/a.md')
  })

  it('comes from asks and workspace phases too', () => {
    const phases = { take: workspace('materialise', { fail: '@failed' }) }
    const { judgements } = play(procedureOf(phases), { take: [failsAt('take', 'bad path')] })
    expect(judgements[0]).toMatchObject({ verdict: 'fail', fresh: ['bad path'] })
  })
})
