// Tests of the driver of known command lines with real processes, which write what the real programs wrote.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CliEntry } from '../../../agent-entry.js'
import type { Activity, Answer, AskRequest } from '../../../ports.js'
import { cliAgent } from './agent.js'
import { askIn, fixturePath } from './fixture.js'
import { dialectOf } from './table.js'
import { noSandbox } from '../../sandbox/none.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-cli-agent-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const records = (name: string) => `cat '${fixturePath(name)}'`
const NEVER = new AbortController().signal

/** An agent whose program is a shell script. */
async function stub(script: string, { cli = 'claude', ...more }: Partial<CliEntry> = {}, cwd = folder) {
  const program = join(folder, 'stub')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  const entry: CliEntry = { cli, program, env: { IS_SANDBOX: '1' }, ...more }
  return cliAgent({ sandbox: noSandbox(), name: 'tested', entry, dialect: await dialectOf(cli), cwd })
}

async function ask(script: string, request: AskRequest = askIn(folder), entry: Partial<CliEntry> = {}, signal = NEVER): Promise<Answer> {
  const answer = await (await stub(script, entry)).ask(request, signal)
  if (!answer) throw new Error('no answer')
  return answer
}

describe('a known command line', () => {
  it('is done by its closing record, whatever its exit status; the prompt comes on standard input, which is ended', async () => {
    const answer = await ask(`cat > received; ${records('claude-done.jsonl')}; exit 3`)
    expect(answer).toMatchObject({ ending: 'done', text: 'Done: b.txt is there.', spent: { tokens: 3590, usd: 0.00483 } })
    expect(answer.usage).toEqual({ input: 900, cachedInput: 2600, output: 90, usd: 0.00483, model: 'claude-sonnet-4-5' })
    expect(readFileSync(join(folder, 'received'), 'utf8')).toBe('Make the file b.txt.')
    expect(answer.files).toEqual([join(folder, 'act-records.jsonl')])
    expect(readFileSync(join(folder, 'act-records.jsonl'), 'utf8')).toBe(readFileSync(fixturePath('claude-done.jsonl'), 'utf8'))
  })

  it('has failed without a closing record, though its exit status is 0, and is charged for what it had used', async () => {
    const answer = await ask(`${records('claude-done.jsonl')} | grep -v '"type":"result"'`)
    expect(answer).toMatchObject({ ending: 'failed', note: 'ended without its closing record (exit 0)' })
    expect(answer.usage).toMatchObject({ input: 900, cachedInput: 2600 })
  })

  it('names the last complaint of one that ends without a word', async () => {
    const { ending, note } = await ask('echo "first" >&2; echo "unknown option --verbose" >&2; exit 2')
    expect([ending, note]).toEqual(['failed', 'ended without its closing record (exit 2): unknown option --verbose'])
  })

  it('has failed by its own word, although it exits with 0', async () => {
    expect(await ask(records('claude-refused.jsonl'))).toMatchObject({ ending: 'failed', note: 'API Error: 400 The request is not valid.' })
  })

  it('is unavailable at a limit, until the time it tells', async () => {
    const answer = await ask(`${records('claude-limit.jsonl')}; exit 1`)
    expect(answer).toMatchObject({ ending: 'unavailable', note: expect.stringContaining("You've hit your session limit") as string })
    expect(answer.until).toBeGreaterThan(1_700_000_000_000)
  })

  it('is unavailable when its program cannot be started', async () => {
    const agent = await stub('true')
    rmSync(join(folder, 'stub'))
    expect(await agent.ready()).toMatch(/is not an executable program/)
    expect(await agent.version?.()).toBeNull()
    expect(await agent.ask(askIn(folder), NEVER)).toMatchObject({ ending: 'unavailable', spent: { tokens: 0 } })
  })

  it('runs into the limits of time and of silence', async () => {
    const slow = await ask('while :; do echo x; sleep 0.2; done', askIn(folder, { wallSeconds: 1 }))
    expect(slow).toMatchObject({ ending: 'timeout', note: expect.stringContaining('wall-clock limit') as string })
    const silent = await ask('sleep 60', askIn(folder, { silenceSeconds: 1 }))
    expect(silent).toMatchObject({ ending: 'silence', note: expect.stringContaining('silence limit') as string })
  })

  it('is done, and ended, when it stays although it is through', async () => {
    const answer = await ask(`${records('claude-done.jsonl')}; sleep 60`, askIn(folder, { silenceSeconds: 1 }))
    expect(answer).toMatchObject({ ending: 'done', text: 'Done: b.txt is there.', note: expect.stringContaining('silence limit') as string })
  })

  it('is aborted by our signal, and charged for what it had used until then', async () => {
    const stop = new AbortController()
    const request = askIn(folder, {}, (activity) => activity.kind === 'doing' && stop.abort())
    const answer = await ask(`${records('claude-done.jsonl')} | head -n 3; sleep 60`, request, {}, stop.signal)
    expect(answer.ending).toBe('aborted')
    expect(answer.spent.tokens).toBeGreaterThan(0)
  })

  it('names what it has left running, and ends it', async () => {
    expect((await ask(`sleep 60 > /dev/null 2>&1 & ${records('claude-done.jsonl')}`)).note).toMatch(/; 1 process left running and ended$/)
  })
})

