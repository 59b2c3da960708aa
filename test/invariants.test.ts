// I1 to I9 over random procedures and random worlds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectsPerIteration } from '../src/config/effects.js'
import { apply, issue, rebuild, spentLimit, step, type Event, type Procedure, type Session } from '../src/core/index.js'
import { disturbance, nextRecord, randomFrom, randomOpened, randomReport, reopening } from './support/random-sessions.js'
import { tryAll } from './support/subset.js'

const SESSIONS = tryAll ? 20_000 : 4_000
const CAUSES = ['best', 'breaches', 'budget', 'floor', 'infrastructure', 'ladder', 'retry', 'route', 'setbacks', 'unproven']
const OUTCOMES = ['cancelled', 'completed', 'converged', 'exhausted', 'failed', 'refused', 'stalled']

type Told = { records: Event[][]; states: Session[] }

/** Asserting a million times with vitest's own `expect` takes a minute; this takes none. */
function must(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

function everySeed(runs: number, holds: (seed: number) => void): void {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 31 }), holds), { numRuns: runs })
}

/** Lives through one random session, reopening it now and then; throws when it does not end within the bound that I5 promises. */
function live(seed: number): Told {
  const random = randomFrom(seed)
  const opened = randomOpened(random, `s${seed}`)
  const records: Event[][] = [[opened]]
  const states: Session[] = [rebuild([opened])]
  let reopened = 0
  for (let n = 0; ; n++) {
    const before = states.at(-1) as Session
    const events = outside(before) ?? nextRecord(before, seed)
    if (events.length === 0) return { records, states }
    records.push(events)
    states.push(rebuild(events, before))
    if (n > mostRecords(states.at(-1) as Session)) throw new Error(`seed ${seed} goes on after ${n} records`)
  }

  function outside(session: Session): Event[] | null {
    if (session.finish) return reopened++ < 2 && random.chance(0.4) ? reopening(session) : null
    const events = records.length <= 100 ? disturbance(random, session, records.length) : []
    return events.length > 0 ? events : null
  }
}

/** Each effect may be retried, cut off and asked by a step of its own; each iteration holds a bounded number of effects. */
function mostRecords(session: Session): number {
  const tries = 12
  const iterations = session.budget.iterations ? session.budget.iterations + 1 : (session.budget.seconds ?? 0) + 2
  return 200 + iterations * (effectsPerIteration(session.procedure) + 2) * tries + Object.keys(session.procedure.phases).length * tries
}

function holdsForRecord(before: Session, after: Session, events: readonly Event[]): void {
  for (const event of events) holdsForEvent(before, event, events)
  must(after.spent.seconds >= before.spent.seconds, 'I8: what is spent stays spent')
  must(after.iteration >= before.iteration, 'iterations only go up')
  must((after.budget.iterations ?? 0) >= (before.budget.iterations ?? 0), 'I8: budgets only go up')
  must(!after.outstanding || issue(after) === null, 'I3: one outstanding effect')
  must(!after.budget.iterations || after.iteration <= after.budget.iterations, 'I8: no more iterations than the budget has')
  const decidedAndAsked = events.at(-1)?.type === 'asked' && events.some((event) => event.type === 'decided')
  const isFree = !decidedAndAsked || after.outstanding?.kind !== 'ask' || spentLimit(after.budget, after) === null
  must(isFree, 'I8: nothing is asked on a spent budget')
}

function holdsForEvent(before: Session, event: Event, record: readonly Event[]): void {
  const free = before.outstanding === null || record.some((other) => other.type === 'observed')
  if (event.type === 'asked') must(free, 'I3: asked only when nothing is outstanding')
  if (event.type === 'decided') {
    const { why, finish, cause } = event.decision
    const cutOff = before.procedure.phases[finish?.resumesAt ?? '']?.kind ?? 'ask'
    must(why !== '' && finish?.why !== '', 'I6: every decision and every end says why')
    must(cause !== 'budget' || cutOff === 'ask', 'I8: a budget cuts off asks alone')
  }
  if (event.type === 'observed') {
    const { gates, failures } = event.report
    const silent = gates.some((gate) => gate.exit === 'fail' && !failures.some((failure) => failure.gate === gate.gate))
    must(!silent || event.judgement.verdict !== 'pass', 'I7: a gate that fails without a failure stays failing')
  }
}

