// Tests of chance: which failures are set aside as flaky, what is remembered of them, and that no candidate can profit by it.
import { describe, expect, it } from 'vitest'
import {
  adds, check, checked, failsAt, failureOf, fails, gateResult, loop, MIXED, moves, openedWith, opening, passes, play, procedureOf, seal, sealedAfter, type Answer,
} from '../../test/support/core-cases.js'
import type { Failure } from './types.js'

function failing(subject: string, part: Partial<Failure>): Answer {
  return adds(fails(subject), { failures: [failureOf(subject, part)] })
}

const BROKEN = { failed: 3, of: 3 }
const STEADY_BEFORE = { failed: 0, of: 5 }
const FLAKY_BEFORE = { failed: 1, of: 2 }

describe('a test that fails now and then', () => {
  it('is set aside where it fails on the start tree too, even when it failed every time here', () => {
    expect(checked(failing('t1', { runs: BROKEN, before: FLAKY_BEFORE }))).toMatchObject({ verdict: 'pass', flaky: ['t1'] })
    expect(sealedAfter(['t9'], failing('t1', { runs: BROKEN, before: FLAKY_BEFORE }))).toMatchObject({ verdict: 'pass', flaky: ['t1'] })
  })

  it('is a failure where it failed every time here and never on the start tree', () => {
    expect(checked(failing('t1', { runs: BROKEN, before: STEADY_BEFORE }))).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it('is a failure of the deciding check when it is mixed there and steady on the start tree', () => {
    expect(sealedAfter(['t9'], failing('t1', { runs: MIXED, before: STEADY_BEFORE }))).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it('is a failure of the deciding check when it is new there: nothing shows that it was so before', () => {
    expect(sealedAfter(['t9'], failing('t1', { runs: MIXED, before: { failed: 0, of: 0 } }))).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it('and has to be proved is never set aside', () => {
    expect(sealedAfter(['t1'], failing('t1', { runs: MIXED, before: FLAKY_BEFORE }))).toMatchObject({ verdict: 'fail', flaky: [] })
  })

  it('is remembered when the baseline saw it, and then set aside however often it fails', () => {
    const phases = {
      baseline: check({ pass: 'make', fail: 'make' }, { baseline: true }),
      make: opening({ pass: 'seal' }),
      seal: seal({ pass: '@completed', fail: 'make' }),
    }
    const sealed: Answer = (effect) => ({ ...failing('t1', { runs: BROKEN })(effect), sealed: { tree: effect.tree, pins: 'pins' } })
    const { session, judgements } = play(procedureOf(phases), { baseline: [failing('t1', { runs: MIXED })], make: [passes], seal: [sealed] })
    expect(session.flaky).toEqual(['t1'])
    expect(session.baseline).toEqual([])
    expect(judgements.at(-1)).toMatchObject({ verdict: 'pass', flaky: ['t1'] })
  })

  it('is remembered from a check only when the start tree showed it: what a candidate made flaky, it has broken', () => {
    const after = (answer: Answer): string[] => play(loop(), { make: [passes], test: [answer], seal: [] }).session.flaky
    expect(after(failing('t1', { runs: MIXED }))).toEqual([])
    expect(after(failing('t1', { runs: MIXED, before: STEADY_BEFORE }))).toEqual([])
    expect(after(failing('t1', { runs: BROKEN, before: FLAKY_BEFORE }))).toEqual(['t1'])
  })
})

describe('a gate that does not run in every check', () => {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true, gates: ['@configured'] }),
    make: opening({ pass: 'test' }),
    test: check({ pass: 'seal' }, { gates: ['@configured'] }),
    seal: seal({ pass: '@completed' }, { gates: ['@configured'] }),
  }

  it('is left out of the baseline, or of all but the deciding check, as the session says', () => {
    const opened = openedWith(procedureOf(phases), { gates: ['unit', 'heavy', 'hidden'], when: { heavy: 'after baseline', hidden: 'sealed' } })
    const gates = play(opened).effects.flatMap((effect) => (effect.kind === 'check' ? [[effect.phase, ...effect.gates]] : []))
    expect(gates).toEqual([['baseline', 'unit'], ['test', 'unit', 'heavy'], ['seal', 'unit', 'heavy', 'hidden']])
  })
})

describe('the ratchet', () => {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true, gates: ['@configured'] }),
    make: opening({ pass: 'test' }),
    test: check({ pass: 'seal', fail: 'make' }, { gates: ['@configured'] }),
    seal: seal({ pass: '@converged', fail: 'make' }, { gates: ['@configured'] }),
  }
  const ratchet = { policies: { ratchet: { patience: 1 } }, final: 'best' as const }

  it('keeps what fails only at a gate that the baseline did not run: it got further', () => {
    const opened = openedWith(procedureOf(phases, ratchet), { gates: ['unit', 'hidden'], when: { hidden: 'sealed' } })
    const nameless = adds(failsAt('hidden', 'h'), { gates: [gateResult('unit'), gateResult('hidden', { exit: 'fail', known: false })] })
    const { session, judgements } = play(opened, { baseline: [failsAt('unit', 'u')], make: [moves('t1')], seal: [nameless] })
    expect(judgements.at(-1)).toMatchObject({ better: true, worse: false })
    expect([session.tree, session.best?.iteration]).toEqual(['t1', 1])
  })

  it('takes nothing back before it was judged: a breach that left the start tree must not cost the next candidate', () => {
    const breach: Answer = () => ({ tree: 'start', failures: [failureOf('a.test.js', { gate: 'integrity', class: 'integrity' })] })
    const { session } = play(openedWith(procedureOf(phases, ratchet), { gates: ['unit'] }), {
      baseline: [failsAt('unit', 'u')],
      make: [breach, moves('honest')],
      test: [failsAt('unit', 'u')],
    })
    expect([session.iteration, session.tree]).toEqual([2, 'honest'])
  })
})

describe('the label', () => {
  const sealedPass: Answer = (effect) => ({ ...passes(effect), evidence: ['new test'] })
  const ended = (require: 'verified' | 'partly verified' | null, seals: Answer) =>
    play(loop({ policies: { goal: require === null ? {} : { require } } }), { make: [passes], seal: [seals] }).session.finish

  it('that was asked for and not reached ends with the guard’s code', () => {
    const partly = adds(sealedPass, { exceptions: ['tests changed: a'] })
    expect(ended(null, partly)).toMatchObject({ label: 'partly verified', code: 0 })
    expect(ended('verified', partly)).toMatchObject({ outcome: 'converged', label: 'partly verified', code: 6 })
    expect(ended('partly verified', partly)).toMatchObject({ code: 0 })
    expect(ended('verified', sealedPass)).toMatchObject({ label: 'verified', code: 0 })
    expect(ended('partly verified', sealedPass)).toMatchObject({ label: 'verified', code: 0 })
    expect(ended('partly verified', adds(passes, {}))).toMatchObject({ outcome: 'completed', label: 'unverified', code: 6 })
  })

  it('is partly verified where the gate that failed before names no tests', () => {
    const nameless = adds(passes, { gates: [gateResult('test', { known: false })] })
    expect(sealedAfter(['t1'], nameless).proof?.exceptions).toEqual(['test names no tests, so its proof is its exit status'])
    expect(sealedAfter(['t1'], nameless, { targets: ['other'] }).proof).toBeNull()
    expect(sealedAfter(['t1'], passes).proof?.exceptions).toEqual([])
  })
})
