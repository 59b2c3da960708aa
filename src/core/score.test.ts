// Tests of progress: which candidate is better than which, and when the loop gets nowhere.
import { describe, expect, it } from 'vitest'
import {
  adds, check, errs, fails, failsAt, failureOf, gateResult, ladder, ledger, loop, moves, opening, passes, play, procedureOf, repeated,
  type Answer,
} from '../../test/support/core-cases.js'
import type { GateResult, Judgement, Procedure, Signal } from './types.js'

const GATES = ['lint', 'types', 'test']

/** Lint, types, tests, as often as it takes. */
function staged(part: Partial<Procedure> = {}): Procedure {
  return procedureOf({ make: opening({ pass: 'test' }), test: check({ pass: 'make', fail: 'make' }, { gates: GATES }) }, part)
}

/** How the second candidate is judged after the first. */
function secondAfter(first: Answer, second: Answer): Judgement {
  return ledger(play(staged(), { test: [first, second] }))[1] as Judgement
}

const BETTER = { better: true, preferred: true, worse: false }
const WORSE = { better: false, preferred: false, worse: true }
const SAME = { better: false, preferred: false, worse: false }

describe('a candidate', () => {
  const fiveTests = failsAt('test', 't1', 't2', 't3', 't4', 't5')
  const oneLint = failsAt('lint', 'l1')

  it('is an improvement when it is the first that was judged', () => {
    expect(ledger(play(staged(), { test: [fiveTests] }))[0]).toMatchObject(BETTER)
  })

  it('that fails five tests is better than one that fails at lint, which comes two gates before', () => {
    expect(secondAfter(oneLint, fiveTests)).toMatchObject(BETTER)
    expect(secondAfter(fiveTests, oneLint)).toMatchObject(WORSE)
    expect([secondAfter(oneLint, fiveTests).score, secondAfter(fiveTests, oneLint).score]).toEqual([[0, 1, 5, 0], [0, 3, 1, 0]])
  })

  it('that fails at two gates is as far as the first of them, and counts what fails up to there', () => {
    const gates = [gateResult('lint'), gateResult('types', { exit: 'fail' }), gateResult('test', { exit: 'fail' })]
    const both = adds(fails(), { gates, failures: [failureOf('t1'), failureOf('y1', { gate: 'types' })] })
    expect(secondAfter(fiveTests, both).score).toEqual([0, 2, 1, 0])
  })

  it('that fails fewer tests at the same gate is better', () => {
    expect(secondAfter(fiveTests, failsAt('test', 't6', 't7', 't8', 't9'))).toMatchObject(BETTER)
    expect(secondAfter(failsAt('test', 't6', 't7', 't8', 't9'), fiveTests)).toMatchObject(WORSE)
  })

  it('that fails as many others is neither better nor worse', () => {
    expect(secondAfter(fails('t1'), fails('t2'))).toMatchObject(SAME)
  })

  it('that breaks the scope is worse than one that does not, however little else fails', () => {
    const breach = adds(failsAt('test', 't1'), { failures: [failureOf('docs/a.md', { class: 'scope' })] })
    expect(secondAfter(oneLint, breach)).toMatchObject({ ...WORSE, score: [1, 1, 1, 0] })
  })

  it('that keeps expected tests back is worse than one that fails them', () => {
    const broken = adds(fails('t1'), { gates: [gateResult('lint'), gateResult('types'), gateResult('test', { exit: 'fail', missing: 5 })] })
    expect(secondAfter(fiveTests, broken)).toMatchObject(WORSE)
    expect(secondAfter(broken, fiveTests)).toMatchObject(BETTER)
  })

  it('whose failures have no ids is worse than one with any number of known ids', () => {
    const gates = [gateResult('lint'), gateResult('types'), gateResult('test', { exit: 'fail', known: false })]
    const byText = adds(fails('a line'), { gates })
    expect(secondAfter(fiveTests, byText)).toMatchObject(WORSE)
    expect(secondAfter(byText, fiveTests)).toMatchObject(BETTER)
  })

  it('is not thought of as unknown because of a text gate that passed or was not run', () => {
    const silent = { known: false } as const
    const gates = [gateResult('lint', silent), gateResult('types', { exit: 'fail' }), gateResult('test', { exit: 'not run', ...silent })]
    expect(secondAfter(fiveTests, adds(failsAt('types', 'y1'), { gates })).score).toEqual([0, 2, 1, 0])
  })

  it('with a smaller diff is preferred among equals, which is no progress', () => {
    const large = adds(fails('t1'), { diffLines: 80 })
    const small = adds(fails('t1'), { diffLines: 8 })
    expect(secondAfter(large, small)).toMatchObject({ better: false, preferred: true, worse: false, stall: { repeats: 2, plateau: 1 } })
    expect(secondAfter(small, large)).toMatchObject(SAME)
  })

  it('with a larger diff is better all the same when fewer tests fail', () => {
    expect(secondAfter(adds(fails('t1', 't2'), { diffLines: 1 }), adds(fails('t1'), { diffLines: 900 }))).toMatchObject(BETTER)
  })

  it('that passes has nothing left, and only its diff tells it from another', () => {
    expect(secondAfter(fails('t1'), adds(passes, { diffLines: 7 }))).toMatchObject({ ...BETTER, score: [0, 0, 0, 7] })
  })

  it('that only an ask finds fault with has passed every stage', () => {
    const phases = { make: opening({ pass: 'make', fail: 'make' }, { judges: true }) }
    expect(ledger(play(procedureOf(phases), { make: [fails('too long', 'too short')] }))[0]?.score).toEqual([0, 0, 2, 0])
  })

  it.each<[string, Partial<GateResult>]>([
    ['times out', { exit: 'timeout', complete: false }],
    ['breaks off', { exit: 'fail', complete: false }],
    ['fails without saying what', { exit: 'fail' }],
  ])('whose gate %s is worse than one that fails five tests', (_, part) => {
    const unsaid = adds(fails(), { gates: [gateResult('lint'), gateResult('types'), gateResult('test', part)] })
    expect(secondAfter(fiveTests, unsaid)).toMatchObject(WORSE)
    expect(secondAfter(unsaid, fiveTests)).toMatchObject(BETTER)
  })

  it('counts a subject once, and a missing one as much as a failing one', () => {
    const twice = adds(fails(), { failures: [failureOf('t1'), failureOf('t1', { fingerprint: '1:other' })] })
    expect(secondAfter(fiveTests, twice).score).toEqual([0, 1, 1, 0])
    const missing = { gates: [gateResult('lint'), gateResult('types'), gateResult('test', { exit: 'fail', missing: 2 })] }
    expect(secondAfter(fiveTests, adds(fails('t1'), missing)).score).toEqual([0, 1, 3, 0])
  })
})

