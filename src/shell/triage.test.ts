// Tests of the second look: what is run again, where, how often, and what is made of it.
import { describe, expect, it } from 'vitest'
import { failureOf, openedWith, procedureOf } from '../../test/support/core-cases.js'
import { apply } from '../core/index.js'
import type { Session } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import { triage } from './triage.js'
import type { Check, Trials } from './trials.js'

type Heard = Exclude<GateOutcome, 'aborted'>

const IDS = ['a', 'b', 'c']

function heard(failing: readonly string[], part: Partial<Heard['result']> = {}, ids: readonly string[] | null = IDS): Heard {
  const exit = failing.length > 0 ? ('fail' as const) : ('pass' as const)
  const result = { gate: 'test', exit, complete: true, known: true, missing: 0, seconds: 1, note: '', ...part }
  return { result, failures: failing.map((subject) => failureOf(subject)), ids, skipped: [], files: [] }
}

/** Answers by place: what fails in the first run there, in the second, and so on. Tells what was run. */
function trialsOf(answers: Record<string, string[][]>): { trials: Trials; ran: string[] } {
  const ran: string[] = []
  const used: Record<string, number> = {}
  const trials: Trials = {
    run: (_gate, where, only = []) => {
      ran.push(`${where}: ${only.join(' ')}`)
      const turn = used[where] ?? 0
      used[where] = turn + 1
      return Promise.resolve(heard(answers[where]?.[turn] ?? [], {}, only))
    },
    copyOf: () => undefined,
    writtenIn: () => [],
    clear: () => Promise.resolve(),
  }
  return { trials, ran }
}

const session: Session = { ...apply(null, openedWith(procedureOf({}))), baseline: ['old'], flaky: ['known'] }
const plain = { reruns: 2, baseline: false, sealed: false } as Check

function look(effect: Partial<Check>, first: Heard, answers: Record<string, string[][]>, expected: readonly string[] = IDS) {
  const { trials, ran } = trialsOf(answers)
  const where = effect.sealed ? 'candidate' : 'here'
  const outcome = triage({ trials, session, effect: { ...plain, ...effect } as Check, where, expected: new Set(expected) }, first)
  return outcome.then((told) => ({ ran, runs: told === 'aborted' ? [] : told.failures.map(({ subject, runs, before }) => ({ subject, runs, ...(before && { before }) })) }))
}

describe('a second look', () => {
  it('runs a new failure again alone, stops as soon as it is mixed, and then leaves the start tree alone', async () => {
    expect(await look({}, heard(['a']), { here: [[]] })).toEqual({ ran: ['here: a'], runs: [{ subject: 'a', runs: { failed: 1, of: 2 } }] })
  })

  it('looks at the start tree when a new failure stays, until it fails there or has passed often enough', async () => {
    const stays = await look({}, heard(['a', 'b']), { here: [['a', 'b'], ['a', 'b']], start: [[], ['b'], [], [], []] })
    expect(stays.ran).toEqual(['here: a b', 'here: a b', 'start: a b', 'start: a b', 'start: a', 'start: a', 'start: a'])
    expect(stays.runs).toEqual([
      { subject: 'a', runs: { failed: 3, of: 3 }, before: { failed: 0, of: 5 } },
      { subject: 'b', runs: { failed: 3, of: 3 }, before: { failed: 1, of: 2 } },
    ])
  })

  it('of the deciding check looks at the start tree for mixed ones, too', async () => {
    const { ran, runs } = await look({ sealed: true }, heard(['a']), { candidate: [[]], start: [['a']] })
    expect(ran).toEqual(['candidate: a', 'start: a'])
    expect(runs).toEqual([{ subject: 'a', runs: { failed: 1, of: 2 }, before: { failed: 1, of: 1 } }])
  })

  it('says of a test that the start tree does not have that it never ran there', async () => {
    const { ran, runs } = await look({ sealed: true }, heard(['a']), { candidate: [[]] }, ['b', 'c'])
    expect(ran).toEqual(['candidate: a'])
    expect(runs).toEqual([{ subject: 'a', runs: { failed: 1, of: 2 }, before: { failed: 0, of: 0 } }])
  })

  it('of a baseline tries everything that fails, and only there', async () => {
    const base = await look({ baseline: true }, heard(['a', 'b']), { here: [['a'], ['a']] })
    expect(base.ran).toEqual(['here: a b', 'here: a'])
    expect(base.runs).toEqual([{ subject: 'a', runs: { failed: 3, of: 3 } }, { subject: 'b', runs: { failed: 1, of: 2 } }])
  })

  it.each([
    ['what failed before', heard(['old'], {}, ['old'])],
    ['what is known to be flaky', heard(['known'], {}, ['known'])],
    ['a failure that is no test', heard(['src/a.c: error'])],
    ['a gate that names no tests', heard(['a'], { known: false }, null)],
    ['a run that broke off', heard(['a'], { complete: false })],
    ['more failures than chance explains', heard(Array.from({ length: 51 }, (_, n) => `t${n}`), {}, Array.from({ length: 51 }, (_, n) => `t${n}`))],
  ])('leaves %s as it is', async (_what, first) => {
    expect((await look({}, first, {})).ran).toEqual([])
  })

  it('does not count a run that did not report the test', async () => {
    const { trials } = trialsOf({})
    const silent: Trials = { ...trials, run: () => Promise.resolve(heard([], {}, [])) }
    const outcome = await triage({ trials: silent, session, effect: plain, where: 'here', expected: new Set() }, heard(['a']))
    expect(outcome).toMatchObject({ failures: [{ runs: { failed: 1, of: 1 } }] })
  })

  it('says that it was aborted, when it was', async () => {
    const { trials } = trialsOf({})
    const ended: Trials = { ...trials, run: () => Promise.resolve('aborted') }
    expect(await triage({ trials: ended, session, effect: plain, where: 'here', expected: new Set() }, heard(['a']))).toBe('aborted')
  })
})
