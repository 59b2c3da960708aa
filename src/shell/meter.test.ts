import { describe, expect, it } from 'vitest'
import { memoryFolder } from '../adapters/journal/folder.js'
import type { Effect, Session } from '../core/index.js'
import { markBegun, startMeter } from './meter.js'

const EFFECT = { id: '1.act', phase: 'act' } as Effect
const SESSION = { cuts: 0 } as Session

/** A clock that only a test moves. */
function meterWith() {
  const time = { seconds: 1000 }
  const folder = memoryFolder('/')
  const clock = { now: () => time.seconds * 1000, seconds: () => time.seconds, sleep: () => Promise.resolve() }
  const meter = startMeter({ clock, folder, reporter: { notice: () => {} } }, SESSION, EFFECT, 'marked')
  return { time, folder, meter }
}

describe('the meter of an effect', () => {
  it('counts again as soon as a person has answered', () => {
    const { time, meter } = meterWith()
    meter.onActivity({ kind: 'waiting', until: (time.seconds + 600) * 1000, note: 'it asks to push', wish: '1.act#1' })
    time.seconds += 100
    meter.onActivity({ kind: 'answered' })
    time.seconds += 7
    expect(meter.stop().seconds).toBe(7)
  })

  it('counts no time that a limit was waited for, however often, and what comes after it again', () => {
    const { time, meter } = meterWith()
    time.seconds += 5
    meter.onActivity({ kind: 'waiting', until: (time.seconds + 60) * 1000, note: 'first: limit' })
    time.seconds += 60 + 3
    meter.onActivity({ kind: 'waiting', until: (time.seconds + 10) * 1000, note: 'first: limit' })
    time.seconds += 10 + 4
    expect(meter.stop().seconds).toBe(5 + 3 + 4)
  })

  it('counts a wait that is broken off only as far as it went', () => {
    const { time, meter } = meterWith()
    meter.onActivity({ kind: 'waiting', until: (time.seconds + 600) * 1000, note: 'first: limit' })
    time.seconds += 7
    expect(meter.stop({ seconds: 99, tokens: 3, usd: 0 })).toEqual({ seconds: 0, tokens: 3, usd: 0 })
  })

  it('leaves in its mark until when it waits and why', () => {
    const { time, folder, meter } = meterWith()
    expect(markBegun.read(folder)?.waiting).toBeUndefined()
    const until = (time.seconds + 60) * 1000
    meter.onActivity({ kind: 'waiting', until, note: 'first: limit' })
    expect(markBegun.read(folder)).toMatchObject({ effect: '1.act', waiting: { until, note: 'first: limit' } })
    meter.stop()
  })
})
