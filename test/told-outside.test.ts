// Notes and hooks through the command line: who hears of what, in which form, and that nothing of it decides or delays anything.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EVENT_SCHEMA } from '../src/config/artifact-schemas.js'
import { CLI, until } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

const SECRET = 'sk-very-secret-4711'

/** Posts that came in, oldest first; `isHeld` answers nothing while it is true. */
async function listen(isHeld: () => boolean = () => false): Promise<{ address: string; posts: Record<string, unknown>[] }> {
  const posts: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk)).on('end', () => {
      posts.push(JSON.parse(body) as Record<string, unknown>)
      const answer = (): void => void (isHeld() ? setTimeout(answer, 50) : response.writeHead(204).end())
      answer()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.close(), server.closeAllConnections()))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/abc`, posts }
}

function failingOnce(): Workshop {
  return makeWorkshop({ failing: 'one\ntwo\n' })
}

function gateOf(shop: Workshop): string {
  return `tests=${shop.program('gate', 'sed "s/^/FAIL /" failing', '[ ! -s failing ]')}`
}

function lines(shop: Workshop, path: string): Record<string, unknown>[] {
  return shop.read(path).trim().split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('what is told outside', () => {
  it('reaches an address, a command and hooks, without secrets; a hook that fails is named and decides nothing', async () => {
    const shop = failingOnce()
    const { address, posts } = await listen()
    const note = shop.program('note', 'printf "%s: " "$GREENLATCH_EVENT" >> "$ROOT/notes"', 'cat >> "$ROOT/notes"')
    const hook = shop.program('hook', 'cat >> "$ROOT/hooked"', 'env > "$ROOT/hook-env"')
    const bad = shop.program('bad', 'cat >/dev/null', 'echo "no such channel" >&2', 'exit 3')
    shop.write('greenlatch.yaml', JSON.stringify({
      notify: { webhook: address, command: [note] },
      hooks: { all: { on: ['began', 'best', 'iteration', 'converged'], run: [hook] }, bad: { on: 'iteration', run: bad }, page: { on: 'converged', run: `'${process.execPath}' '${CLI}' report "$GREENLATCH_SESSION" --md '${shop.root}/summary.md'` } },
    }))
    const agent = shop.program('agent', 'cat >/dev/null', 'sed -i 1d failing', 'echo "$ANTHROPIC_API_KEY"')
    const ended = await shop.run(['run', `use ${SECRET}`, '--gate', gateOf(shop), '--ai-cmd', agent], { env: { ANTHROPIC_API_KEY: SECRET } })
    expect(ended.code).toBe(0)
    expect(posts).toMatchObject([{ event: 'converged', state: 'converged', procedure: 'converge', iteration: 2, failing: 0 }])
    expect(shop.read('notes')).toMatch(/^converged: converge converged: .*\n$/)
    expect(lines(shop, 'hooked').map(({ event }) => event)).toEqual(['began', 'best', 'iteration', 'best', 'iteration', 'converged'])
    expect(lines(shop, 'hooked')[0]).toMatchObject({ session: shop.session().split('/').at(-1), text: 'converge begins', state: 'running' })
    for (const event of [...lines(shop, 'hooked'), ...posts]) expect(EVENT_SCHEMA.parse(event)).toEqual(event)
    expect(shop.read('summary.md')).toContain('## Greenlatch: converged')
    expect(ended.stderr.match(/warning: hook "bad": exit 3: no such channel/g)).toHaveLength(1)
    expect(shop.read('hook-env')).not.toContain('ANTHROPIC_API_KEY')
    for (const text of [shop.read('hooked'), shop.read('notes'), JSON.stringify(posts)]) expect(text).not.toContain(SECRET)
    const journal = readFileSync(join(shop.session(), 'journal.jsonl'), 'utf8')
    expect(journal).not.toContain(address)
    const shown = await shop.run(['config'])
    expect(shown.stdout).toContain(`"${new URL(address).origin}/…"`)
    expect(shown.stdout).not.toContain('/hook/abc')
  })

  it('holds nothing up: a session goes on while an address keeps silent', async () => {
    const shop = failingOnce()
    const isOver = (): boolean => shop.sessions().some((folder) => readFileSync(join(folder, 'journal.jsonl'), 'utf8').includes('"outcome":"stalled"'))
    const { address, posts } = await listen(() => !isOver())
    shop.write('greenlatch.yaml', JSON.stringify({ notify: { webhookVariable: 'CHAT_HOOK' } }))
    const agent = shop.program('agent', 'cat >/dev/null', 'date +%N > changed.txt')
    const ended = await shop.run(['run', 'mend it', '--gate', gateOf(shop), '--ai-cmd', agent], { env: { CHAT_HOOK: address } })
    expect(ended).toMatchObject({ code: 3 })
    expect(posts.map(({ event }) => event).filter((event, at, all) => event !== all[at - 1])).toEqual(['rung', 'stopped'])
  })

  it('tells who waits for a person, step by step too, and never by a session that is only watched', async () => {
    const shop = failingOnce()
    const { address, posts } = await listen()
    shop.write('greenlatch.yaml', JSON.stringify({ notify: { webhook: address, on: ['needs-you'] } }))
    expect(await shop.run(['run', 'ooda', 'do it', '--agent', 'paste'])).toMatchObject({ code: 8 })
    expect(posts).toMatchObject([{ event: 'needs-you', state: 'waiting', text: expect.stringContaining('needs you') as string }])
    expect(await shop.run(['watch'])).toMatchObject({ code: 8 })
    expect(posts).toHaveLength(1)
    expect(await shop.run(['step'])).toMatchObject({ code: 8 })
    expect(posts).toHaveLength(2)
  })

  it('is refused where it could never arrive, and given a few seconds when somebody is in a hurry', async () => {
    const shop = failingOnce()
    shop.write('greenlatch.yaml', JSON.stringify({ notify: { webhookVariable: 'CHAT_HOOK' } }))
    expect(await shop.run(['run', 'x', '--gate', 'true'])).toMatchObject({ code: 2, stderr: expect.stringContaining('CHAT_HOOK is not set') as string })
    const plain = await shop.run(['run', 'x', '--gate', 'true'], { env: { CHAT_HOOK: 'http://chat.example/x' } })
    expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining('CHAT_HOOK: expected https') as string })
    const slow = shop.program('slow', 'cat >/dev/null', 'sleep 300')
    shop.write('greenlatch.yaml', JSON.stringify({ hooks: { slow: { on: 'began', run: slow, timeoutSeconds: 300 } } }))
    const agent = shop.program('agent', 'cat >/dev/null', 'sleep 300')
    const run = shop.start(['run', 'ooda', 'x', '--ai-cmd', agent])
    await until('both', () => shop.starts('agent').length === 1 && shop.starts('slow').length === 1)
    run.send('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130, stderr: expect.stringMatching(/hook "slow": stopped on request/) as string })
  })
})
