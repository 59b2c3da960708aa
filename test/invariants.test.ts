// I1 to I9 over random procedures and random worlds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply, effectsPerIteration, issue, rebuild, step, type Event, type Session } from '../src/core/index.js'
import { disturbance, nextRecord, randomFrom, randomOpened, randomReport } from './support/random-sessions.js'

const SESSIONS = 20_000

type Told = { records: Event[][]; states: Session[] }

/** Lives through one random session; throws when it does not end within the bound that I5 promises. */
function live(seed: number): Told {
  const random = randomFrom(seed)
  const opened = randomOpened(random, `s${seed}`)
  const records: Event[][] = [[opened]]
  const states: Session[] = [rebuild([opened])]
  for (let n = 0; ; n++) {
    const before = states.at(-1) as Session
    const outside = n < 100 ? disturbance(random, before, n) : []
    const events = outside.length > 0 && !before.finish ? outside : nextRecord(before, seed)
    if (events.length === 0) return { records, states }
    records.push(events)
    states.push(rebuild(events, before))
    if (n > mostRecords(states.at(-1) as Session)) throw new Error(`seed ${seed} goes on after ${n} records`)
  }
}

/** Each effect may be retried, cut off and asked by a step of its own; each iteration holds a bounded number of effects. */
function mostRecords(session: Session): number {
  const tries = 12
  const iterations = session.budget.iterations ? session.budget.iterations + 1 : (session.budget.seconds ?? 0) + 2
  return 200 + iterations * (effectsPerIteration(session.procedure) + 2) * tries + Object.keys(session.procedure.phases).length * tries
}

function holdsForRecord(before: Session, after: Session, events: readonly Event[]): void {
  for (const event of events) {
    if (event.type === 'asked') expect(before.outstanding === null || events.some((other) => other.type === 'observed')).toBe(true)
    if (event.type === 'decided') {
      expect(event.decision.why, 'I6').not.toBe('')
      if (event.decision.finish) expect(event.decision.finish.why, 'I6').not.toBe('')
      if (event.decision.cause === 'budget') expect(before.procedure.phases[event.decision.finish?.resumesAt ?? '']?.kind ?? 'ask', 'I8').toBe('ask')
    }
    if (event.type === 'observed') {
      const silentFailure = event.report.gates.some((gate) => gate.exit === 'fail' && !event.report.failures.some((failure) => failure.gate === gate.gate))
      if (silentFailure) expect(event.judgement.verdict, 'I7').not.toBe('pass')
    }
  }
  expect(after.spent.seconds, 'I8: what is spent stays spent').toBeGreaterThanOrEqual(before.spent.seconds)
  expect(after.iteration).toBeGreaterThanOrEqual(before.iteration)
  if (before.budget.iterations) expect(after.budget.iterations ?? 0, 'I8: budgets only go up').toBeGreaterThanOrEqual(before.budget.iterations)
  if (after.outstanding) expect(issue(after), 'I3').toBeNull()
}

describe('the engine over random procedures', () => {
  it(`I1 I2 I5 I6 I8 ends every one of ${SESSIONS} random sessions, and the fold of its records is the live session`, () => {
    const ends: Record<string, number> = {}
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { records, states } = live(seed)
        for (let i = 1; i < states.length; i++) holdsForRecord(states[i - 1] as Session, states[i] as Session, records[i] as Event[])
        const last = states.at(-1) as Session
        expect(last.finish, 'every session ends').not.toBeNull()
        expect(JSON.stringify(rebuild(records.flat())), 'I2').toBe(JSON.stringify(last))
        ends[last.finish?.outcome ?? 'none'] = (ends[last.finish?.outcome ?? 'none'] ?? 0) + 1
      }),
      { numRuns: SESSIONS },
    )
    // A generator that never reaches an outcome would prove nothing about it.
    expect(Object.keys(ends).toSorted()).toEqual(['cancelled', 'completed', 'converged', 'exhausted', 'failed', 'refused', 'stalled'])
  })

  it('I1 I2 goes on from any record, through JSON, to the identical next record', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { records, states } = live(seed)
        for (let i = 0; i + 1 < records.length; i++) {
          const reread = JSON.parse(JSON.stringify(states[i])) as Session
          const next = records[i + 1] as Event[]
          if (next.some((event) => event.type === 'asked' || event.type === 'decided')) {
            expect(JSON.stringify(nextRecord(reread, seed))).toBe(JSON.stringify(next))
          }
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('I3 I4 answers nothing to a report of another effect, and issues nothing while one is outstanding', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        for (const state of live(seed).states) {
          if (!state.outstanding) continue
          expect(step(state, { ...randomReport(seed, state.outstanding), effect: '999.other' })).toEqual([])
          expect(issue(state)).toBeNull()
        }
      }),
      { numRuns: 500 },
    )
  })

  it('I9 calls a session converged only with a passing seal of the very tree it hands over', () => {
    let seen = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const { records, states } = live(seed)
        const last = states.at(-1) as Session
        if (last.finish?.outcome !== 'converged') return
        seen++
        const seals = records.flat().flatMap((event) => (event.type === 'observed' && event.report.sealed && event.judgement.verdict === 'pass' ? [event] : []))
        expect(seals.at(-1)?.report.sealed?.tree).toBe(last.finish.delivers)
        expect(seals.at(-1)?.judgement.failing).toEqual([])
      }),
      { numRuns: 3_000 },
    )
    expect(seen).toBeGreaterThan(20)
  })

  it('does not let the session grow with its history', () => {
    const opened = randomOpened(randomFrom(7), 'long')
    const endless = { ...opened, procedure: { ...opened.procedure, start: 'a', policies: {}, budget: { iterations: 0 }, phases: {
      a: { kind: 'ask' as const, role: 'implementer', yields: 'candidate' as const, prompt: [], opensIteration: true as const, on: { pass: 'b', error: 'a' } },
      b: { kind: 'check' as const, gates: ['test'], on: { pass: 'a', fail: 'a', error: 'a' } },
    } } }
    let session = apply(null, endless)
    const sizes: number[] = []
    for (let n = 0; n < 12_000; n++) {
      session = rebuild(nextRecord(session, n), session)
      if (n === 3_000 || n === 11_999) sizes.push(JSON.stringify(session).length)
    }
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 1.05)
  })
})
