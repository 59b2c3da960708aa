// Tests of what an agent is answered when it asks: permission, files and commands, with the stub agent as a real process.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive, makeStage, stubAs } from './fixture.js'

const OPTIONS = [
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'once', name: 'Once', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]
const selected = (optionId: string) => ({ method: 'session/request_permission', result: { outcome: { outcome: 'selected', optionId } } })
const cancelled = { method: 'session/request_permission', result: { outcome: { outcome: 'cancelled' } } }

describe('a request for permission', () => {
  it.each([
    ['edit is allowed once', { toolCallId: 't', kind: 'edit', title: 'Edit' }, OPTIONS, selected('once')],
    ['fetch is not allowed', { toolCallId: 't', kind: 'fetch', title: 'Get' }, OPTIONS, selected('no')],
    ['a kind that is new is not allowed', { toolCallId: 't', kind: 'teleport', title: 'Go' }, OPTIONS, selected('no')],
    ['no kind is not allowed', { toolCallId: 't', title: 'Do' }, OPTIONS, selected('no')],
    ['nothing offered is cancelled', { toolCallId: 't', kind: 'edit', title: 'Edit' }, [], cancelled],
    ['odd options are not chosen', { toolCallId: 't', kind: 'edit', title: 'Edit' }, [{ optionId: 'x', kind: 'allow_session' }, { name: 'y' }, null], cancelled],
    ['no way to reject is cancelled', { toolCallId: 't', kind: 'fetch', title: 'Get' }, OPTIONS.slice(0, 2), cancelled],
    ['no way to allow is rejected', { toolCallId: 't', kind: 'edit', title: 'Edit' }, OPTIONS.slice(2), selected('no')],
  ])('where %s is answered so, and written down', async (_what, toolCall, options, told) => {
    const stage = makeStage()
    await stage.ask({ steps: [{ permission: { toolCall, options } }] })
    expect(stage.heard().at(-1)).toEqual(told)
    expect(stage.answers()).toEqual([expect.objectContaining({ method: 'session/request_permission', what: toolCall.title })])
  })

  it('goes by what was told of the tool call before, and by the tools of the settings', async () => {
    const stage = makeStage()
    const steps = [{ update: { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Run tests', kind: 'execute' } }, { permission: { toolCall: { toolCallId: 't' }, options: OPTIONS } }]
    await stage.ask({ steps })
    expect(stage.heard().at(-1)).toEqual(selected('once'))
    const answer = await stage.ask({ steps }, { entry: { tools: ['read'] } })
    expect(stage.heard().at(-1)).toEqual(selected('no'))
    expect(answer.note).toBe('end_turn; 1 request refused (Run tests: execute is not among the tools it is allowed)')
  })

  it('to edit a file that is out of scope or outside is turned down', async () => {
    const stage = makeStage()
    const ask = (path: string) => ({ permission: { toolCall: { toolCallId: path, kind: 'edit', title: 'Edit', locations: [{ path }] }, options: OPTIONS } })
    const request = { mayWrite: (path: string) => (path.startsWith('src/') ? null : 'out of scope: no rule allows it') }
    await stage.ask({ steps: [ask(join(stage.cwd, 'src/a')), ask(join(stage.cwd, 'docs/a')), ask(join(stage.outside, 'a'))] }, { request })
    expect(stage.heard().slice(1)).toEqual([selected('once'), selected('no'), selected('no')])
    expect(stage.answers().map(({ why }) => why)).toEqual(['edit is allowed', expect.stringContaining('out of scope'), expect.stringContaining('outside the checkout')])
  })
})

describe('a person who is asked for permission', () => {
  const fetching = { permission: { toolCall: { toolCallId: 't', kind: 'fetch', title: 'Get example.org' }, options: OPTIONS } }

  it.each([[true, 'once', 'a person allowed it'], [false, 'no', 'nobody allowed it']])('decides where only the list is against it: %s', async (allow, option, why) => {
    const stage = makeStage()
    const wishes: string[] = []
    const permit = (what: string): Promise<boolean> => Promise.resolve(wishes.push(what) > 0 && allow)
    await stage.ask({ steps: [fetching] }, { entry: { permissions: 'ask' }, request: { permit } })
    expect([wishes, stage.heard().at(-1), stage.answers()[0]]).toEqual([['it asks to fetch: Get example.org'], selected(option), expect.objectContaining({ why })])
  })

  it('is not asked unless the settings say so, nor about what is allowed, out of scope or offers no way', async () => {
    const stage = makeStage()
    const permit = (): Promise<boolean> => Promise.reject(new Error('nobody should be asked'))
    await stage.ask({ steps: [fetching] }, { request: { permit } })
    expect(stage.heard().at(-1)).toEqual(selected('no'))
    const edit = (path: string) => ({ permission: { toolCall: { toolCallId: path, kind: 'edit', title: 'Edit', locations: [{ path }] }, options: OPTIONS } })
    const hopeless = { permission: { ...fetching.permission, options: OPTIONS.slice(2) } }
    const request = { permit, mayWrite: (path: string) => (path === 'a' ? null : 'out of scope') }
    const steps = [edit(join(stage.cwd, 'a')), edit(join(stage.cwd, 'b')), hopeless]
    await stage.ask({ steps }, { entry: { permissions: 'ask' }, request })
    expect(stage.heard().slice(-3)).toEqual([selected('once'), selected('no'), selected('no')])
  })

  it('may think for longer than an agent may be silent', async () => {
    const stage = makeStage()
    const permit = (): Promise<boolean> => new Promise((resolve) => setTimeout(resolve, 2500, true))
    const limits = { wallSeconds: 60, silenceSeconds: 1, outputBytes: 1024 * 1024 }
    const answer = await stage.ask({ steps: [fetching] }, { entry: { permissions: 'ask' }, request: { permit, limits } })
    expect([answer.ending, stage.heard().at(-1)]).toEqual(['done', selected('once')])
  })
})

describe('a file through the client', () => {
  it('is read whole, or the lines that are asked for', async () => {
    const stage = makeStage()
    writeFileSync(join(stage.cwd, 'a.txt'), 'one\ntwo\nthree\nfour')
    const parts = [[], [2], [2, 2], [1, 1], [9], [4, 5], [1, 0]]
    await stage.ask({ steps: parts.map((part) => ({ read: ['a.txt', ...part] })) })
    const texts = stage.heard().slice(1).map(({ result }) => (result as { content: string }).content)
    expect(texts).toEqual(['one\ntwo\nthree\nfour', 'two\nthree\nfour', 'two\nthree\n', 'one\n', '', 'four', ''])
  })

  it('that is missing is not found, which is no refusal', async () => {
    const stage = makeStage()
    const answer = await stage.ask({ steps: [{ read: ['gone.txt'] }] })
    expect(stage.heard().at(-1)).toMatchObject({ code: -32002, error: expect.stringContaining('gone.txt') })
    expect(answer.note).toBe('end_turn')
  })

  it('that is missing is empty to gemini, which could make none otherwise', async () => {
    const stage = makeStage()
    await stage.ask({}, { entry: { acp: [stubAs('gemini', stage, { steps: [{ read: ['gone.txt'] }] }), '--acp'] } })
    expect(stage.heard().at(-1)).toEqual({ method: 'fs/read_text_file', result: { content: '' } })
  })

  it('outside, of the repository itself, through a link, or that is no text is refused by name and stays as it is', async () => {
    const stage = makeStage()
    writeFileSync(join(stage.outside, 'secret'), 'secret')
    mkdirSync(join(stage.cwd, '.git'))
    writeFileSync(join(stage.cwd, '.git/config'), 'as it was')
    writeFileSync(join(stage.cwd, 'binary'), Buffer.from([0xff, 0xfe, 0x00]))
    symlinkSync(stage.outside, join(stage.cwd, 'way'))
    symlinkSync(join(stage.outside, 'secret'), join(stage.cwd, 'link'))
    const paths = [join(stage.outside, 'secret'), '../outside/secret', '.git/config', 'way/secret', 'link', '/etc/hostname']
    const steps = [...paths, 'binary', '.'].map((path) => ({ read: [path] }))
    const answer = await stage.ask({ steps: [...steps, ...paths.map((path) => ({ write: [path, 'evil'] }))] })
    const told = stage.heard().slice(1)
    expect(told.map(({ error }) => String(error).replace('Invalid params: ', ''))).toEqual([
      'it is outside the checkout', 'it is outside the checkout', 'it belongs to git', expect.stringContaining('way is a link'), expect.stringContaining('link is a link'),
      'it is outside the checkout', 'it is no text in UTF-8', 'it is no file',
      'it is outside the checkout', 'it is outside the checkout', 'it belongs to git', expect.stringContaining('way is a link'), expect.stringContaining('link is a link'),
      'it is outside the checkout',
    ])
    expect(readFileSync(join(stage.outside, 'secret'), 'utf8') + readFileSync(join(stage.cwd, '.git/config'), 'utf8')).toBe('secretas it was')
    expect(answer.note).toMatch(/^end_turn; 14 requests refused \(.*outside\/secret: it is outside the checkout, …\)$/)
  })

  it('that is out of scope is refused before it is written; the agent is told why, and the answer names it', async () => {
    const stage = makeStage()
    writeFileSync(join(stage.cwd, 'package.json'), 'as it was')
    const mayWrite = (path: string): string | null => (path === 'package.json' ? 'out of scope: denied by "package.json"' : null)
    const answer = await stage.ask({ steps: [{ write: ['package.json', 'evil'] }, { write: ['a.txt', 'fine'] }] }, { request: { mayWrite } })
    expect(stage.heard()[1]).toMatchObject({ code: -32602, error: expect.stringContaining('out of scope: denied by "package.json"') })
    expect([readFileSync(join(stage.cwd, 'package.json'), 'utf8'), readFileSync(join(stage.cwd, 'a.txt'), 'utf8')]).toEqual(['as it was', 'fine'])
    expect(answer).toMatchObject({ ending: 'done', note: expect.stringMatching(/; 1 request refused \(.*package\.json: out of scope: denied by "package\.json"\)/) })
  })

  it('is neither read nor written where the settings do not allow it', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ read: ['a'] }, { write: ['a', 'x'] }] }, { entry: { tools: ['think'] } })
    expect(stage.heard().slice(1).map(({ error }) => error)).toEqual([expect.stringContaining('read is not among'), expect.stringContaining('edit is not among')])
  })
})