describe('a known command line whose model does not answer', () => {
  const retrying = `${records('claude-retrying.jsonl')}`

  it('is ended when it has done nothing but try again for as long as it may be silent, though it talks all the time', async () => {
    const heard: Activity[] = []
    const request = askIn(folder, { silenceSeconds: 2 }, (activity) => void heard.push(activity))
    const answer = await ask(`while :; do ${retrying}; sleep 0.3; done`, request)
    expect(answer).toMatchObject({ ending: 'unavailable', spent: { tokens: 0 } })
    expect(answer.note).toMatch(/^ended after 2 s of nothing but retries: its model does not answer \(status 500\)/)
    expect(heard).toContainEqual({ kind: 'retry', note: 'its model does not answer (status 500), attempt 1 of 10' })
  })

  it('has been slow, and not unavailable, when it worked again before our limit was over', async () => {
    const answer = await ask(`${retrying}; ${records('claude-done.jsonl')} | head -n 3; sleep 60`, askIn(folder, { silenceSeconds: 1 }))
    expect(answer.ending).toBe('silence')
  })

  it('since it is not logged in is ended at once, with what to do about that, instead of trying again for minutes', async () => {
    const refusedLogin = JSON.stringify({ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, error_status: 401, error: 'authentication_failed' })
    const answer = await ask(`while :; do echo '${refusedLogin}'; sleep 0.2; done`)
    expect(answer).toMatchObject({ ending: 'unavailable', closed: true, spent: { tokens: 0 } })
    // What the stub had started may be among what is ended, and said.
    expect(answer.note).toMatch(/^its model refuses its login \(status 401\): run `claude` once and log in, or set ANTHROPIC_API_KEY/)
  })

  it('since it is not logged in says so in its closing record too: nobody needs to ask it again', async () => {
    const over = JSON.stringify({ type: 'result', subtype: 'success', is_error: true, api_error_status: 401, result: 'Invalid API key' })
    expect(await ask(`echo '${over}'`)).toMatchObject({ ending: 'unavailable', closed: true, note: 'Invalid API key (status 401): run `claude` once and log in, or set ANTHROPIC_API_KEY' })
    const by = await ask('echo "Error: Not logged in. Please run codex login" >&2; exit 1', askIn(folder), { cli: 'codex' })
    expect(by).toMatchObject({ ending: 'unavailable', closed: true, note: expect.stringMatching(/: run `codex login`, or set CODEX_API_KEY$/) as string })
  })

  it('is heard on standard error, where that alone tells of it', async () => {
    const answer = await ask(`cat '${fixturePath('opencode-retrying.log')}' >&2; sleep 60`, askIn(folder, { silenceSeconds: 1 }), { cli: 'opencode' })
    expect(answer).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('Something went wrong in the server.') as string })
  })

  it('has not ended while it begins anew after a closing record', async () => {
    const again = '{"type":"auto_retry_start","errorMessage":"overloaded"}'
    const answer = await ask(`${records('pi-server-error.jsonl')}; echo '${again}'; sleep 60`, askIn(folder, { silenceSeconds: 1 }), { cli: 'pi' })
    expect(answer).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('overloaded') as string })
    const cutOff = await ask(`${records('pi-done.jsonl')}; echo '{"type":"agent_start"}'`, askIn(folder), { cli: 'pi' })
    expect(cutOff).toMatchObject({ ending: 'failed', note: 'ended without its closing record (exit 0)' })
  })
})

