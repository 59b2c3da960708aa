// The scripted model server through its public doors: as a program of its own, and out of the built package.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

function start(...args: string[]) {
  const child = spawn(process.execPath, [join(root, 'scripts/model-server.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const stderr: string[] = []
  child.stderr.on('data', (data: Buffer) => stderr.push(data.toString()))
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, code, stderr: () => stderr.join(''), line: async () => String((await lines.next()).value) }
}

function scriptFile(script: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'greenlatch-model-')), 'script.json')
  writeFileSync(path, JSON.stringify(script))
  return path
}

describe('the model server as a program', () => {
  it('prints its address, answers from the file, logs each request and says at the end what it served', async () => {
    const script = scriptFile({ client: 'chat', turns: [{ text: 'hello', usage: { input: 12, output: 3 } }] })
    const { child, code, line } = start('--script', script, '--port', '0', '--log', `${script}.log`)
    const url = await line()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
    const answered = await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).json()
    expect(answered).toMatchObject({ choices: [{ message: { content: 'hello' } }], usage: { total_tokens: 15 } })
    child.kill('SIGTERM')
    expect(JSON.parse(await line())).toMatchObject({ requests: 1, served: { turns: { input: 12, output: 3 } } })
    expect(await code).toBe(0)
    expect(JSON.parse(readFileSync(`${script}.log`, 'utf8'))).toMatchObject({ n: 1, kind: 'turn', turn: 1 })
  })

  it('refuses a script it cannot follow, and a call without one, with exit 2', async () => {
    const wrong = start('--script', scriptFile({ turns: [{ say: 'x' }] }))
    expect([await wrong.code, wrong.stderr()]).toEqual([2, expect.stringContaining('`say` is unknown')])
    const none = start()
    expect([await none.code, none.stderr()]).toEqual([2, expect.stringContaining('usage: ')])
  })
})

describe('greenlatch/testing', () => {
  it('offers the server and the names of its faults, from the built package', async () => {
    const { startModelServer, MODEL_FAULTS } = (await import(join(root, 'dist/testing.js'))) as typeof import('../src/testing/index.js')
    const server = await startModelServer({ script: { turns: [{ fault: 'overloaded' }], client: 'chat' } })
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', body: '{"max_tokens":4096}' })
    expect([response.status, MODEL_FAULTS.includes('overloaded')]).toEqual([529, true])
    await server.close()
  })
})
