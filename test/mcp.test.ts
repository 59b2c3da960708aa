// `mcp`: a real client of the protocol talks to the built command line, and drives a session from its start to its report.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CLI, eventsOf, letGo, until } from './support/cli.js'
import { makeWorkshop, type Workshop } from './support/repositories.js'

type Answer = { text: string; isError: boolean }
type Tools = {
  names: string[]
  descriptions: Record<string, string | undefined>
  instructions: string | undefined
  call(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<Answer>
  json(name: string, input?: Record<string, unknown>): Promise<Record<string, unknown>>
}

const GATE = 'grep -q right answer.txt'

const REFUSAL = { error: expect.stringMatching(/./) as string, code: expect.any(Number) as number, next: expect.stringMatching(/./) as string }

/** What every refusal is: an error, a code, and what to do next. */
function refusalOf({ isError, text }: Answer): typeof REFUSAL {
  expect(isError, text).toBe(true)
  const told = JSON.parse(text) as typeof REFUSAL
  expect(told).toEqual(REFUSAL)
  return told
}

function scripted(place: Workshop, turns: Parameters<Workshop['scripted']>[0]): object {
  return { script: place.scripted(turns).replace('scripted:', '') }
}

/** The user's own settings name the agent and the check: from a tool neither can be named. */
async function connect(place: Workshop, worker: object, settings: object = {}): Promise<Tools> {
  const agents = { worker }
  mkdirSync(join(place.home, '.config/greenlatch'), { recursive: true })
  writeFileSync(join(place.home, '.config/greenlatch/config.yaml'), JSON.stringify({ agent: 'worker', agents, gates: [{ name: 'answer', run: GATE }], ...settings }))
  const env = { ...place.env, TMPDIR: place.root }
  const client = new Client({ name: 'editor', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp', '-C', place.repo], env, cwd: place.root, stderr: 'pipe' }))
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  const call: Tools['call'] = async (name, input = {}, signal) => {
    const { content, isError } = await client.callTool({ name, arguments: input }, { timeout: 110_000, ...(signal && { signal }) })
    return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''), isError: isError === true }
  }
  return {
    names: tools.map(({ name }) => name),
    descriptions: Object.fromEntries(tools.map(({ name, description }) => [name, description])),
    instructions: client.getInstructions(),
    call,
    async json(name, input) {
      const { text, isError } = await call(name, input)
      expect(isError, text).toBe(false)
      return JSON.parse(text) as Record<string, unknown>
    },
  }
}

describe('mcp', () => {
  it('starts a run, waits for it, and tells how it ended, what changed and why', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const before = place.everything()
    const tools = await connect(place, scripted(place, [{ write: { 'answer.txt': 'still wrong\n' } }, { write: { 'answer.txt': 'right\n' } }]))
    expect(tools.names.toSorted()).toEqual(
      ['diagnosis', 'diff', 'hint', 'list', 'pause', 'reply', 'report', 'resume', 'start_run', 'status', 'stop', 'wait'],
    )
    const { session } = await tools.json('start_run', { task: '--fresh is only a word here', max_iterations: 5 })
    expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ session, state: 'converged' })
    expect(JSON.stringify(await tools.json('report', { session }))).toContain('partly verified')
    expect((await tools.call('diff', { session })).text).toContain('right')
    expect((await tools.json('diagnosis', { session }))['outcome']).toMatch(/^It ended converged/)
    expect(JSON.stringify(await tools.json('list'))).toContain(String(session))
    expect(readFileSync(join(place.session(), 'task.md'), 'utf8')).toContain('--fresh is only a word here')
    expect(place.everything()).toEqual(before)
  })

  it('steers a run that is under way: guidance, a pause, going on, a stop, and the answer of a person', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const command = place.program('agent', 'cat > "$ROOT/prompt-$(wc -l < "$ROOT/agent.starts")"', 'while [ ! -e "$ROOT/go" ]; do sleep 0.05; done', 'echo more >> answer.txt')
    const tools = await connect(place, { command })
    const { session } = await tools.json('start_run', { task: 'mend it' })
    await until('the agent', () => place.starts('agent').length === 1)
    expect(await tools.json('status', { session })).toMatchObject({ session, state: 'running' })
    expect(await tools.json('wait', { session, seconds: 1 })).toMatchObject({ session, state: 'running' })
    await tools.json('hint', { session, text: '--look at the answer' })
    await tools.json('pause', { session })
    letGo(place, 'go')
    expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ state: 'paused' })
    rmSync(join(place.root, 'go'))
    await tools.json('resume', { session })
    await until('the next candidate', () => place.read('prompt-2').includes('--look at the answer'))
    await tools.json('stop', { session })
    expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ state: 'interrupted' })

    expect((await tools.call('start_run', { task: 'mend it', agent: 'paste' })).text).toContain(`greenlatch resume ${String(session)} goes on with it`)
    const asked = await tools.json('start_run', { task: 'mend it', agent: 'paste', fresh: true })
    expect(await tools.json('wait', { session: asked['session'], seconds: 100 })).toMatchObject({ state: 'waiting' })
    await tools.json('reply', { session: asked['session'], text: '=== FILE answer.txt ===\nright\n=== END ===\n' })
    await tools.json('resume', { session: asked['session'] })
    expect(await tools.json('wait', { session: asked['session'], seconds: 100 })).toMatchObject({ state: 'converged' })
  })

  it('says with every answer about a session that has not ended which tool goes on from there', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    expect(tools.instructions).toMatch(/goes on by resume/)
    expect(tools.descriptions['reply']).toMatch(/call resume afterwards/)
    const begun = await tools.json('start_run', { task: 'mend it', agent: 'paste' })
    const { session } = begun
    const onward = (tool: string) => expect.objectContaining({ tool, arguments: { session } }) as object
    expect(begun['next']).toEqual(onward('wait'))
    const asked = await tools.json('wait', { session, seconds: 100 })
    expect(asked).toMatchObject({ state: 'waiting', next: onward('reply') })
    expect(readFileSync(String(asked['prompt']), 'utf8')).toContain('mend it')
    expect(await tools.json('reply', { session, text: 'I shall do nothing' })).toMatchObject({ state: 'answered', next: onward('resume') })
    expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ state: 'answered', next: onward('resume') })
    expect(await tools.json('hint', { session, text: 'look at the answer' })).toMatchObject({ state: 'answered', next: onward('resume') })
    expect((await tools.json('resume', { session }))['next']).toEqual(onward('wait'))
    expect((await tools.call('list')).text).not.toContain('"next"')
  })

  it('names no tool after an end, unless guidance was left that only going on takes', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    const { session } = await tools.json('start_run', { task: 'mend it', max_iterations: 1 })
    const ended = await tools.json('wait', { session, seconds: 100 })
    expect(ended['state']).toBe('exhausted')
    expect(ended).not.toHaveProperty('next')
    expect((await tools.json('hint', { session, text: 'look at the answer' }))['next']).toMatchObject({ tool: 'resume', arguments: { session } })
  })

  it('answers that nothing was changed, where nothing was', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    const { session } = await tools.json('start_run', { task: 'mend it', agent: 'paste' })
    await tools.json('wait', { session, seconds: 100 })
    expect(await tools.call('diff', { session })).toEqual({ isError: false, text: expect.stringMatching(/^nothing was changed/) as string })
    const none = await tools.call('diff', { session, iteration: 7 })
    expect(refusalOf(none).error).toContain('has no place "7"')
  })

  it('refuses a NUL in plain words, since no command line can hold one', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    const inputs: [string, object][] = [['start_run', { task: 'a\0b' }], ['start_run', { task: 'x', target: ['a\0b'] }], ['start_run', { task: 'x', deny: ['a\0b'] }], ['hint', { session: 's', text: 'a\0b' }]]
    for (const [name, input] of inputs) {
      const { isError, text } = await tools.call(name, { ...input })
      expect([isError, text]).toEqual([true, expect.stringContaining('a NUL character cannot be handed on')])
      expect(text).not.toMatch(/args\[|null bytes/)
    }
    expect(place.sessions()).toEqual([])
  })

  it('gives a refusal with its code and the next command, and takes nothing that is not offered', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    const none = await tools.call('status')
    expect([none.isError, none.text]).toEqual([true, expect.stringMatching(/"code":2,"next":"greenlatch run/)])
    for (const input of [{}, { task: 'x', gate: 'touch pwned' }, { task: 'x', agent: 'scripted:/tmp/x' }, { task: 'x', max_iterations: 0 }]) {
      const { isError, text } = await tools.call('start_run', input)
      expect(isError, text).toBe(true)
    }
    expect((await tools.call('status', { session: '--help' })).isError).toBe(true)
    expect(place.sessions()).toEqual([])
  })

  it('runs a procedure of the settings, by its name and where none is named, with any task as it stands', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{ write: { 'answer.txt': 'right\n' } }]), { procedure: 'mine', procedures: { mine: { extends: 'converge' } } })
    const long = '直'.repeat(45_000)
    const inputs = [{ task: 'mend it', procedure: 'mine' }, { task: 'ooda' }, { task: long }]
    for (const input of inputs) {
      const { session } = await tools.json('start_run', input)
      expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ state: 'converged' })
      expect(readFileSync(join(place.session(), 'task.md'), 'utf8').trim()).toBe(input.task)
      expect(JSON.stringify(eventsOf(place.session())[0])).toContain('"name":"mine"')
    }
    expect(readdirSync(place.root).filter((name) => name.startsWith('greenlatch-task-'))).toEqual([])
    expect(refusalOf(await tools.call('start_run', { task: 'mend it', procedure: 'nonsense' })).error).toContain('there is no procedure "nonsense"')
    expect(refusalOf(await tools.call('start_run', { task: 'mend it', procedure: '--in-place' })).error).toContain('procedure: expected a name')
  })

  it('starts beside a session that is running only where that is asked for, as the refusal says', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const command = place.program('agent', 'while [ ! -e "$ROOT/go" ]; do sleep 0.05; done', 'echo right > answer.txt')
    const tools = await connect(place, { command })
    const first = await tools.json('start_run', { task: 'mend it' })
    await until('the agent', () => place.starts('agent').length === 1)
    const refused = refusalOf(await tools.call('start_run', { task: 'mend "it"', fresh: true }))
    expect([refused.code, refused.next]).toEqual([9, expect.stringMatching(/^greenlatch run .*--parallel$/)])
    const [, file = ''] = /--task=(\S+)/.exec(refused.next) ?? []
    expect(readFileSync(file, 'utf8')).toBe('mend "it"')
    const second = await tools.json('start_run', { task: 'mend it', parallel: true })
    expect(second['session']).not.toBe(first['session'])
    letGo(place, 'go')
    for (const { session } of [first, second]) expect(await tools.json('wait', { session, seconds: 100 })).toMatchObject({ state: 'converged' })
  })

  it('tells every refusal as an error, a code and what to do next, also where the repository is gone', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const tools = await connect(place, scripted(place, [{}]))
    for (const input of [{}, { task: 'x', gate: 'touch pwned' }, { task: 'x'.repeat(50_001) }, { task: 'x', max_cost: 1e-9 }, { task: 'x', max_tokens: 1e9 }, { task: ' ' }]) {
      expect(refusalOf(await tools.call('start_run', input)).code).toBe(2)
    }
    expect(refusalOf(await tools.call('diff')).error).toContain('there is no session here yet')
    const { session } = await tools.json('start_run', { task: 'mend it', agent: 'paste', max_cost: 0.1 + 0.2, max_tokens: 999_999_999 })
    await tools.json('wait', { session, seconds: 100 })
    expect(refusalOf(await tools.call('diff', { session, iteration: 7 })).error).toContain('has no place "7"')
    rmSync(place.repo, { recursive: true, force: true, maxRetries: 5 })
    for (const name of ['status', 'list', 'diff', 'report']) {
      const { error, next } = refusalOf(await tools.call(name))
      expect([error, next]).toEqual([`there is no folder ${place.repo} any more`, 'greenlatch mcp -C <folder>'])
    }
  })

  it('takes back a session whose start is cancelled, so that nothing runs that nobody knows of', async () => {
    const place = makeWorkshop({ 'answer.txt': 'wrong\n' })
    const command = place.program('agent', 'while [ ! -e "$ROOT/go" ]; do sleep 0.05; done')
    const tools = await connect(place, { command })
    const cancelled = new AbortController()
    const answer = tools.call('start_run', { task: 'mend it' }, cancelled.signal).catch((error: unknown) => error)
    await until('the session', () => place.sessions().length === 1)
    cancelled.abort('not wanted any more')
    expect(await answer).toBeInstanceOf(Error)
    await expect.poll(async () => (await tools.call('status')).text, { timeout: 40_000 }).toContain('"state": "cancelled"')
    const { session } = await tools.json('start_run', { task: 'mend it' })
    await tools.json('stop', { session })
    expect(place.sessions()).toHaveLength(2)
  })
})
