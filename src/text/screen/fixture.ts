// Sessions played through the real core, as a screen is told of them.
import { check, costs, fails, ladder, opening, openedWith, passes, play, procedureOf, repeated, seal, type Answer } from '../../../test/support/core-cases.js'
import { apply, type Event, type Rung, type Session } from '../../core/index.js'
import type { JournalRecord } from '../../ports.js'
import type { Model } from './screen.js'
import { usualOf, watchRecord, type Watched } from './watched.js'

/** Ten seconds between two records. */
function recordsOf(events: readonly Event[]): JournalRecord[] {
  return events.map((event, place) => ({ seq: place + 1, at: 10_000 * place, epoch: 1, prev: '', events: [event], sum: `sum-${place + 1}` }))
}

/** A session that makes `checks` out of as many candidates, and is at its next candidate. */
export function sessionAt(checks: readonly Answer[]): { watched: Watched; now: number } {
  const phases = {
    baseline: check({ pass: 'implement', fail: 'implement' }, { baseline: true }),
    implement: opening({ pass: 'check' }),
    check: check({ pass: 'seal', fail: 'implement' }),
    seal: seal({ pass: '@converged', fail: 'implement' }),
  }
  const rungs: Rung[] = [{ at: 2, stance: 'calm' }, { at: 4, stance: 'bold', restore: true }]
  const budget = { iterations: checks.length > 12 ? 100 : 12, seconds: checks.length > 12 ? 18_000 : 1800, tokens: 1_000_000 }
  const opened = openedWith(procedureOf(phases, { name: 'converge', policies: ladder(rungs), budget }), { id: '20260206-100000-test' })
  const script = { baseline: [fails('a', 'b', 'c', 'd', 'e')], implement: repeated(costs(passes, 62, { tokens: 4100 }), checks.length), check: checks }
  const records = recordsOf([opened, ...play(opened, script).events])
  let session: Session | null = null
  let watched: Watched | null = null
  for (const record of records) {
    session = record.events.reduce<Session | null>((so, event) => apply(so, event), session)
    watched = watchRecord(watched, record, session as Session)
  }
  return { watched: watched as Watched, now: records.length * 10_000 }
}

export function modelOf(checks: readonly Answer[], part: Partial<Model> = {}): Model {
  const { watched, now } = sessionAt(checks)
  return {
    view: watched.viewed.view, task: 'make the tests pass\nand nothing else', state: 'running', now: now + 61_000, begunAt: 0,
    doing: { text: 'npm test', at: now }, usual: usualOf(watched),
    tail: ['  1  implement   1m02s  changed', '  1  check        1.0s  5→3 failing  best', '  2  check        1.0s  3→4 failing  REVERTED to 1'],
    panel: null, keys: 'h hint · p or q pause · d diff · e explain · s stream', said: '', ...part,
  }
}
