// Tests of the conversation and of what it comes to, with the stub agent as a real process.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acpAgent } from './agent.js'
import { makeStage, STUB, stubAs } from './fixture.js'
import { noSandbox } from '../../sandbox/none.js'

describe('an agent of the protocol', () => {
  it('is given the prompt whole, edits through the client, and is done when it ends its turn', async () => {
    const stage = makeStage()
    const prompt = `--help $(touch x) ü\n${'y'.repeat(200_000)}`
    const answer = await stage.ask({ steps: [{ say: 'on it' }, { write: ['src/a.txt', 'new\n'] }, { say: ', done' }] }, { request: { prompt } })
    expect(answer).toMatchObject({ ending: 'done', note: 'end_turn', text: 'on it, done' })
    expect(readFileSync(join(stage.cwd, 'src/a.txt'), 'utf8')).toBe('new\n')
    expect(stage.heard()[0]).toEqual({ prompt: [{ type: 'text', text: prompt }] })
    expect(stage.answers()).toEqual([{ method: 'fs/write_text_file', what: join(stage.cwd, 'src/a.txt'), answer: 'done' }])
    expect(answer.files.map((file) => file.replace(/.*\//, ''))).toEqual(['act-records.jsonl', 'act-answers.jsonl'])
  })

  it('is done when it edits by itself, and when it changes nothing at all', async () => {
    const stage = makeStage()
    expect(await stage.ask({ steps: [{ edit: ['b.txt', 'mine'] }] })).toMatchObject({ ending: 'done', text: '' })
    expect(readFileSync(join(stage.cwd, 'b.txt'), 'utf8')).toBe('mine')
    expect(await stage.ask({ steps: [{ say: 'nothing to do' }] })).toMatchObject({ ending: 'done', text: 'nothing to do' })
  })

  it.each([
    ['max_tokens', 'most tokens'],
    ['max_turn_requests', 'most requests'],
    ['refusal', 'refused to go on'],
    ['cancelled', 'without being told to'],
    ['tired', 'not known here: tired'],
  ])('that stops with %s has failed, and the note says why', async (stop, note) => {
    expect(await makeStage().ask({ stop })).toMatchObject({ ending: 'failed', note: expect.stringContaining(note) })
  })

  it('that answers with an error has failed with its words, and is unavailable when they tell of a limit', async () => {
    const failed = await makeStage().ask({ fail: { code: -32603, message: 'Internal error', data: { details: 'the model is confused' } } })
    expect(failed).toMatchObject({ ending: 'failed', note: 'session/prompt was answered with an error: Internal error: the model is confused' })
    const limited = await makeStage().ask({ fail: { code: -32603, message: 'Internal error', data: { details: '429 rate limit reached' } } })
    expect(limited).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('429') })
  })

  it('answers with its last message, and tells what it is at', async () => {
    const stage = makeStage()
    const call = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'Reading\u001b[31m a.txt', kind: 'read' }
    const answer = await stage.ask({ steps: [{ say: 'let me look' }, { update: call }, { say: 'all ' }, { say: 'good' }] })
    expect(answer.text).toBe('all good')
    expect(stage.activities).toContainEqual({ kind: 'doing', note: 'Reading a.txt' })
  })

  it('tells what it used, by its own price or by the price list', async () => {
    const usage = { totalTokens: 160, inputTokens: 100, outputTokens: 20, cachedReadTokens: 40 }
    const stage = makeStage()
    const told = await stage.ask({ usage, steps: [{ update: { sessionUpdate: 'usage_update', used: 9, size: 10, cost: { amount: 0.5, currency: 'USD' } } }] })
    expect(told.usage).toEqual({ input: 100, cachedInput: 40, output: 20, usd: 0.5, model: null })
    expect(told.spent).toMatchObject({ tokens: 160, usd: 0.5 })
    expect(stage.activities).toContainEqual({ kind: 'spent', spent: expect.objectContaining({ usd: 0.5 }) })
    const listed = await makeStage().ask({ usage }, { price: { input: 10_000, output: 100_000 } })
    expect(listed.usage?.usd).toBeCloseTo(3.4)
  })

  it('is told which session, effect and iteration it works for, and finds a cleaned environment', async () => {
    const stage = makeStage()
    await stage.ask({ steps: [{ terminal: { command: 'echo $GREENLATCH_SESSION $GREENLATCH_EFFECT ${VITEST-none} ${SECRET-none}' } }] }, { entry: { env: { SECRET: 'x' } } })
    expect(stage.heard().find(({ method }) => method === 'terminal/output')).toMatchObject({ result: { output: 's1 3.act none none\n' } })
  })
})

