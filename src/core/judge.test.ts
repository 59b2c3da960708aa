// Tests of what a report means: which failures count, what the verdict is, and whether the work is proved.
import { describe, expect, it } from 'vitest'
import {
  adds, check, errs, failsAt, fails, failureOf, gateResult, ledger, loop, moves, openedWith, opening, passes, play, procedureOf, proves, seal,
  workspace, type Answer,
} from '../../test/support/core-cases.js'
import { failingOf } from './judge.js'
import type { Failure, GateResult, Judgement, Policies, Procedure, Report } from './types.js'

const MIXED = { failed: 1, of: 3 }

/** Baseline, make, seal; nothing else. */
function withBaseline(goal: NonNullable<Policies['goal']> = {}): Procedure {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true }),
    make: opening({ pass: 'seal' }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  }
  return procedureOf(phases, { policies: { goal } })
}

/** How the seal of the first candidate is judged, when these subjects failed before. */
function sealed(before: string[], answer: Answer, goal: NonNullable<Policies['goal']> = {}): Judgement {
  const baseline = before.length > 0 ? fails(...before) : passes
  return play(withBaseline(goal), { baseline: [baseline], make: [passes], seal: [bound(answer)] }).judgements.at(-1) as Judgement
}

/** As a shell would report it: the seal is bound to the tree it ran on, whatever came out. */
function bound(answer: Answer): Answer {
  return (effect) => ({ ...answer(effect), sealed: { tree: effect.tree, pins: 'pins' } })
}

/** One failing gate with these failures, and what else is to be said of it. */
function gateFails(failures: Failure[], part: Partial<GateResult> = {}): Answer {
  return () => ({ verdict: 'fail', gates: [gateResult('test', { exit: 'fail', ...part })], failures })
}

/** How the first check of the plain loop is judged. */
function checked(answer: Answer, part: Partial<Procedure> = {}): Judgement {
  return play(loop(part), { make: [passes], test: [answer], seal: [] }).judgements[1] as Judgement
}

describe('a failure that was there before us', () => {
  it('counts all the same while nobody excuses it', () => {
    expect(sealed(['t1'], fails('t1'))).toMatchObject({ verdict: 'fail', failing: [0], excused: [], fresh: [] })
  })

  it('is excused by name or by a pattern, and listed', () => {
    expect(sealed(['old one', 't1'], fails('old one'), { excuse: ['old one'] })).toMatchObject({ verdict: 'pass', excused: ['old one'], failing: [] })
    expect(sealed(['old one', 't1'], fails('old one'), { excuse: ['old*'] })).toMatchObject({ verdict: 'pass', excused: ['old one'] })
  })

  it('is excused when targets are named and it is none of them', () => {
    expect(sealed(['t1', 'other'], fails('other'), { targets: ['t*'] })).toMatchObject({ verdict: 'pass', excused: ['other'] })
    expect(sealed(['t1', 'other'], fails('t1'), { targets: ['t*'] })).toMatchObject({ verdict: 'fail', excused: [] })
  })

  it('is never excused when it is a target, whatever else excuses it', () => {
    expect(sealed(['t1'], fails('t1'), { targets: ['t1'], excuse: ['*'] })).toMatchObject({ verdict: 'fail', excused: [] })
  })

  it('is told from a new one, which nothing excuses', () => {
    expect(sealed(['t1'], fails('t1', 't2'), { excuse: ['*'] })).toMatchObject({ verdict: 'fail', excused: ['t1'], failing: [1], fresh: ['t2'] })
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
    ['*ab*ab', 'ab', 'does not match'], ['', 'a', 'does not match'],
  ])('"%s" and the subject "%s": it %s', (pattern, subject, outcome) => {
    expect(sealed([subject], fails(subject), { excuse: [pattern] }).excused).toEqual(outcome === 'matches' ? [subject] : [])
  })

  it('with many stars is no slower than its length', () => {
    const subject = 'a'.repeat(5_000)
    expect(sealed([subject], fails(subject), { excuse: [`${'*a'.repeat(500)}*b`] }).excused).toEqual([])
  })
})

