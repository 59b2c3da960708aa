// What a replay finds, and that it finds nothing where nothing changed.
import { describe, expect, it } from 'vitest'
import { climbing, fails, openedWith, play, repeated } from '../../test/support/core-cases.js'
import { randomFrom, randomOpened, nextRecord } from '../../test/support/random-sessions.js'
import { apply, rebuild, type Event, type Session } from '../core/index.js'
import { startBacktest } from './backtest.js'
import { startReplay, type Deviation } from './replay.js'

function deviationsOf(events: readonly Event[]): Deviation[] {
  const replay = startReplay()
  return events.flatMap((event) => replay.take(event) ?? [])
}

function randomSession(seed: number): Event[] {
  const opened = randomOpened(randomFrom(seed), `s${seed}`)
  const events: Event[] = [opened]
  let session: Session = apply(null, opened)
  for (let records = 0; records < 120 && !session.finish; records++) {
    const more = nextRecord(session, seed)
    session = rebuild(more, session)
    events.push(...more)
  }
  return events
}

const OPENED = openedWith(climbing([{ at: 2, stance: 'calm' }, { at: 3, to: '@stalled' }]))
const STALLED: Event[] = [OPENED, ...play(OPENED, { test: repeated(fails('a'), 5) }).events]

type Of<T extends Event['type']> = Extract<Event, { type: T }>

function changed(type: Event['type'], change: (event: never) => Event): Event[] {
  const last = STALLED.findLastIndex((event) => event.type === type)
  return STALLED.map((event, place) => (place === last ? change(event as never) : event))
}

describe('a replay', () => {
  it('comes out as recorded for any session of any procedure.', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const events = randomSession(seed)
      expect([seed, deviationsOf(events)]).toEqual([seed, []])
    }
  })

  it('ends as the recording did.', () => {
    const replay = startReplay()
    for (const event of STALLED) replay.take(event)
    expect(replay.session()?.finish).toMatchObject({ outcome: 'stalled' })
  })

  it.each([
    ['decision', changed('decided', (event: Of<'decided'>) => ({ ...event, decision: { ...event.decision, why: 'a whim' } })), 'why'],
    ['judgement', changed('observed', (event: Of<'observed'>) => ({ ...event, judgement: { ...event.judgement, key: 'another' } })), 'key'],
    ['effect', changed('asked', (event: Of<'asked'>) => ({ ...event, effect: { ...event.effect, tree: 'another' } })), 'tree'],
  ])('names what was recorded otherwise, here the %s, by its iteration, its phase and its key.', (what, events, path) => {
    expect(deviationsOf(events)[0]).toMatchObject({ what, path, iteration: 3, phase: 'test' })
  })

  it('names first where a decision would lead now.', () => {
    const eager = { ...OPENED, procedure: climbing([{ at: 2, to: '@stalled' }]) }
    const [first] = deviationsOf([eager, ...STALLED.slice(1)])
    expect(first).toMatchObject({ what: 'decision', path: 'to', recorded: 'make', now: '@stalled', iteration: 2 })
  })

  it('leaves a person who cancelled their say.', () => {
    const cancelled = STALLED.findLast((event) => event.type === 'decided')
    if (cancelled?.type !== 'decided' || !cancelled.decision.finish) throw new Error('the example does not end')
    const finish = { ...cancelled.decision.finish, outcome: 'cancelled' as const }
    const decision = { ...cancelled.decision, to: '@cancelled', why: 'cancelled by a person', finish }
    expect(deviationsOf([OPENED, { type: 'decided', decision }])).toEqual([])
    expect(deviationsOf(changed('decided', () => ({ type: 'decided', decision })))).toEqual([])
  })
})

describe('a back-test with the recorded procedure', () => {
  it('comes to the same for any session.', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const backtest = startBacktest((recorded) => recorded)
      for (const event of randomSession(seed)) backtest.take(event)
      expect([seed, backtest.result().kind]).toEqual([seed, 'same'])
    }
  })
})
