// Tests of asking a person for permission: a clock that only the test moves, and messages as an inbox would give them.
import { describe, expect, it } from 'vitest'
import type { Activity, Message } from '../ports.js'
import { permitting } from './permits.js'

/** `answers`: seconds after the start → what a person says then. */
function world(answers: Record<number, Omit<Extract<Message, { kind: 'permit' }>, 'id' | 'at' | 'kind'>> = {}) {
  const time = { seconds: 0 }
  const told: Activity[] = []
  const abort = new AbortController()
  const done: string[] = []
  const due = (): Message[] => Object.entries(answers).flatMap(([at, answer]) => (Number(at) <= time.seconds ? [{ kind: 'permit', id: at, at: 0, ...answer } as Message] : []))
  const ports = {
    clock: { now: () => time.seconds * 1000, seconds: () => time.seconds, sleep: (seconds: number) => Promise.resolve(void (time.seconds += seconds)) },
    control: { now: abort.signal, interruptedBy: () => null, interrupt: () => {}, collect: () => ({ messages: [], notices: [] }), close: () => {} },
    inbox: { peek: () => due().filter(({ id }) => !done.includes(id)), done: ({ id }: { id: string }) => void done.push(id), take: () => ({ messages: [], notices: [] }), watch: () => () => {} },
  }
  return { time, told, abort, done, permit: permitting({ ports, effect: { id: '3.act' }, onActivity: (activity) => told.push(activity) }) }
}

describe('a person who is asked', () => {
  it('allows or denies what was asked for, and nothing else', async () => {
    const { permit, done, told } = world({ 5: { wish: '2.other#1', allow: true }, 9: { wish: '3.act#1', allow: false }, 20: { wish: '3.act#2', allow: true } })
    expect([await permit('push'), await permit('fetch')]).toEqual([false, true])
    expect(done).toEqual(['9', '20'])
    expect(told.map(({ kind }) => kind)).toEqual(['waiting', 'answered', 'waiting', 'answered'])
    expect(told[0]).toMatchObject({ note: 'push', wish: '3.act#1', until: 600_000 })
  })

  it('is asked one thing at a time', async () => {
    const { permit, told } = world({ 9: { wish: '3.act#1', allow: true }, 20: { wish: '3.act#2', allow: true } })
    await Promise.all([permit('one'), permit('two')])
    expect(told.map((activity) => (activity.kind === 'waiting' ? activity.note : activity.kind))).toEqual(['one', 'answered', 'two', 'answered'])
  })

  it('has said no when ten minutes are over, or when the run is to end', async () => {
    const late = world({ 601: { wish: '3.act#1', allow: true } })
    expect([await late.permit('push'), Math.round(late.time.seconds)]).toEqual([false, 600])
    const stopped = world()
    stopped.abort.abort()
    expect([await stopped.permit('push'), stopped.time.seconds]).toEqual([false, 0])
  })
})
