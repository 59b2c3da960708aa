// Tests of the command agent with real processes.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Activity, AskRequest } from '../../ports.js'
import { commandAgent } from './command.js'
import { noSandbox } from '../sandbox/none.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-agent-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const PLAIN = { stance: null, focus: null, scope: null, roles: {} }
const LIMITS = { wallSeconds: 60, silenceSeconds: 60, outputBytes: 1024 * 1024 }

function requestFor(prompt: string, rest: Partial<AskRequest> = {}): AskRequest {
  return {
    session: 's1',
    effect: {
      kind: 'ask', id: '3.act', phase: 'act', iteration: 2, plan: 0, tree: 't', pins: 'start', base: 'act', opensIteration: true, opensPlan: false,
      role: 'implementer', answers: 'implementer', yields: 'candidate', turn: 2, posture: PLAIN, hints: [], nonce: '', decides: true,
    },
    prompt,
    responsePath: join(folder, 'act-response.md'),
    cwd: folder,
    top: folder,
    limits: LIMITS,
    left: { tokens: null, usd: null },
    onActivity: () => {},
    ...rest,
  }
}

function ask(script: string, request = requestFor('the prompt'), signal = new AbortController().signal) {
  return commandAgent({ sandbox: noSandbox(), name: 'test', argv: ['/bin/sh', '-c', script], cwd: folder }).ask(request, signal)
}

describe('a command agent', () => {
  it('gets the prompt on standard input, whole, and never as an argument', async () => {
    const prompt = `stance: "try $(touch pwned)"; \`touch pwned\`\n--help\n${'x'.repeat(300_000)}`
    const answer = await ask('tr "\\0" " " < /proc/$$/cmdline > arguments; cat > received', requestFor(prompt))
    expect(answer).toMatchObject({ ending: 'done', note: 'exit 0' })
    expect(readFileSync(join(folder, 'received'), 'utf8')).toBe(prompt)
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).not.toContain('stance')
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  it('is a fresh process each time, and is told which session, effect and iteration it works for', async () => {
    const script = 'echo $$ $GREENLATCH_SESSION $GREENLATCH_EFFECT $GREENLATCH_ITERATION'
    const [first, second] = [(await ask(script))?.text, (await ask(script))?.text]
    expect(first).toMatch(/^\d+ s1 3\.act 2\n$/)
    expect(second).not.toBe(first)
  })

  it('leaves raw bytes of its answer and of standard error in files of their own', async () => {
    const answer = await ask("printf '\\033[31mred\\377'; echo oops >&2")
    expect(readFileSync(join(folder, 'act-response.md'))).toEqual(Buffer.from('\u001b[31mred\u00ff', 'latin1'))
    expect(readFileSync(join(folder, 'act-stderr.log'), 'utf8')).toBe('oops\n')
    expect(answer?.files).toEqual([join(folder, 'act-response.md'), join(folder, 'act-stderr.log')])
    expect(answer?.text).toBe('red\ufffd')
  })

  it('that says nothing leaves no file, not even that of an earlier attempt', async () => {
    writeFileSync(join(folder, 'act-response.md'), 'from before')
    expect(await ask('true')).toMatchObject({ ending: 'done', text: '', files: [] })
    expect(existsSync(join(folder, 'act-response.md'))).toBe(false)
  })

  it.each([
    ['exit 0', 'done', 'exit 0'],
    ['exit 3', 'failed', 'exit 3'],
    ['kill -KILL $$', 'failed', 'ended by SIGKILL'],
  ])('that runs %j has %s', async (script, ending, note) => {
    expect(await ask(script)).toMatchObject({ ending, note })
  })

  it('that fails because of a limit or its login is unavailable; one that only talks of them has failed or is done', async () => {
    const limited = await ask('echo "Error: 429 Too Many Requests" >&2; echo "Retry-After: 60" >&2; exit 1')
    expect(limited).toMatchObject({ ending: 'unavailable', note: 'exit 1: 429 Too Many Requests', until: expect.any(Number) })
    expect(await ask('echo "Invalid API key · Please run /login"; exit 1')).toMatchObject({ ending: 'unavailable' })
    expect(await ask('echo "I added a test for 429 Too Many Requests"; exit 1')).toMatchObject({ ending: 'failed', note: 'exit 1' })
    expect(await ask('echo "Error: 429 Too Many Requests"; exit 0')).toMatchObject({ ending: 'done' })
  })

  it('that cannot be started is unavailable', async () => {
    const agent = commandAgent({ sandbox: noSandbox(), name: 'gone', argv: ['no-such-agent-here'], cwd: folder })
    expect(await agent.ask(requestFor(''), new AbortController().signal)).toMatchObject({ ending: 'unavailable' })
  })

  it('is ended by its limits, and the note names the limit', async () => {
    const wall = requestFor('', { limits: { ...LIMITS, wallSeconds: 0.5 } })
    const endless = await ask('while :; do echo .; sleep 0.1; done', wall)
    expect(endless).toMatchObject({ ending: 'timeout', note: expect.stringContaining('wall-clock') })
    const silence = requestFor('', { limits: { ...LIMITS, silenceSeconds: 0.5 } })
    expect(await ask('sleep 60', silence)).toMatchObject({ ending: 'silence', note: expect.stringContaining('silence') })
  })

  it('is aborted by our signal', async () => {
    const abort = new AbortController()
    const request = requestFor('', { onActivity: () => abort.abort() })
    expect(await ask('echo begun; sleep 60', request, abort.signal)).toMatchObject({ ending: 'aborted', text: 'begun\n' })
  })

  it('that leaves processes behind has them named and ended', async () => {
    const answer = await ask('sleep 60 >/dev/null 2>&1 & echo $!')
    expect(answer).toMatchObject({ ending: 'done', note: 'exit 0; 1 process was left running and ended' })
    expect(isRunning(Number(answer?.text))).toBe(false)
  })

  it('shows signs of life and counts its time', async () => {
    const seen: Activity[] = []
    const answer = await ask('echo hello', requestFor('', { onActivity: (activity) => seen.push(activity) }))
    expect(seen).toEqual([{ kind: 'output', bytes: 6 }])
    expect(answer?.spent.seconds).toBeGreaterThan(0)
  })

  it('is shown as the command that would run, and is not a person', () => {
    const agent = commandAgent({ sandbox: noSandbox(), name: 'test', argv: ['claude', '-p', 'be kind'], cwd: folder })
    expect(agent).toMatchObject({ name: 'test', describe: "claude -p 'be kind'", person: false })
  })

  it('says before a run what is missing, looking on its own PATH without starting anything', async () => {
    const agent = commandAgent({ sandbox: noSandbox(), name: 'test', argv: ['my-agent'], cwd: folder, env: { PATH: folder } })
    expect(await agent.ready()).toContain('my-agent')
    writeFileSync(join(folder, 'my-agent'), '#!/bin/sh\ntouch started\n')
    chmodSync(join(folder, 'my-agent'), 0o755)
    expect(await agent.ready()).toBeNull()
    expect(existsSync('started')).toBe(false)
    const relative = commandAgent({ sandbox: noSandbox(), name: 'test', argv: ['./my-agent'], cwd: folder })
    expect(await relative.ready()).toBeNull()
  })

  it('is charged at least for what went in and what came out', async () => {
    expect((await ask('printf 12345678', requestFor('x'.repeat(400))))?.spent.tokens).toBe(102)
  })
})

/** A process that has ended may stay listed until its parent asks for it. */
function isRunning(pid: number): boolean {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : 'State: Z'
  return !/^State:\s+[ZX]/m.test(status)
}