describe('what a known command line is charged for', () => {
  const result = (input: number, output: number, usd: number) =>
    `echo '${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'ok', total_cost_usd: usd, usage: { input_tokens: input, output_tokens: output } })}'`
  const said = (id: string, model: string, input: number, output: number) =>
    `echo '${JSON.stringify({ type: 'assistant', message: { id, model, content: [{ type: 'text', text: 'a' }], usage: { input_tokens: input, output_tokens: output } } })}'`

  it('is never taken back by a later record that tells of less', async () => {
    const answer = await ask(`${result(1000, 50, 0.5)}; ${result(10, 90, 0.1)}`)
    expect(answer.usage).toMatchObject({ input: 1000, output: 90, usd: 0.5 })
    expect(answer.spent).toMatchObject({ tokens: 1090, usd: 0.5 })
  })

  it('is no less than its steps came to, whatever its closing record says', async () => {
    const answer = await ask(`${said('m1', 'claude-sonnet-4-5', 700, 5)}; ${said('m2', 'claude-sonnet-4-5', 800, 5)}; ${result(0, 0, 0)}`)
    expect(answer.spent.tokens).toBe(1510)
  })

  it('goes by the published price of its model when it was ended before it told the price, and that is told meanwhile', async () => {
    const told: number[] = []
    const request = askIn(folder, { silenceSeconds: 1 }, (activity) => activity.kind === 'spent' && told.push(activity.spent.usd))
    const answer = await ask(`${said('m1', 'claude-sonnet-4-5', 1_000_000, 0)}; sleep 60`, request)
    expect(answer.ending).toBe('silence')
    expect([answer.spent.usd, told]).toEqual([3.75, [3.75]])
  })

  it('goes by its own word on the price when it comes to that', async () => {
    expect((await ask(`${said('m1', 'claude-opus-4-1', 1_000_000, 0)}; ${result(1_000_000, 0, 0.25)}`)).spent.usd).toBe(0.25)
  })

  it('goes by the price list for every step that does not tell its price', async () => {
    writeFileSync(join(folder, 'steps'), `#!/bin/sh\n${said('m1', 'qwen3', 1000, 0)}\n${said('m2', 'qwen3', 1000, 0)}\n`)
    chmodSync(join(folder, 'steps'), 0o755)
    const agent = cliAgent({ sandbox: noSandbox(), name: 'tested', entry: { cli: 'qwen', program: join(folder, 'steps') }, dialect: await dialectOf('qwen'), cwd: folder, price: { input: 1, output: 2 } })
    expect((await agent.ask(askIn(folder), NEVER))?.spent.usd).toBeCloseTo(0.002, 10)
  })
})

describe('what is known of a command line', () => {
  it('T1 is asked for its version beside its own file, and not in a repository that nobody trusts', async () => {
    const repository = join(folder, 'repository')
    mkdirSync(repository)
    const agent = await stub('case "$PWD" in */repository) exit 1;; esac; echo 1.2.3', {}, repository)
    expect(await agent.version?.()).toBe('1.2.3')
  })

  it('tells its version, on standard error too, and how it would be started', async () => {
    expect(await (await stub('echo 0.74.2 >&2', { cli: 'pi' })).version?.()).toBe('0.74.2')
    const agent = await stub('echo "2.1.197 (Claude Code)"', { model: 'opus', args: ['--effort', 'high'] })
    expect(await agent.version?.()).toBe('2.1.197')
    expect(agent.describe).toMatch(/stub -p .*--dangerously-skip-permissions --model opus --effort high$/)
    expect([agent.priced, agent.person, agent.inText]).toEqual([true, false, false])
  })

  it('charges one that was ended before it said what it used for the least that it can have been', async () => {
    const answer = await ask(`${records('codex-done.jsonl')} | head -n 5; sleep 60`, askIn(folder, { silenceSeconds: 1 }), { cli: 'codex' })
    expect(answer.ending).toBe('silence')
    expect(answer.usage).toBeUndefined()
    expect(answer.spent.tokens).toBeGreaterThan(5)
  })

  it('is worth its price list where it does not know its price', async () => {
    writeFileSync(join(folder, 'priced'), `#!/bin/sh\n${records('codex-done.jsonl')}\n`)
    chmodSync(join(folder, 'priced'), 0o755)
    const entry: CliEntry = { cli: 'codex', program: join(folder, 'priced') }
    const agent = cliAgent({ sandbox: noSandbox(), name: 'tested', entry, dialect: await dialectOf('codex'), cwd: folder, price: { input: 1, cachedInput: 0.1, output: 2 } })
    expect(agent.priced).toBe(true)
    expect((await agent.ask(askIn(folder), NEVER))?.spent.usd).toBeCloseTo((900 + 260 + 180) / 1_000_000, 10)
  })
})

describe('a command line that does not say what it used', () => {
  it.each(['{"type":"turn.completed"}', '{"type":"turn.completed","usage":{"input_tokens":0,"output_tokens":0}}'])('is charged the prompt and its words after %s', async (closing) => {
    const say = (text: string) => `echo '${JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text } })}'`
    const answer = await ask(`cat >/dev/null; ${say('a'.repeat(400))}; ${say('b'.repeat(40))}; echo '${closing}'`, askIn(folder), { cli: 'codex' })
    expect(answer).toMatchObject({ ending: 'done' })
    expect(answer.spent.tokens).toBeGreaterThanOrEqual(110 + 5)
    expect(answer.spent.tokens).toBeLessThan(130)
  })
})
