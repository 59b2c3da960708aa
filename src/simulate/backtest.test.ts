// What another policy would have made of a recorded session.
import { describe, expect, it } from 'vitest'
import { after, climbing, costs, fails, loop, openedWith, passes, play, proves, repeated, type Script } from '../../test/support/core-cases.js'
import { apply, type Event, type Opened, type Procedure, type Rung } from '../core/index.js'
import { startBacktest, type Result } from './backtest.js'

const STOPS_AT_4: Rung[] = [{ at: 4, to: '@stalled' }]

function recorded(procedure: Procedure, script: Script): Event[] {
  const opened: Opened = openedWith(procedure)
  return [opened, ...play(opened, script).events]
}

function tried(events: readonly Event[], change: Procedure | { unfit: string }): Result {
  const backtest = startBacktest(() => change)
  for (const event of events) backtest.take(event)
  return backtest.result()
}

const slow = costs(passes, 60)
const FAILING: Script = { make: repeated(slow, 9), test: repeated(fails('a'), 9) }
/** Fails three times with the same failures, then passes and is proved. */
const SAVED: Script = { make: repeated(slow, 9), test: [...repeated(fails('a'), 3), passes], seal: [proves] }

describe('a back-test', () => {
  it('tells how much earlier a session would have stopped.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), FAILING), climbing([{ at: 2, to: '@stalled' }]))
    expect(result).toMatchObject({
      kind: 'earlier',
      recorded: { outcome: 'stalled', iterations: 4, seconds: 240 },
      tried: { outcome: 'stalled', iterations: 2, seconds: 120, why: 'the same failures 2 times, so the ladder ends here' },
      saved: { iterations: 2, seconds: 120 },
    })
  })

  it('tells a good run that would have been lost, and calls nothing of it saved.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), SAVED), climbing([{ at: 3, to: '@stalled' }]))
    expect(result).toMatchObject({ kind: 'lost', recorded: { outcome: 'converged', iterations: 4 }, tried: { outcome: 'stalled', iterations: 3 }, saved: { iterations: 0, seconds: 0 } })
  })

  it('does not know what comes after the end of a recording.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), FAILING), climbing([{ at: 6, to: '@stalled' }]))
    expect(result).toMatchObject({ kind: 'longer', tried: { outcome: null, iterations: 4, why: 'it would go on with make' } })
  })

  it('comes to the same where nothing that counts was changed.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), SAVED), climbing([{ at: 5, to: '@stalled' }]))
    expect(result).toMatchObject({ kind: 'same', recorded: { outcome: 'converged' }, tried: { outcome: 'converged', iterations: 4 } })
  })

  it('says from where on other answers would be needed, and why.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), FAILING), climbing([{ at: 2, stance: 'bold' }, ...STOPS_AT_4]))
    expect(result).toMatchObject({ kind: 'diverged', tried: { iterations: 2, why: 'make would be asked for, with another posture.stance' } })
    const aside = tried(recorded(climbing(STOPS_AT_4), FAILING), climbing([{ at: 3, to: 'aside' }]))
    expect(aside).toMatchObject({ kind: 'diverged', tried: { iterations: 3, why: 'aside would be asked for, with another id' } })
  })

  it('tells an end at the same place with another outcome.', () => {
    const result = tried(recorded(climbing(STOPS_AT_4), FAILING), { ...climbing([]), budget: { iterations: 4 } })
    expect(result).toMatchObject({ kind: 'otherwise', recorded: { outcome: 'stalled' }, tried: { outcome: 'exhausted', iterations: 4 } })
  })

  it('takes an earlier good end as one.', () => {
    const completing = (iterations: number): Procedure => loop({ budget: { iterations, then: 'completed' } })
    const result = tried(recorded(completing(3), FAILING), completing(1))
    expect(result).toMatchObject({ kind: 'earlier', tried: { outcome: 'completed', iterations: 1 }, saved: { iterations: 2, seconds: 120 } })
  })

  it('follows a session that was extended after its end.', () => {
    const opened = openedWith({ ...climbing([]), budget: { iterations: 2 } })
    const first = play(opened, FAILING)
    const extended: Event = { type: 'extended', budget: { iterations: 4 } }
    const second = play(after(first.session, extended), FAILING)
    const events = [opened, ...first.events, extended, ...second.events]
    expect(tried(events, opened.procedure)).toMatchObject({ kind: 'same', tried: { outcome: 'exhausted', iterations: 4 } })
    expect(tried(events, { ...opened.procedure, budget: { iterations: 1 } })).toMatchObject({ kind: 'earlier', saved: { iterations: 3 } })
  })

  it('takes a session that goes on as far as it is recorded.', () => {
    const opened = openedWith(climbing(STOPS_AT_4))
    const { events } = play(opened, { make: [slow, slow], test: [fails('a'), fails('a')] })
    expect(apply(null, opened).finish).toBeNull()
    expect(tried([opened, ...events], climbing(STOPS_AT_4))).toMatchObject({ kind: 'same', recorded: { outcome: null }, tried: { outcome: null } })
  })

  it('says why a procedure cannot be tried.', () => {
    expect(tried(recorded(loop(), {}), { unfit: 'there is no phase "aside"' })).toMatchObject({ kind: 'unfit', tried: { why: 'there is no phase "aside"' } })
  })
})
