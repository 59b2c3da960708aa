// Tests of what people look at, on sessions played through the real core.
import { describe, expect, it } from 'vitest'
import { check, fails, opening, openedWith, passes, play, procedureOf, proves, withBaseline, type Script } from '../../../test/support/core-cases.js'
import { apply, type Event, type Procedure, type Session } from '../../core/index.js'
import type { JournalRecord } from '../../ports.js'
import { viewRecord, type Viewed } from './fold.js'
import { changesSince, readMark, withChanges, type View } from './view.js'

function recordsOf(events: readonly Event[]): JournalRecord[] {
  return events.map((event, place) => ({ seq: place + 1, at: 1000 * place, epoch: 1, prev: '', events: [event], sum: `sum-${place + 1}` }))
}

/** The view after each record. */
function viewsOf(events: readonly Event[]): View[] {
  let session: Session | null = null
  let viewed: Viewed | null = null
  return recordsOf(events).map((record) => {
    session = record.events.reduce<Session | null>((so, event) => apply(so, event), session)
    viewed = viewRecord(viewed, record, session as Session)
    return viewed.view
  })
}

function turning(): Procedure {
  const phases = {
    baseline: check({ pass: 'make', fail: 'make' }, { baseline: true, gates: ['test'] }),
    make: opening({ pass: 'test' }),
    test: check({ pass: 'make', fail: 'make' }, { gates: ['test'] }),
  }
  return procedureOf(phases, { policies: {} })
}

function eventsOf(script: Script, procedure: Procedure = turning()): Event[] {
  const opened = openedWith(procedure, { gates: ['test'] })
  return [opened, ...play(opened, script).events]
}

function viewed(script: Script, procedure: Procedure = turning()): View {
  return viewsOf(eventsOf(script, procedure)).at(-1) as View
}

describe('the view of a session', () => {
  it('has a row for each iteration, with its steps, what failed, and what was kept', () => {
    const { rows, head } = viewed({ baseline: [fails('a', 'b')], test: [fails('a'), fails('a', 'b', 'c')] })
    expect(rows.map(({ iteration, check, kept }) => [iteration, check?.failing, kept])).toEqual([[0, 2, 2], [1, 1, 1], [2, 3, 1], [3, undefined, 1]])
    expect(rows[1]?.steps.map(({ phase, done }) => [phase, done?.verdict])).toEqual([['make', 'pass'], ['test', 'fail']])
    expect(rows[1]?.steps[1]?.decision).toMatchObject({ to: 'make', cause: 'route' })
    expect(head).toMatchObject({ id: 'session', iteration: 3, baseline: 2, best: { iteration: 1, failing: 1 }, open: { phase: 'test', iteration: 3 } })
  })

  it('gives each failure one place for good, and says in each row what became of it', () => {
    const { rows, failures } = viewed({ baseline: [fails('a', 'b')], test: [fails('b', 'c'), fails('a')] })
    expect(failures.map(({ subject, first, last }) => [subject, first, last])).toEqual([['a', 0, 2], ['b', 0, 1], ['c', 1, 1]])
    expect(rows.slice(0, 3).map(({ check }) => check?.marks.map(readMark).map(({ place, status }) => [place, status]))).toEqual([[[0, 'new'], [1, 'new']], [[1, 'same'], [2, 'new']], [[0, 'regressed']]])
  })

  it('claims an end only with the records that carry it', () => {
    const events = eventsOf({ baseline: [fails('a')], check: [passes], seal: [proves] }, withBaseline())
    const claims = viewsOf(events).at(-1)?.certificate ?? []
    const finished = events.findIndex((event) => event.type === 'decided' && event.decision.finish !== null)
    expect(claims.find(({ kind }) => kind === 'outcome')).toMatchObject({ seq: finished + 1, sum: `sum-${finished + 1}` })
    expect(claims.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['start', 'baseline', 'seal', 'outcome', 'proof']))
  })

  it('comes to the same whether it is read whole or heard of change by change, from any record on', () => {
    const views = viewsOf(eventsOf({ baseline: [fails('a')], test: [fails('a', 'b'), fails('b'), fails()] }))
    const whole = views.at(-1) as View
    for (const early of views) expect(withChanges(early, changesSince(whole, early.seq))).toEqual(whole)
    let heard = views[0] as View
    for (const view of views.slice(1)) heard = withChanges(heard, changesSince(view, heard.seq))
    expect(heard).toEqual(whole)
  })
})