describe('I7 nothing is set aside', () => {
  const old = failureOf('t1')
  const excuse = { excuse: ['*'] }

  it.each<[string, Answer]>([
    ['of a run that broke off', gateFails([old], { complete: false })],
    ['of a run that kept ids back', gateFails([old], { missing: 2 })],
    ['of a run that timed out', gateFails([old], { exit: 'timeout' })],
    ['of a gate that is not in the report', () => ({ verdict: 'fail', gates: [gateResult('test')], failures: [failureOf('t1', { gate: 'other' })] })],
    ['that is a scope breach', gateFails([failureOf('t1', { class: 'scope' })])],
    ['that is an integrity breach', gateFails([failureOf('t1', { class: 'integrity' })])],
  ])('%s, neither as old nor as flaky', (_, answer) => {
    const flaky: Answer = (effect) => {
      const report = answer(effect) as Report
      return { ...report, failures: report.failures.map((failure) => ({ ...failure, runs: MIXED })) }
    }
    expect(sealed(['t1'], answer, excuse)).toMatchObject({ verdict: 'fail', excused: [] })
    expect(sealed(['t9'], flaky)).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it.each<[string, Partial<GateResult>, string]>([
    ['fails without saying what', { exit: 'fail' }, 'test: failed without saying what'],
    ['breaks off', { exit: 'pass', complete: false }, 'test: broke off'],
    ['keeps ids back', { exit: 'pass', missing: 1 }, 'test: missing tests'],
    ['times out', { exit: 'timeout', complete: false }, 'test: timed out'],
  ])('and a gate that %s is a failure of its own', (_, part, subject) => {
    const judgement = sealed(['t1'], () => ({ gates: [gateResult('test', part)] }), excuse)
    expect(judgement).toMatchObject({ verdict: 'fail', failing: [], fresh: [subject] })
    expect(judgement.found.map((failure) => failure.subject)).toEqual([subject])
  })

  it('and a failure of its own has an identity of its own, with the gate\'s note as its message', () => {
    const timedOut = checked(gateFails([], { exit: 'timeout', note: 'after 30 minutes' }))
    const silent = checked(gateFails([]))
    expect(timedOut.found[0]?.message).toBe('after 30 minutes')
    expect(silent.found[0]?.message).toBe('failed without saying what')
    expect(timedOut.key).not.toBe(silent.key)
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
})

describe('a candidate that changes nothing', () => {
  const goal = { policies: { goal: { change: true } } }
  const unchanged = (part: Partial<Procedure>, answer: Answer = passes): Judgement =>
    play(loop(part), { make: [moves('start')], test: [answer], seal: [] }).judgements[1] as Judgement

  it('fails where a change is wanted, even though every gate passes', () => {
    expect(unchanged(goal)).toMatchObject({ verdict: 'fail', judged: true, fresh: ['change: no change'] })
  })

  it('passes where no change is asked for, and a changed tree passes anyway', () => {
    expect(unchanged({}).verdict).toBe('pass')
    expect(checked(passes, goal).verdict).toBe('pass')
  })

  it('is told by its real failures where there are some, and not at all when the check itself broke', () => {
    expect(unchanged(goal, fails('t1')).fresh).toEqual(['t1'])
    expect(unchanged(goal, errs('gate'))).toMatchObject({ verdict: 'error', fresh: [] })
  })

  it('does not make the baseline fail', () => {
    const { session } = play(withBaseline({ change: true }), { baseline: [passes], make: [] })
    expect(session.baseline).toEqual([])
  })
})

describe('the verdict of a check', () => {
  it('is what the failures say, not what the report claims', () => {
    expect(checked(adds(fails('t1'), { verdict: 'pass' })).verdict).toBe('fail')
  })

  it('is error or cancelled where the report says so', () => {
    expect(checked(errs('gate')).verdict).toBe('error')
    expect(checked(() => ({ verdict: 'cancelled' })).verdict).toBe('cancelled')
  })

  it('is pass where no gates are configured', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ pass: 'make' }, { gates: ['@configured'] }) }
    const { judgements } = play(openedWith(procedureOf(phases), { gates: [] }), { make: [passes] })
    expect(judgements.at(-1)).toMatchObject({ verdict: 'pass', failing: [], found: [] })
  })

  it('of a seal is error unless it is bound to the very tree it was asked for', () => {
    const verdictWhen = (part: Partial<Report>): string | undefined =>
      play(loop(), { make: [passes], seal: [adds(proves, part)] }).judgements.at(-1)?.verdict
    expect(verdictWhen({})).toBe('pass')
    expect(verdictWhen({ sealed: null })).toBe('error')
    expect(verdictWhen({ sealed: { tree: 'another', pins: 'pins' } })).toBe('error')
    expect(verdictWhen({ sealed: { tree: 'another', pins: 'pins' }, tree: 'another' })).toBe('error')
  })
})

