import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdMoney, raiseSpent, renewHold, settleMoney } from './money.js'
import { notePushed, notePushing, standingOf } from './pushed.js'
import { moneyLeft, noteBatch } from './shared.js'

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-money-'))
const server = spawn('redis-server', ['--port', '0', '--unixsocket', join(folder, 's'), '--save', '', '--dir', folder], { stdio: 'ignore' })
const redis = new Redis(join(folder, 's'), { retryStrategy: () => 50 })
redis.on('error', () => {})

beforeAll(() => redis.ping())
afterAll(() => {
  redis.disconnect()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const LONG = 60_000
const session = (batch: string) => (id: string): { batch: string; id: string } => ({ batch, id })

describe('the money of a batch', () => {
  it('is held before an ask: all of it while nobody knows what one costs, then as much as the dearest', async () => {
    const of = session('a')
    await noteBatch(redis, 'a', { at: 0, tasks: 3, usd: 1 })
    expect(await holdMoney(redis, of('1'), null, LONG)).toEqual({ kind: 'granted', left: 1 })
    expect(await holdMoney(redis, of('2'), null, LONG)).toEqual({ kind: 'wait' })
    await settleMoney(redis, of('1'), 0.25)
    expect(await holdMoney(redis, of('1'), null, LONG)).toEqual({ kind: 'granted', left: 0.75 })
    expect(await holdMoney(redis, of('2'), null, LONG)).toEqual({ kind: 'granted', left: 0.5 })
    expect(await holdMoney(redis, of('3'), 0.5, LONG)).toEqual({ kind: 'granted', left: 0.25 })
    expect(await holdMoney(redis, of('4'), null, LONG)).toEqual({ kind: 'wait' })
    for (const id of ['1', '2', '3']) await settleMoney(redis, of(id), 0.25)
    expect([await holdMoney(redis, of('4'), null, LONG), await moneyLeft(redis, 'a')]).toEqual([{ kind: 'broke' }, 0])
  })

  it('is held for as long as somebody renews it, and an ask that was cut off with its worker counts as the dearest', async () => {
    const of = session('b')
    await noteBatch(redis, 'b', { at: 0, tasks: 2, usd: 1 })
    await settleMoney(redis, of('1'), 0.25)
    await holdMoney(redis, of('1'), null, 1)
    await renewHold(redis, of('1'), LONG)
    await holdMoney(redis, of('3'), null, 1)
    await new Promise((resolve) => void setTimeout(resolve, 20))
    expect(await holdMoney(redis, of('2'), null, LONG)).toEqual({ kind: 'granted', left: 0.25 })
    expect(await moneyLeft(redis, 'b')).toBe(0.5)
  })

  it('is counted for a session whether or not what it paid for was pushed', async () => {
    await settleMoney(redis, { batch: 'c', id: '1' }, 0.5)
    expect(await raiseSpent(redis, { batch: 'c', id: '1' }, 0.25)).toBe(0.5)
    expect(await raiseSpent(redis, { batch: 'c', id: '1' }, 0.75)).toBe(0.75)
    expect(await holdMoney(redis, { batch: 'c', id: '1' }, null, LONG)).toEqual({ kind: 'granted', left: null })
  })
})

describe('a ref of a session', () => {
  it('is ours where a worker set out to push what it stands on, and gone where something was there', async () => {
    expect([await standingOf(redis, 's', null), await standingOf(redis, 's', 'x')]).toEqual(['new', 'foreign'])
    await notePushing(redis, 's', 'x')
    expect([await standingOf(redis, 's', null), await standingOf(redis, 's', 'x'), await standingOf(redis, 's', 'y')]).toEqual(['new', 'ours', 'foreign'])
    await notePushed(redis, 's')
    expect(await standingOf(redis, 's', null)).toBe('gone')
  })
})
