// Tests of verdicts and proofs: what a check comes to, when the work is proved, and which phase judges an iteration.
import { describe, expect, it } from 'vitest'
import {
  adds, check, checked, errs, fails, failsAt, gateResult, ledger, loop, moves, openedWith, opening, passes, play, procedureOf, proves, seal,
  sealedAfter, withBaseline, type Answer,
} from '../../test/support/core-cases.js'
import type { CheckPhase, GateResult, Report } from './types.js'

function verdictWhen(part: Partial<Report>): string | undefined {
  return play(loop(), { make: [passes], seal: [adds(proves, part)] }).judgements.at(-1)?.verdict
}

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
    expect(verdictWhen({})).toBe('pass')
    expect(verdictWhen({ sealed: null })).toBe('error')
    expect(verdictWhen({ sealed: { tree: 'another', pins: 'pins' } })).toBe('error')
    expect(verdictWhen({ sealed: { tree: 'another', pins: 'pins' }, tree: 'another' })).toBe('error')
  })

  it('is error when a gate was not run, broke or was not heard of, and nothing that counts fails', () => {
    const verdictOf = (...gates: GateResult[]): string => checked(adds(passes, { gates })).verdict
    expect(verdictOf(gateResult('test', { exit: 'not run' }))).toBe('error')
    expect(verdictOf(gateResult('test', { exit: 'error' }))).toBe('error')
    expect([verdictOf(), verdictOf(gateResult('other')), verdictOf(gateResult('test'))]).toEqual(['error', 'error', 'pass'])
  })

  it('is error when the only failure is excused but kept the later gates from running', () => {
    const gates = ['lint', 'test']
    const base = { ...withBaseline({ excuse: ['l1'] }).phases.baseline, gates } as CheckPhase
    const procedure = withBaseline({ excuse: ['l1'] })
    const phases = { ...procedure.phases, baseline: base, seal: seal({ pass: '@converged', fail: 'make' }, { gates }) }
    const stops: Answer = (effect) => ({ ...failsAt('lint', 'l1')(effect), sealed: { tree: effect.tree, pins: 'p' }, evidence: ['some'] })
    const { session, judgements } = play({ ...procedure, phases }, { baseline: [stops], seal: [stops] })
    expect(judgements.at(-1)).toMatchObject({ verdict: 'error', excused: ['l1'], proof: null })
    expect(session.finish?.outcome).toBe('refused')
  })
})

describe('the proof', () => {
  it('is there when a target failed before and the seal passes', () => {
    expect(sealedAfter(['t1'], passes).proof).toEqual({ tree: 'tree-1', pins: 'pins', exceptions: [] })
  })

  it('needs other evidence when nothing failed before, or only what is excused', () => {
    expect(sealedAfter([], passes).proof).toBeNull()
    expect(sealedAfter(['t1'], passes, { excuse: ['t1'] }).proof).toBeNull()
    expect(sealedAfter([], proves).proof).not.toBeNull()
  })

  it('is not to be had from a check that is not sealed, nor from a seal that fails', () => {
    expect(checked(proves).proof).toBeNull()
    expect(sealedAfter(['t1'], adds(fails('t1'), { evidence: ['something'] })).proof).toBeNull()
  })

  it('is not to be had of the tree the session started from', () => {
    const played = play(withBaseline(), { baseline: [fails('t1')], make: [moves('start')], seal: [proves] })
    expect(played.judgements.at(-1)).toMatchObject({ verdict: 'pass', proof: null })
    expect(played.session.finish).toMatchObject({ outcome: 'completed', label: 'unverified' })
  })

  it('carries what keeps it from being a full one', () => {
    expect(sealedAfter(['t1'], adds(passes, { exceptions: ['text only'] })).proof?.exceptions).toEqual(['text only'])
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