function keyOf(answer: Answer): string | undefined {
  return ledger(play(staged(), { test: [answer] }))[0]?.key
}

describe('the identity of a failing set', () => {
  it('does not depend on the order, on repetition or on messages', () => {
    const other = adds(fails(), { failures: [failureOf('t2'), failureOf('t1', { message: 'another' }), failureOf('t2')] })
    expect(keyOf(other)).toBe(keyOf(fails('t1', 't2')))
  })

  it('depends on the fingerprints, not on the subjects', () => {
    expect(keyOf(adds(fails(), { failures: [failureOf('t1', { fingerprint: '1:x' })] }))).not.toBe(keyOf(fails('t1')))
    expect(keyOf(adds(fails(), { failures: [failureOf('t9', { fingerprint: '1:t1' })] }))).toBe(keyOf(fails('t1')))
  })

  it('is empty where nothing fails', () => {
    expect(keyOf(passes)).toBe('')
  })
})

/** The stall after each judged iteration: repeats, revisits, plateau, level. Each entry is a tree and what fails on it. */
function stallsOf(history: readonly (readonly [tree: string, ...failing: string[]])[], signals: Signal[] = []): number[][] {
  const make = history.map(([tree]) => moves(tree))
  const test = history.map(([, ...failing]) => (failing.length > 0 ? fails(...failing) : passes))
  const played = play(staged({ policies: ladder([], signals) }), { make, test })
  return ledger(played).map(({ stall }) => [stall.repeats, stall.revisits, stall.plateau, stall.level])
}