describe('before the prompt', () => {
  it('an agent that needs a login is unavailable with what to do, and no login is tried that needs a person', async () => {
    const stage = makeStage()
    const answer = await stage.ask({ needsLogin: true, initialize: { authMethods: [{ id: 'browser', name: 'Log in' }] } })
    expect(answer).toMatchObject({ ending: 'unavailable', note: 'Authentication required: log in with its own command first' })
    expect(stage.heard()).toEqual([])
  })

  it('one that is known is logged in by the variable that is there, when it wants a login', async () => {
    const stage = makeStage()
    const program = stubAs('gemini', stage, { needsLogin: true, initialize: { authMethods: [{ id: 'oauth-personal' }, { id: 'gemini-api-key' }] } })
    const answer = await stage.ask({}, { entry: { acp: [program, '--acp'], env: { GEMINI_API_KEY: 'k' } } })
    expect(answer).toMatchObject({ ending: 'done' })
    expect(stage.heard()[0]).toEqual({ authenticate: 'gemini-api-key' })
    const without = await stage.ask({}, { entry: { acp: [program, '--acp'], env: { GEMINI_API_KEY: '' } } })
    expect(without).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('set GEMINI_API_KEY') })
  })

  it('tells its version when it is greeted, and none when it does not say or dies', async () => {
    const stage = makeStage()
    const version = (script: object) => acpAgent({ sandbox: noSandbox(), name: 'stub', entry: { acp: [process.execPath, STUB, JSON.stringify(script)] }, cwd: stage.cwd }).version?.()
    expect(await version({ initialize: { agentInfo: { name: 'stub', version: '1.2.3' } } })).toBe('1.2.3')
    expect([await version({}), await version({ crash: 'no' })]).toEqual([null, null])
  })

  it('one that speaks a newer protocol is unavailable, and told nothing more', async () => {
    const answer = await makeStage().ask({ initialize: { protocolVersion: 2 } })
    expect(answer).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('version 2 of the protocol, and only version 1') })
  })

  it('the mode that the settings name is set, and one that is not offered is unavailable with those that are', async () => {
    const session = { modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }, { id: 'full', name: 'Full' }] } }
    const stage = makeStage()
    expect(await stage.ask({ session }, { entry: { mode: 'full' } })).toMatchObject({ ending: 'done' })
    expect(stage.heard()[0]).toEqual({ asked: 'session/set_mode', params: { sessionId: 'stub', modeId: 'full' } })
    const wrong = await stage.ask({ session }, { entry: { mode: 'yolo' } })
    expect(wrong).toMatchObject({ ending: 'unavailable', note: 'it offers no mode "yolo", but ask, full' })
  })

  it.each([
    ['as an option of the session', { configOptions: [{ id: 'm', category: 'model', type: 'select', currentValue: 'a', options: [{ group: 'g', name: 'G', options: [{ value: 'p/big', name: 'Big' }] }] }] }, { asked: 'session/set_config_option', params: { sessionId: 'stub', configId: 'm', value: 'p/big' } }],
    ['in the older way', { models: { currentModelId: 'a', availableModels: [{ modelId: 'p/big', name: 'Big' }] } }, { asked: 'session/set_model', params: { sessionId: 'stub', modelId: 'p/big' } }],
  ])('the model is set %s', async (_how, session, told) => {
    const stage = makeStage()
    expect(await stage.ask({ session }, { entry: { model: 'p/big' } })).toMatchObject({ ending: 'done' })
    expect(stage.heard()[0]).toEqual(told)
    expect(await stage.ask({ session }, { entry: { model: 'none' } })).toMatchObject({ ending: 'unavailable', note: 'it offers no model "none", but p/big' })
  })

  it('an agent that is not there is not ready, and unavailable when it is asked all the same', async () => {
    const stage = makeStage()
    const agent = acpAgent({ sandbox: noSandbox(), name: 'gone', entry: { acp: 'no-such-agent-here --acp' }, cwd: stage.cwd })
    expect(await agent.ready()).toContain('no-such-agent-here is not an executable program')
    expect(agent.describe).toBe('no-such-agent-here --acp (Agent Client Protocol)')
    expect(await stage.ask({}, { entry: { acp: 'no-such-agent-here' } })).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('not found on PATH') })
    expect(existsSync(join(stage.cwd, '../kept/act-records.jsonl'))).toBe(false)
  })
})

describe('an agent that does not say what it used', () => {
  it('is charged the prompt and all its words', async () => {
    const said = (text: string) => ({ update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } })
    const tool = { update: { sessionUpdate: 'tool_call', toolCallId: '1', title: 'look', status: 'pending' } }
    const { spent } = await makeStage().ask({ steps: [said('a'.repeat(400)), tool, said('b'.repeat(40))] })
    expect(spent.tokens).toBeGreaterThan(110)
    expect(spent.tokens).toBeLessThan(130)
  })
})
