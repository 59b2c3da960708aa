// Tests of the bell: when it rings, how often, and when it does not.
import { describe, expect, it } from 'vitest'
import { emptyReport, issue, rebuild, step, type AskPhase, type Event, type Session } from '../../core/index.js'
import type { Ending, Notice } from '../../ports.js'
import { opening, openedWith, procedureOf } from '../../../test/support/core-cases.js'
import { bellReporter } from './bell.js'

const ask = (yields: AskPhase['yields'], on: AskPhase['on']): AskPhase => opening(on, { yields })

function rungBy(...notices: Notice[]): number {
  let rung = ''
  const reporter = bellReporter((text) => (rung += text))
  for (const notice of notices) reporter.notice(notice)
  expect(rung).toBe('\u0007'.repeat(rung.length))
  return rung.length
}

/** One answer to the first phase, as reporters hear of it. */
function answered(phase: AskPhase, report: Partial<ReturnType<typeof emptyReport>>): { notice: Notice; session: Session } {
  const session = rebuild([openedWith(procedureOf({ first: phase }))])
  const effect = issue(session)
  if (!effect) throw new Error('nothing is asked')
  const before = rebuild([{ type: 'asked', effect, prompt: null }], session)
  const events: Event[] = step(before, { ...emptyReport(effect), ...report })
  const after = rebuild(events, before)
  return { notice: { kind: 'record', record: { seq: 1, at: 0, epoch: 1, prev: '', events, sum: '' }, before, after }, session: after }
}

const ended = (session: Session, how: Ending): Notice => ({ kind: 'ended', session, how, at: 0 })

describe('the bell', () => {
  it('IS-11 rings once when a session is over or needs a person, and not when it was paused', () => {
    const { session } = answered(ask('review', { pass: '@completed' }), {})
    expect(rungBy(ended(session, { kind: 'finished' }))).toBe(1)
    expect(rungBy(ended(session, { kind: 'waiting', awaits: '', prompt: '', path: '', cwd: null }))).toBe(1)
    expect(rungBy(ended(session, { kind: 'paused' }))).toBe(0)
  })

  it('IS-14 rings three times, and not once more at the end, when an addition to the task is refused', () => {
    const { notice, session } = answered(ask('amendment', { pass: 'first', fail: '@stalled' }), { verdict: 'fail', note: 'low confidence' })
    expect(session.finish?.outcome).toBe('stalled')
    expect(rungBy(notice, ended(session, { kind: 'finished' }))).toBe(3)
    expect(rungBy(answered(ask('amendment', { pass: 'first', fail: '@stalled' }), {}).notice)).toBe(0)
  })

  it('rings once for commands that were not run', () => {
    const ref = { path: 'commands.md', sha: '0', bytes: 1 }
    const warning = { kind: 'warning', text: 'command not run: rm -rf /', at: 0 } as const
    expect(rungBy({ ...warning, blocked: true }, warning)).toBe(1)
    expect(rungBy(answered(ask('candidate', { pass: 'first' }), { keeps: { commands: ref } }).notice)).toBe(0)
  })
})
