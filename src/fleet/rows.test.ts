import { describe, expect, it } from 'vitest'
import type { FleetJob } from './queues.js'
import { servesQueue } from './queues.js'
import { countBy, rowOf, rungOf, sharesOf, toCsv, toHtml, type Row } from './rows.js'
import { parseRate } from './shared.js'

const task = { format: 1, id: 'b-00001', batch: 'b', repository: '/r', commit: 'c', remote: '/r', procedure: null, text: '=SUM(A1), "x"', words: {}, labels: [] }
const job = (more: object = {}): FleetJob => ({ data: task, progress: 0, priority: 10, stalledCounter: 0, attemptsStarted: 1, ...more }) as unknown as FleetJob
const result = { outcome: 'converged', code: 0, label: 'verified', why: '<b>all</b> pass', iterations: 2, spent: { seconds: 3, tokens: 5, usd: 0.25 }, lines: 4, remote: '/r', ref: 'refs/x', commit: 'd', worker: 'w', pushes: { count: 4, seconds: 1 } }

const row = (state: Parameters<typeof rowOf>[1], more: object = {}, cancelled = false): Row => rowOf(job(more), state, cancelled)

describe('a row', () => {
  it('tells where a session stands in one word', () => {
    const states = [row('prioritized'), row('delayed'), row('active'), row('failed', { failedReason: 'gone\n  next: look' }), row('completed', { returnvalue: result }), row('waiting', {}, true), row('active', {}, true)]
    expect(states.map(({ state }) => state)).toEqual(['queued', 'later', 'running', 'dead', 'converged', 'cancelled', 'cancelling'])
    expect(states[3]).toMatchObject({ why: 'gone', next: 'look' })
    expect([...countBy(states)]).toContainEqual(['dead', 1])
  })

  it('says which rung it stands on, counted from 1, and what is used of its bounds, the one that ends it first in front', () => {
    const progress = { worker: 'w', iteration: 2, rung: 0, failing: 1, spent: { seconds: 90, tokens: 5, usd: 1.5 }, budget: { iterations: 8, usd: 2, seconds: 0 } }
    const running = row('active', { progress })
    expect([rungOf(running), sharesOf(running).map(({ text }) => text)]).toEqual([1, ['1.50 of 2.00 USD', '2 of 8 iterations']])
    expect([rungOf(row('active', { progress: { ...progress, rung: -1 } })), rungOf(row('waiting')), sharesOf(row('waiting'))]).toEqual([null, null, []])
  })

  it('is no formula in a spreadsheet and no markup in a page', () => {
    const rows = [row('completed', { returnvalue: result })]
    expect(toCsv(rows).split('\r\n')[1]).toContain(`"'=SUM(A1), ""x"""`)
    expect(toHtml(rows)).toContain('&#60;b&#62;all&#60;/b&#62; pass')
    expect(toHtml(rows)).not.toContain('<b>')
  })
})

describe('labels and rates', () => {
  it('a worker serves the queues whose labels it has, all of them', () => {
    expect(['sessions', 'sessions+gpu', 'sessions+gpu+linux'].map((name) => servesQueue(name, ['gpu', 'big']))).toEqual([true, true, false])
  })

  it('a rate is a number and a unit', () => {
    expect([parseRate('30/m'), parseRate('2/s'), parseRate('0/m'), parseRate('often'), parseRate('')]).toEqual([{ count: 30, seconds: 60 }, { count: 2, seconds: 1 }, null, null, null])
  })
})