describe('a command through the client', () => {
  it('runs in the checkout or below it, with its arguments and variables, and both its outputs', async () => {
    const stage = makeStage()
    mkdirSync(join(stage.cwd, 'sub'))
    const params = { command: '/bin/sh', args: ['-c', 'pwd; echo "$COLOUR" >&2; exit 3'], env: [{ name: 'COLOUR', value: 'green' }], cwd: join(stage.cwd, 'sub') }
    await stage.ask({ steps: [{ terminal: params }] })
    const [, , exit, output, release] = stage.heard()
    expect(exit).toMatchObject({ result: { exitCode: 3, signal: null } })
    expect((output as { result: { output: string } }).result.output.split('\n').toSorted()).toEqual(['', join(stage.cwd, 'sub'), 'green'])
    expect(release).toMatchObject({ method: 'terminal/release', result: {} })
    expect(stage.answers()[0]).toMatchObject({ method: 'terminal/create', answer: 'allowed', what: expect.stringContaining('/bin/sh -c') })
  })

  it('are no longer waited for when the agent takes its question back, and run on', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [
      { terminal: { command: 'sleep 100', wait: false } },
      { takeBack: ['terminal/wait_for_exit', { terminalId: 'terminal-1' }] },
      { call: ['terminal/output', { terminalId: 'terminal-1' }] },
    ] })
    expect(stage.heard().find(({ method }) => method === 'terminal/wait_for_exit')).toMatchObject({ code: -32800 })
    expect(stage.heard().findLast(({ method }) => method === 'terminal/output')).toMatchObject({ result: { output: '' } })
  })

  it('see no key of a model', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'echo "[$HOME]"' } }] }, { withheld: ['HOME'] })
    expect(stage.heard().find(({ method }) => method === 'terminal/output')).toMatchObject({ result: { output: '[]\n' } })
  })

  it('keeps the end of a long output, cut between characters, and says that it is cut', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'seq 100000; printf äöü', outputByteLimit: 5 } }] })
    expect(stage.heard().find(({ method }) => method === 'terminal/output')).toMatchObject({ result: { output: 'öü', truncated: true, exitStatus: { exitCode: 0 } } })
  })

  it('is ended when it is killed, and its output can still be read', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'echo on; sleep 100', kill: true } }] })
    expect(stage.heard().find(({ method }) => method === 'terminal/wait_for_exit')).toMatchObject({ result: { exitCode: null, signal: 'SIGTERM' } })
  })

  it('that is left running is ended with the ask, with all it started', async () => {
    const stage = makeStage()
    const pidFile = join(stage.cwd, 'pid')
    const answer = await stage.ask({ steps: [{ terminal: { command: `setsid sh -c 'echo $$ > ${pidFile}; sleep 100' & sleep 100`, wait: false } }, { sleep: 0.5 }] })
    expect(answer).toMatchObject({ ending: 'done', note: 'end_turn; 1 command left running and ended' })
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
  })

  it('is refused outside the checkout, without permission, and when too many run', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'true', cwd: stage.outside } }, { terminal: { command: 'true', cwd: join(stage.cwd, 'gone') } }] })
    expect(stage.heard().slice(1).map(({ error }) => error)).toEqual([expect.stringContaining('outside the checkout'), expect.stringContaining('its folder is not there')])
    await stage.ask({ steps: [{ terminal: { command: 'true' } }] }, { entry: { tools: ['edit'] } })
    expect(stage.heard().at(-1)).toMatchObject({ error: expect.stringContaining('execute is not among') })
    await stage.ask({ steps: Array.from({ length: 9 }, () => ({ terminal: { command: 'sleep 100', wait: false } })) })
    expect(stage.heard().at(-1)).toMatchObject({ error: expect.stringContaining('8 commands are running already') })
  })

  it('that cannot be started has ended with 127 and says why', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'no-such-program-here' } }] })
    const output = stage.heard().find(({ method }) => method === 'terminal/output')
    expect(output).toMatchObject({ result: { exitStatus: { exitCode: 127 }, output: expect.stringContaining('not found on PATH') } })
  })
})

describe('a request that is not known', () => {
  it('is answered with an error, and so is one for a terminal that is not there', async () => {
    const stage = makeStage()
    const answer = await stage.ask({ steps: [{ call: ['_vendor/dance', {}] }, { call: ['elicitation/create', {}] }, { call: ['terminal/output', { terminalId: 'x' }] }, { call: ['fs/read_text_file', { path: 7 }] }] })
    expect(answer.ending).toBe('done')
    expect(stage.heard().slice(1).map(({ code }) => code)).toEqual([-32601, -32601, -32002, -32602])
    expect(stage.answers()[0]).toEqual({ method: '_vendor/dance', what: '', answer: 'unknown' })
  })
})
