// Tests of telling others: attempts and their limits at an address, the order of deliveries, and that no failure spreads.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runInMemory } from '../../../test/support/loop.js'
import type { Procedure } from '../../core/types.js'
import type { Notice } from '../../ports.js'
import { builtinProcedures } from '../../procedures/index.js'
import { openDeliveries } from './deliveries.js'
import { outsideReporter } from './outside.js'
import { post } from './webhook.js'

const NEVER = new AbortController().signal
const AT_ONCE = { waitSeconds: [0.001, 0.001], timeoutSeconds: 30 }

async function serverThat(answer: (request: IncomingMessage, count: number) => { status: number; headers?: Record<string, string> } | null): Promise<{ address: string; count: () => number; close: () => void }> {
  let count = 0
  const server: Server = createServer((request, response) => {
    count += 1
    const given = answer(request, count)
    if (given) response.writeHead(given.status, given.headers).end('x')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = (): void => void (server.close(), server.closeAllConnections())
  onTestFinished(close)
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`, count: () => count, close }
}

describe('an address', () => {
  it('is tried again while it is only busy, and then has it', async () => {
    const { address, count } = await serverThat((_request, n) => ({ status: [503, 429][n - 1] ?? 204 }))
    expect(await post({ address, ...AT_ONCE }, '{}', NEVER)).toBe(null)
    expect(count()).toBe(3)
  })

  it('is given up at once when it refuses, and after three attempts when it cannot be reached', async () => {
    const refusing = await serverThat(() => ({ status: 404 }))
    expect(await post({ address: refusing.address, ...AT_ONCE }, '{}', NEVER)).toMatch(/^127\.0\.0\.1:\d+ answered 404$/)
    expect(refusing.count()).toBe(1)
    refusing.close()
    expect(await post({ address: refusing.address, ...AT_ONCE }, '{}', NEVER)).toMatch(/^127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)$/)
  })

  it('is not waited for longer than the limit', async () => {
    const { address, count } = await serverThat(() => null)
    expect(await post({ address, waitSeconds: [0.001], timeoutSeconds: 0.05 }, '{}', NEVER)).toMatch(/did not answer in time$/)
    expect(count()).toBeLessThanOrEqual(2)
  })

  it('is not followed to another place', async () => {
    const other = await serverThat(() => ({ status: 200 }))
    const { address } = await serverThat(() => ({ status: 307, headers: { location: other.address } }))
    expect(await post({ address, ...AT_ONCE }, '{}', NEVER)).toMatch(/answered 307$/)
    expect(other.count()).toBe(0)
  })
})

describe('deliveries', () => {
  it('come one after the other, a failure is said once until it goes well again, and no receiver waits for another', async () => {
    const said: string[] = []
    const deliveries = openDeliveries((text) => said.push(text))
    const order: string[] = []
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    deliveries.add('slow', () => held.then(() => null))
    const results = ['bad', 'bad', null, 'worse']
    results.forEach((result, n) => deliveries.add('other', () => (order.push(String(n)), Promise.resolve(result))))
    await expect.poll(() => order).toEqual(['0', '1', '2', '3'])
    letGo()
    await deliveries.settle(NEVER)
    expect(said).toEqual(['warning: other: bad', 'warning: other: worse'])
  })

  it('are dropped when too many wait, which is said once', async () => {
    const said: string[] = []
    const deliveries = openDeliveries((text) => said.push(text))
    let done = 0
    for (let n = 0; n < 60; n++) deliveries.add('x', () => Promise.resolve(done += 1).then(() => null))
    await deliveries.settle(NEVER)
    expect(done).toBe(50)
    expect(said).toHaveLength(1)
  })
})

describe('a hook', () => {
  it('gets what happened without secrets and without characters that steer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'greenlatch-outside-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { notices } = await runInMemory({ procedure: builtinProcedures['converge'] as Procedure, turns: [{}], gates: [{ failing: ['a'] }, { failing: [] }] })
    const last = notices.at(-1) as Extract<Notice, { kind: 'ended' }>
    const how = { kind: 'waiting', awaits: 'key s3cret-value\u001B[2J\nand more', prompt: '', path: '', cwd: null } as const
    const hook = { on: ['needs-you'] as const, run: 'cat > told; printf %s "$GREENLATCH_NOTE" > note', timeoutSeconds: 20 }
    const notes = { on: [], webhook: null, command: null, timeoutSeconds: 1 }
    const outside = outsideReporter({ notes, hooks: { hook }, cwd: folder, env: {}, secrets: ['s3cret-value'], withheld: [], say: () => {} })
    outside.notice({ ...last, how })
    await outside.settle(NEVER)
    const text = 'converge needs you: key *** and more'
    expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toMatchObject({ event: 'needs-you', state: 'waiting', text, procedure: 'converge' })
    expect(readFileSync(join(folder, 'note'), 'utf8')).toBe(text)
  })
})
