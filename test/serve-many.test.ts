// A dashboard with fifty sessions that run: every record of each of them arrives, also with those who break off and come back.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { View } from '../src/text/view/view.js'
import { until } from './support/cli.js'
import { runningBeside, sessionOf } from './support/long-session.js'
import { askWithKey, serve, type Served } from './support/serve.js'

const SESSIONS = 50
const RECORDS = 9

type Told = { whole?: { view: View }; changes?: Pick<View, 'rows' | 'seq'> }

/** Hears of one session, and remembers every record that a row tells of. */
function hearer({ port, token }: Served, id: string) {
  const heard = new Set<number>()
  let last = ''
  let leaving = new AbortController()
  const take = (event: string): void => {
    if (!event.includes('event: session\n')) return
    last = /^id: (.*)$/m.exec(event)?.[1] ?? last
    const { whole, changes } = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as Told
    for (const { lines } of whole?.view.rows ?? changes?.rows ?? []) for (const { seq } of lines) heard.add(seq)
  }
  const listen = async (): Promise<void> => {
    leaving = new AbortController()
    const headers = { authorization: `Bearer ${token}`, ...(last !== '' && { 'last-event-id': last }) }
    const { body } = await fetch(`http://127.0.0.1:${port}/api/stream?session=${id}`, { headers, signal: leaving.signal })
    let text = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n')
      text = events.pop() ?? ''
      events.forEach(take)
    }
  }
  const begin = (): void => void listen().catch(() => {})
  return { heard, begin, leave: () => leaving.abort() }
}

describe('a dashboard with fifty sessions that run', () => {
  it('tells of every record of each, to those who stay and to those who come back', async () => {
    const shop = await sessionOf(1)
    const running = await runningBeside(shop, SESSIONS)
    const served = await serve(shop)
    const hearers = running.map(({ id }) => hearer(served, id))
    for (const { begin } of hearers) begin()
    await until('all hear something', () => hearers.every(({ heard }) => heard.size > 0))
    for (let turn = 0; turn < RECORDS; turn++) {
      running.forEach((session) => session.turn())
      // A third of them is away at any time, and nobody stays for all of it.
      hearers.forEach(({ begin, leave }, at) => (at % 3 === turn % 3 ? leave() : (at + 2) % 3 === turn % 3 ? begin() : undefined))
      await sleep(150)
    }
    for (const { leave, begin } of hearers) {
      leave()
      begin()
    }
    const missing = (): string[] => running.flatMap(({ id, last }, at) => {
      const all = Array.from({ length: last() }, (_, n) => n + 1)
      const not = all.filter((seq) => !hearers[at]?.heard.has(seq))
      return not.length > 0 ? [`${id}: ${not.join(' ')}`] : []
    })
    await expect.poll(missing, { timeout: 30_000, interval: 200 }).toEqual([])
    expect(running.map(({ last }) => last())).toEqual(running.map(() => RECORDS + 1))
    const { said } = await askWithKey(served, '/api/sessions')
    expect((said as { group: string }[]).filter(({ group }) => group === 'running')).toHaveLength(SESSIONS)
    for (const { leave } of hearers) leave()
  })
})