describe('a stall', () => {
  it('counts how often the same set failed in a row, from 1', () => {
    const history = [['a', 't1'], ['b', 't1'], ['c', 't1'], ['d', 't2'], ['e', 't2']] as const
    expect(stallsOf(history).map(([repeats]) => repeats)).toEqual([1, 2, 3, 1, 2])
  })

  it('counts how long nothing got better', () => {
    const history = [['a', 't1'], ['b', 't2'], ['c', 't3'], ['d', 't4', 't5'], ['e', 't6']] as const
    expect(stallsOf(history).map(([, , plateau]) => plateau)).toEqual([0, 1, 2, 3, 4])
  })

  it('is over when the best improves: repeats 1, the rest 0', () => {
    const history = [['a', 't1', 't2'], ['a', 't1', 't2'], ['a', 't1', 't2'], ['b', 't1']] as const
    expect(stallsOf(history)).toEqual([[1, 0, 0, 0], [2, 1, 1, 0], [3, 2, 2, 0], [1, 0, 0, 0]])
  })

  it('is not over when a worse candidate is followed by one as good as the best', () => {
    const history = [['a', 't1'], ['b', 't1', 't2'], ['c', 't1']] as const
    expect(stallsOf(history).map(([, , plateau]) => plateau)).toEqual([0, 1, 2])
  })

  it('sees two states taking turns', () => {
    const history = [['a', 't1'], ['b', 't2'], ['a', 't1'], ['b', 't2'], ['a', 't1']] as const
    expect(stallsOf(history, ['revisits'])).toEqual([[1, 0, 0, 0], [1, 0, 1, 0], [1, 1, 2, 1], [1, 2, 3, 2], [1, 3, 4, 3]])
  })

  it('sees three states taking turns', () => {
    const history = [['a', 't1'], ['b', 't2'], ['c', 't3'], ['a', 't1'], ['b', 't2'], ['c', 't3']] as const
    expect(stallsOf(history, ['revisits']).map(([, revisits]) => revisits)).toEqual([0, 0, 0, 1, 2, 3])
  })

  it('is no revisit when the same tests fail on another tree, nor when others fail on the same tree', () => {
    expect(stallsOf([['a', 't1'], ['b', 't2'], ['c', 't1']]).map(([, revisits]) => revisits)).toEqual([0, 0, 0])
    expect(stallsOf([['a', 't1'], ['b', 't2'], ['a', 't3']]).map(([, revisits]) => revisits)).toEqual([0, 0, 0])
  })

  it('has the level of the largest signal the procedure listens to', () => {
    const history = [['a', 't1'], ['b', 't2'], ['a', 't1'], ['b', 't2']] as const
    const levels = (signals: Signal[]): (number | undefined)[] => stallsOf(history, signals).map(([, , , level]) => level)
    expect(levels(['repeats'])).toEqual([1, 1, 1, 1])
    expect(levels(['plateau'])).toEqual([0, 1, 2, 3])
    expect(levels(['repeats', 'revisits'])).toEqual([1, 1, 1, 2])
    expect(levels(['repeats', 'revisits', 'plateau'])).toEqual([1, 1, 2, 3])
  })

  it('is not counted while everything passes', () => {
    expect(stallsOf([['a'], ['a'], ['a']], ['repeats', 'revisits', 'plateau'])).toEqual([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
  })

  it('is forgotten by a pass and begins again after it', () => {
    const history = [['a', 't1'], ['b', 't1'], ['c'], ['d', 't1']] as const
    expect(stallsOf(history, ['repeats'])).toEqual([[1, 0, 0, 1], [2, 0, 1, 2], [0, 0, 0, 0], [1, 0, 1, 1]])
  })

  it('keeps its plateau when the best tree is restored', () => {
    const policies = { ...ladder([], ['plateau']), ratchet: { patience: 1 } }
    const played = play(staged({ policies }), { test: [fails('t1'), fails('t1', 't2'), fails('t1', 't3')] })
    expect(played.decisions.filter((decision) => decision.restore)).toHaveLength(2)
    expect(ledger(played).map(({ stall }) => stall.plateau)).toEqual([0, 1, 2])
  })

  it('does not change by what judges nothing', () => {
    const { session } = play(loop({ policies: ladder([]) }), { test: [fails('t1'), fails('t1')], make: repeated(passes, 3), seal: [] })
    expect(session.stall.repeats).toBe(2)
    expect(play(session, { test: [errs('gate')] }).session.stall.repeats).toBe(2)
  })
})
