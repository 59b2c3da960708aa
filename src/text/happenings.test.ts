// Tests of what is told outside: which events a session has, in which order, and of what people are called.
import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../test/support/loop.js'
import type { Procedure } from '../core/types.js'
import type { Notice } from '../ports.js'
import { builtinProcedures } from '../procedures/index.js'
import { happeningsOf, isNote, type Happening } from './happenings.js'

const converge = builtinProcedures['converge'] as Procedure

function toldOf(notices: readonly Notice[]): Happening[] {
  const session = notices.flatMap((notice) => (notice.kind === 'began' ? [notice.session] : []))[0] ?? null
  return notices.flatMap((notice) => happeningsOf(notice, session))
}

describe('what happens in a session', () => {
  it('is told in its order, from the beginning to the proof', async () => {
    const { notices } = await runInMemory({ procedure: converge, turns: [{}], gates: [{ failing: ['a', 'b'] }, { failing: ['a'] }, { failing: [] }] })
    const told = toldOf(notices)
    const events = told.map(({ event }) => event).filter((event) => event !== 'phase')
    expect(events).toEqual(['began', 'best', 'iteration', 'best', 'iteration', 'converged'])
    expect(told.filter(({ event }) => isNote(event)).map(({ text }) => text)).toEqual([expect.stringMatching(/^converge converged: /)])
    expect(told.find(({ event }) => event === 'phase')?.text).toMatch(/^converge has ended baseline: fail/)
    expect(told.map(({ state }) => state).slice(-1)).toEqual(['converged'])
  })

  it('calls people for a rung, for going no further, and for what was taken back only those who ask', async () => {
    const { notices } = await runInMemory({ procedure: converge, turns: [{}], gates: [{ failing: ['a'] }, { failing: ['a', 'b'] }] })
    const told = toldOf(notices)
    expect(told.filter(({ event }) => event === 'reverted').map(({ text }) => text)).toContain('converge has gone back to the start')
    const notes = told.filter(({ event }) => isNote(event))
    expect(notes.map(({ event }) => event)).toEqual([...notes.slice(0, -1).map(() => 'rung'), 'stopped'])
    expect(notes[0]?.text).toBe('converge is no better: minimal-change')
    expect(notes.slice(0, -1).map(({ state }) => state)).toEqual(notes.slice(0, -1).map(() => 'running'))
  })

  it('calls people who are needed, for a command that was held back, and when it is stopped', async () => {
    const { notices } = await runInMemory({ procedure: converge, turns: [{}], gates: [{ failing: ['a'] }, { failing: [] }] })
    const last = notices.at(-1) as Extract<Notice, { kind: 'ended' }>
    const { session } = last
    const activity = { kind: 'activity', effect: {} as never, activity: { kind: 'waiting', until: 0, note: 'may it run rm?', wish: 'w' }, at: 1 } as const
    const others: Notice[] = [
      activity,
      { kind: 'warning', text: 'command not run: rm', at: 1, blocked: true },
      { kind: 'warning', text: 'something else', at: 1 },
      { ...last, how: { kind: 'waiting', awaits: 'you', prompt: '', path: '', cwd: null } },
      { ...last, how: { kind: 'stopped' } },
    ]
    expect(others.flatMap((notice) => happeningsOf(notice, session)).map(({ event, text }) => `${event}: ${text}`)).toEqual([
      'needs-you: converge needs you: may it run rm?',
      'blocked: converge has held back a command: command not run: rm',
      'needs-you: converge needs you: you',
      'stopped: converge is stopped',
    ])
  })
})