/** I5: no iteration holds more effects than the longest way through it, tries of the same phase and a late seal aside. */
function holdsForIterations(procedure: Procedure, records: readonly Event[][]): void {
  const most = effectsPerIteration(procedure)
  let asked = 0
  let repeats = false
  for (const event of records.flat()) {
    if (event.type === 'decided') repeats = event.decision.repeats
    if (event.type === 'extended' || (event.type === 'decided' && event.decision.pending)) asked = -most
    if (event.type !== 'asked' || event.effect.iteration === 0 || repeats) continue
    asked = event.effect.opensIteration ? 1 : asked + 1
    must(asked <= most, `I5: ${asked} effects in an iteration that has at most ${most}`)
  }
}

/** I9: converged only with a passing seal of the very tree that is handed over. */
function holdsForEnd({ finish }: Session, events: readonly Event[]): void {
  must(finish !== null, 'every session ends')
  if (finish?.outcome !== 'converged') return
  const observed = events.filter((event) => event.type === 'observed')
  const seal = observed.findLast(({ report, judgement }) => report.sealed && judgement.verdict === 'pass')
  must(seal?.report.sealed?.tree === finish.delivers, 'I9: the last passing seal is of another tree')
  must(seal?.judgement.failing.length === 0, 'I9: the seal passed with something failing')
  // Of two seals of one tree in a row, either may have seen what proves the work.
  must(observed.some(({ judgement }) => judgement.proof?.tree === finish.delivers), 'I9: nothing proves the work')
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

describe('the engine over random procedures', () => {
  it(`I1 I2 I3 I5 I6 I7 I8 I9 ends every one of ${SESSIONS} random sessions, and the fold of its records is the live session`, () => {
    const outcomes = new Map<string, number>()
    const causes = new Map<string, number>()
    everySeed(SESSIONS, (seed) => {
      const { records, states } = live(seed)
      for (let i = 1; i < states.length; i++) holdsForRecord(states[i - 1] as Session, states[i] as Session, records[i] as Event[])
      const last = states.at(-1) as Session
      const events = records.flat()
      holdsForIterations(last.procedure, records)
      holdsForEnd(last, events)
      must(JSON.stringify(rebuild(events)) === JSON.stringify(last), 'I2: the fold is the live session')
      count(outcomes, last.finish?.outcome ?? 'none')
      for (const event of events) if (event.type === 'decided') count(causes, event.decision.cause)
    })
    // A generator that seldom gets somewhere would prove little about it.
    expect([...outcomes.keys()].toSorted()).toEqual(OUTCOMES)
    expect([...causes.keys()].toSorted()).toEqual(CAUSES)
    expect(Math.min(...outcomes.values(), ...causes.values())).toBeGreaterThan(SESSIONS / 100)
  })

  it('I1 I2 goes on from any record, through JSON, to the identical next record', () => {
    everySeed(200, (seed) => {
      const { records, states } = live(seed)
      for (let i = 0; i + 1 < records.length; i++) {
        const next = records[i + 1] as Event[]
        if (!next.some((event) => event.type === 'asked' || event.type === 'decided')) continue
        const reread = JSON.parse(JSON.stringify(states[i])) as Session
        must(JSON.stringify(nextRecord(reread, seed)) === JSON.stringify(next), `record ${i + 1} comes out differently`)
      }
    })
  })

  it('I3 I4 answers nothing to a report of another effect, and issues nothing while one is outstanding', () => {
    everySeed(200, (seed) => {
      for (const state of live(seed).states) {
        if (!state.outstanding) continue
        const strange = { ...randomReport(seed, state.outstanding), effect: '999.other' }
        must(step(state, strange).length === 0, 'I4: the report of another effect does nothing')
        must(issue(state) === null, 'I3: one outstanding effect')
      }
    })
  })

  it('does not let the session grow with its history', () => {
    const opened = randomOpened(randomFrom(7), 'long')
    const endless = { ...opened, procedure: { ...opened.procedure, start: 'a', policies: {}, budget: { iterations: 0 }, phases: {
      a: { kind: 'ask', role: 'implementer', yields: 'candidate', prompt: [], opensIteration: true, on: { pass: 'b', error: 'a' } },
      b: { kind: 'check', gates: ['test'], on: { pass: 'a', fail: 'a', error: 'a' } },
    } } } satisfies Event
    let session = apply(null, endless)
    const sizes: number[] = []
    for (let n = 0; n < 12_000; n++) {
      session = rebuild(nextRecord(session, n), session)
      if (n === 3_000 || n === 11_999) sizes.push(JSON.stringify(session).length)
    }
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 1.05)
  })
})
