// Tests of what plans, audits, amendments and reviews do to a session.
import { describe, expect, it } from 'vitest'
import {
  adds, ask, check, errs, fails, failureOf, ladder, ledger, moves, opening, passes, play, procedureOf, proves, repeated, seal, type Answer,
} from '../../test/support/core-cases.js'
import { issue, reissue, type Effect, type Finding, type Procedure } from './index.js'

const ref = (path: string) => ({ path, sha: 'a', bytes: 1 })

function reviewed(part: Partial<Procedure> = {}, reuse: { reuse?: 'tree' } = {}): Procedure {
  const phases = {
    make: opening({ pass: 'test', error: 'make' }),
    test: check({ pass: 'audit', fail: 'make' }),
    audit: ask({ pass: 'seal', fail: 'make' }, { role: 'auditor', yields: 'review', judges: true, ...reuse }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  }
  return procedureOf(phases, part)
}

const finding = (severity: Finding['severity']): Finding => ({ category: 'style', severity, path: 'a.js', snippet: '', fix: '' })

function finds(subject: string, severity: Finding['severity'] = 'warning'): Answer {
  return () => ({ verdict: 'fail', failures: [failureOf(subject, { gate: 'review', finding: finding(severity) })] })
}

describe('a plan', () => {
  const planning = procedureOf({
    plan: ask({ pass: 'make' }, { role: 'planner', yields: 'plan', opensPlan: true, retries: 1 }),
    make: opening({ pass: 'test' }),
    test: check({ pass: '@completed', fail: 'make' }),
  })

  it('moves the tree and the pins, and every effect after it names both.', () => {
    const { effects } = play(planning, { plan: [() => ({ tree: 'with-tests', pins: 'pinned' })], make: [] })
    expect(effects.map(({ phase, tree, pins }) => [phase, tree, pins])).toEqual([['plan', 'start', 'start'], ['make', 'with-tests', 'pinned']])
  })

  it('that cannot be read is asked for once more, with what was wrong, and the fault is forgotten with the next good answer.', () => {
    const once = play(planning, { plan: [errs('agent')] })
    expect([once.session.repeating, once.session.fault]).toEqual([true, 'broken by agent'])
    expect(play(planning, { plan: [errs('agent'), passes], make: [] }).session.fault).toBe('')
    expect(play(planning, { plan: repeated(errs('agent'), 2) }).session.finish).toMatchObject({ outcome: 'failed', code: 1 })
  })

  it('is kept by name until another one takes its place or takes it away.', () => {
    const keeps = (kept: Record<string, ReturnType<typeof ref> | null>): Answer => adds(passes, { keeps: kept })
    const first = play(planning, { plan: [keeps({ plan: ref('plan.md'), code: ref('code.md') })], make: [keeps({ code: null })], test: [] })
    expect(first.session.kept).toEqual({ plan: ref('plan.md') })
  })
})

describe('tests corrected by an audit', () => {
  const audited = procedureOf({
    make: opening({ pass: 'test' }),
    test: check({ pass: 'seal', fail: 'audit' }),
    audit: ask({ pass: 'make', fail: 'make' }, { role: 'auditor', yields: 'tests' }),
    seal: seal({ pass: '@converged', fail: 'make' }),
  })

  it('move the pins and take the label down to partly verified.', () => {
    const audit: Answer = () => ({ verdict: 'fail', tree: 'corrected', pins: 'corrected-pins' })
    const { session } = play(audited, { test: [fails('a'), passes], audit: [audit], seal: [proves] })
    expect(session.finish).toMatchObject({ outcome: 'converged', label: 'partly verified' })
    expect([session.pins, session.exceptions]).toEqual(['corrected-pins', ['tests were corrected by an audit in iteration 1']])
  })

  it('that were turned down change nothing.', () => {
    const { session } = play(audited, { test: [fails('a'), passes], audit: [passes], seal: [proves] })
    expect([session.pins, session.finish?.label]).toEqual(['start', 'verified'])
  })
})

describe('a review of a phase that is asked once for each tree', () => {
  const second = (made: Answer[]) => play(reviewed({}, { reuse: 'tree' }), { make: made, audit: [finds('secret')] })

  it('is answered by what it said before while the tree is the same, at no cost.', () => {
    const { session } = second([moves('same'), moves('same')])
    expect(reissue(session)).toMatchObject({
      effect: session.outstanding?.id, verdict: 'fail', tree: 'same', spent: { seconds: 0 }, note: 'not asked again: the files are the same',
    })
  })

  it('is asked again for another tree, and where the phase does not say so.', () => {
    expect(reissue(second([moves('one'), moves('other')]).session)).toBeNull()
    expect(reissue(play(reviewed(), { make: [moves('same'), moves('same')], audit: [finds('secret')] }).session)).toBeNull()
  })

  it('is not counted as raised again by what was said before.', () => {
    const played = play(reviewed({ policies: { disputes: { limit: 2 } } }, { reuse: 'tree' }), { make: repeated(moves('same'), 4), audit: repeated(finds('style'), 3) })
    expect([Object.values(played.session.raised), played.judgements.flatMap(({ disputed }) => disputed)]).toEqual([[1], []])
  })

  it('is asked again after one that could not be read.', () => {
    const { session } = play(reviewed({}, { reuse: 'tree' }), { make: repeated(moves('same'), 2), audit: [errs('agent')] })
    expect([session.finish?.outcome, session.said]).toEqual(['failed', {}])
  })
})

describe('a finding that is raised again and again while every gate passes', () => {
  const disputes = { policies: { disputes: { limit: 2 } } }

  it('is set aside after its limit, listed, and takes the label down.', () => {
    const played = play(reviewed(disputes), { audit: repeated(finds('name it otherwise'), 3), seal: [proves] })
    expect(ledger(played).map(({ verdict, disputed }) => [verdict, disputed])).toEqual([['fail', []], ['fail', []], ['pass', []]])
    expect(played.judgements.flatMap(({ disputed }) => disputed)).toEqual(['name it otherwise'])
    expect(played.session.finish).toMatchObject({ outcome: 'converged', label: 'partly verified' })
    expect(played.session.exceptions).toEqual(['set aside while every check passes: name it otherwise'])
  })

  it('stays a finding when it is an error, or when no limit is set.', () => {
    expect(play(reviewed(disputes), { audit: repeated(finds('injection', 'error'), 4) }).session.iteration).toBe(5)
    expect(play(reviewed(), { audit: repeated(finds('name it otherwise'), 4) }).session.iteration).toBe(5)
  })

  it('leaves a new finding beside it to count.', () => {
    const both: Answer = () => ({ verdict: 'fail', failures: ['old', 'new'].map((subject) => failureOf(subject, { gate: 'review' })) })
    const played = play(reviewed(disputes), { audit: [finds('old'), finds('old'), both] })
    expect(played.judgements.at(-2)).toBeDefined()
    const last = ledger(played).at(-1)
    expect([last?.verdict, last?.disputed, last?.fresh]).toEqual(['fail', ['old'], ['new']])
  })
})

describe('a stall by subjects', () => {
  const saying = (message: string): Answer => () => ({
    verdict: 'fail', gates: [], failures: [failureOf('t1', { fingerprint: message, message })],
  })

  it('counts the same tests failing, whatever they say, where repeats starts over.', () => {
    const policies = ladder([{ at: 3, to: '@stalled' }], ['repeats', 'subjects'])
    const failing = ['one', 'two', 'three'].map((message) => adds(fails('t1'), { failures: saying(message)({} as Effect).failures ?? [] }))
    const played = play(procedureOf({ make: opening({ pass: 'test' }), test: check({ pass: '@completed', fail: 'make' }) }, { policies }), { test: failing })
    expect(ledger(played).map(({ stall }) => [stall.repeats, stall.subjects])).toEqual([[1, 1], [1, 2], [1, 3]])
    expect(played.session.finish).toMatchObject({ outcome: 'stalled', why: 'the same tests fail 3 times, so the ladder ends here' })
  })
})

describe('the files of a phase', () => {
  it('are called as the phase says, numbered from its second visit on.', () => {
    const named = procedureOf({ plan: ask({ pass: 'make' }, { yields: 'plan', file: 'planning', retries: 1 }), make: opening({ pass: '@completed' }, { file: 'generation' }) })
    expect(issue(play(named, { plan: [] }).session)).toBeNull()
    expect(play(named, { plan: [errs(), passes], make: [] }).effects.map(({ base }) => base)).toEqual(['planning', 'planning-2', 'iteration-1/generation'])
  })
})