describe('the proof', () => {
  it('is there when a target failed before and the seal passes', () => {
    expect(sealed(['t1'], passes).proof).toEqual({ tree: 'tree-1', pins: 'pins', exceptions: [] })
  })

  it('needs other evidence when nothing failed before, or only what is excused', () => {
    expect(sealed([], passes).proof).toBeNull()
    expect(sealed(['t1'], passes, { excuse: ['t1'] }).proof).toBeNull()
    expect(sealed([], proves).proof).not.toBeNull()
  })

  it('is not to be had from a check that is not sealed, nor from a seal that fails', () => {
    expect(checked(proves).proof).toBeNull()
    expect(sealed(['t1'], adds(fails('t1'), { evidence: ['something'] })).proof).toBeNull()
  })

  it('is not to be had of the tree the session started from', () => {
    const played = play(withBaseline(), { baseline: [fails('t1')], make: [moves('start')], seal: [proves] })
    expect(played.judgements.at(-1)).toMatchObject({ verdict: 'pass', proof: null })
    expect(played.session.finish).toMatchObject({ outcome: 'completed', label: 'unverified' })
  })

  it('carries what keeps it from being a full one', () => {
    expect(sealed(['t1'], adds(passes, { exceptions: ['text only'] })).proof?.exceptions).toEqual(['text only'])
  })
})

describe('an iteration is judged once', () => {
  it('by its first failing check, not by what comes after', () => {
    const phases = {
      make: opening({ pass: 'test' }),
      test: check({ pass: '@completed', fail: 'again' }),
      again: check({ pass: 'make', fail: 'make' }),
    }
    const played = play(procedureOf(phases), { make: [passes], test: [fails('t1')], again: [fails('t1', 't2')] })
    expect(played.judgements.map((judgement) => judgement.judged)).toEqual([false, true, false])
  })

  it('by a passing seal, not by the check before it', () => {
    expect(play(loop(), { seal: [proves] }).judgements.map((judgement) => judgement.judged)).toEqual([false, false, true])
  })

  it('by a pass that leaves the iteration: to the next one, or to an end', () => {
    const phases = { make: opening({ pass: 'test' }), test: check({ pass: 'make' }) }
    expect(ledger(play(procedureOf(phases), { make: [passes] }))).toHaveLength(1)
    expect(ledger(play(procedureOf({ ...phases, test: check({ pass: '@completed' }) })))).toHaveLength(1)
  })

  it('not by an error, a baseline, an ask that does not say so, or anything before the first iteration', () => {
    expect(ledger(play(loop(), { make: [passes], test: [errs('gate')] }))).toEqual([])
    expect(ledger(play(withBaseline(), { baseline: [fails('t1')], make: [] }))).toEqual([])
    const early = { look: check({ fail: 'make' }), make: opening({ pass: '@completed', fail: '@failed' }) }
    expect(ledger(play(procedureOf(early), { look: [fails('t1')], make: [() => ({ verdict: 'fail' })] }))).toEqual([])
  })

  it('by an ask that says that it judges', () => {
    const phases = { make: opening({ pass: 'make', fail: 'make' }, { judges: true }) }
    const [judgement] = ledger(play(procedureOf(phases), { make: [adds(fails('too long'), { tree: 'a' })] }))
    expect(judgement).toMatchObject({ verdict: 'fail', fresh: ['too long'] })
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
    expect(play(procedureOf(phases), { take: [failsAt('take', 'bad path')] }).judgements[0]).toMatchObject({ verdict: 'fail', fresh: ['bad path'] })
  })
})
