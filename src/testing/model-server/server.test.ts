// What the server makes of requests: turns in order, side requests apart, everything recorded and nothing secret kept.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, hear, PROTOCOLS } from './fixture.js'
import { startModelServer } from './server.js'
import type { ModelRequest, ModelScript, ModelServer, RecordedRequest } from './types.js'

let server: ModelServer
afterEach(() => server.close())

async function start(script: ModelScript, log?: (request: RecordedRequest) => void): Promise<string> {
  server = await startModelServer({ script, ...(log ? { log } : {}) })
  return server.url
}

async function arrival(): Promise<void> {
  while (server.requests.length === 0) await wait(5)
}

async function textFor(url: string, more: Record<string, unknown> = {}): Promise<string> {
  return (await hear('chat', await ask(url, { protocol: 'chat', ...more }))).text
}

describe('the turns of a script', () => {
  it('are given in order, and the last one again when there are no more', async () => {
    const url = await start({ turns: [{ text: 'one' }, { text: 'two' }] })
    expect([await textFor(url), await textFor(url), await textFor(url)]).toEqual(['one', 'two', 'two'])
    expect(server.requests.map(({ turn }) => turn)).toEqual([1, 2, 2])
  })

  it('end with a status of 400 when the script says so', async () => {
    const url = await start({ turns: [{ text: 'one' }], after: 'stop' })
    await textFor(url)
    const over = await ask(url, { protocol: 'chat' })
    expect([over.status, await over.text()]).toEqual([400, expect.stringContaining('the script ends after 1 turns')])
  })

  it('can come from a function, which is told what the request asks', async () => {
    const asked: ModelRequest[] = []
    const url = await start({ turns: (request) => {
      asked.push(request)
      return { text: `${request.protocol}, round ${request.rounds}: ${request.prompt}` }
    } })
    const messages = [
      { role: 'user', content: 'mend it' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'ok' },
      { role: 'user', content: '<system-reminder>be brief</system-reminder>' },
    ]
    expect(await textFor(url, { more: { messages } })).toBe('chat, round 1: mend it')
    expect(asked[0]).toMatchObject({ model: 'm', stream: 'none', tools: [{ name: 'write_file', kind: 'function' }] })
  })

  it('of a function that throws or gives nonsense become an error that says so', async () => {
    const url = await start({ turns: ({ prompt }) => {
      if (prompt === 'throw') throw new Error('no idea')
      return { txt: 'misspelt' } as object
    } })
    const bodies = await Promise.all(['throw', 'misspell'].map(async (prompt) => (await ask(url, { protocol: 'chat', prompt })).text()))
    expect(bodies[0]).toContain('no idea')
    expect(bodies[1]).toContain('`txt` is unknown')
  })

  it.each([
    [{}, 'lacks `turns`'],
    [{ turns: [] }, 'at least one turn'],
    [{ turns: [{ say: 'x' }] }, '`turns` [0] `say` is unknown'],
    [{ turns: [{ fault: 'gremlins' }] }, '`fault` must be one of bad-request'],
    [{ turns: [{ usage: { input: 5, output: 1, cachedInput: 6 } }] }, 'a part that is larger than the whole'],
    [{ turns: [{ write: { path: 'a' } }] }, '`write` lacks `content`'],
    [{ turns: [{ text: 'x' }], client: 'robot' }, '`client` must be one of agent, chat'],
  ])('are refused before the server starts when they are %j', async (script, problem) => {
    await start({ turns: [{ text: 'for afterEach' }] })
    const refusal = { name: 'Refusal', message: expect.stringContaining(problem) }
    await expect(startModelServer({ script: script as ModelScript })).rejects.toMatchObject(refusal)
  })
})

describe('requests beside the work', () => {
  it.each(PROTOCOLS)('take no turn when they offer no tools, over %s', async (protocol) => {
    const url = await start({ turns: [{ text: 'the turn' }] })
    const side = await hear(protocol, await ask(url, { protocol, tools: [], stream: 'events' }))
    expect(side.text).toBe('Scripted work')
    expect(await hear(protocol, await ask(url, { protocol }))).toMatchObject({ text: 'the turn' })
    expect(server.requests.map(({ kind, turn }) => [kind, turn])).toEqual([['side', null], ['turn', 1]])
    expect(server.served).toMatchObject({ turns: { input: 100, output: 20 }, side: { input: 8, output: 4 } })
  })

  it('are probes for a few tokens, and titles, even where tools are offered', async () => {
    const url = await start({ turns: [{ text: 'the turn' }] })
    await textFor(url, { more: { max_tokens: 1 } })
    await textFor(url, { system: 'You are a title generator. You output ONLY a title.' })
    await textFor(url, { prompt: 'Please generate a short title for this conversation' })
    expect(server.requests.map(({ kind }) => kind)).toEqual(['side', 'side', 'side'])
  })

  it('that want JSON of a form get it', async () => {
    const url = await start({ turns: [{ text: 'x' }] })
    const properties = { speaker: { type: 'string', enum: ['user', 'model'] }, why: { type: 'string' }, more: { type: 'number' } }
    const schema = { type: 'object', properties, required: ['speaker', 'why'] }
    const body = { contents: [{ role: 'user', parts: [{ text: 'who is next?' }] }], generationConfig: { responseJsonSchema: schema } }
    const response = await fetch(`${url}/v1beta/models/m:generateContent`, { method: 'POST', body: JSON.stringify(body) })
    expect(JSON.parse((await hear('gemini', response)).text)).toEqual({ speaker: 'user', why: 'scripted' })
  })

  it('are fewer for a chat client, which offers no tools for its work', async () => {
    const url = await start({ turns: [{ text: 'the turn' }], client: 'chat' })
    expect(await textFor(url, { tools: [], more: { max_tokens: 1 } })).toBe('Scripted work')
    expect(await textFor(url, { tools: [] })).toBe('the turn')
  })

  it('for models and counts are answered, others get a 404, and all are recorded', async () => {
    const url = await start({ turns: [{ text: 'x' }], models: ['one', 'two'] })
    const get = async (path: string) => (await fetch(`${url}${path}`)).json()
    expect(await get('/v1/models')).toMatchObject({ object: 'list', data: [{ id: 'one' }, { id: 'two' }] })
    expect(await get('/v1beta/models?key=k')).toMatchObject({ models: [{ name: 'models/one' }, { name: 'models/two' }] })
    const post = (path: string) => fetch(`${url}${path}`, { method: 'POST', body: '{"messages":[]}' })
    expect(await (await post('/v1/messages/count_tokens')).json()).toMatchObject({ input_tokens: 4 })
    expect(await (await post('/v1beta/models/one:countTokens')).json()).toMatchObject({ totalTokens: 4 })
    expect((await post('/api/telemetry')).status).toBe(404)
    expect(server.requests.map(({ kind }) => kind)).toEqual(['models', 'models', 'count', 'count', 'other'])
  })

  it('for another protocol on the same connection are turned down', async () => {
    const { port } = new URL(await start({ turns: [{ text: 'x' }] }))
    const answered = await new Promise<string>((resolve) => {
      const head = 'GET /v1/responses HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
      socket.once('data', (data) => resolve(data.toString()))
    })
    expect(answered).toMatch(/^HTTP\/1\.1 426 /)
    expect(server.requests[0]).toMatchObject({ kind: 'other', status: 426 })
  })
})

describe('what is recorded', () => {
  it('is every request with its body and its end, without secrets, and each is logged once', async () => {
    const logged: RecordedRequest[] = []
    const url = await start({ turns: [{ write: { path: 'a', content: 'b' } }] }, (request) => logged.push(request))
    await textFor(url, { prompt: 'mend it' })
    await (await fetch(`${url}/v1beta/models?key=sk-secret&alt=sse`)).text()
    expect(server.requests[0]).toMatchObject({
      n: 1, method: 'POST', path: '/v1/chat/completions', protocol: 'chat', calls: ['write_file'], status: 200, ending: 'sent',
      headers: { authorization: '***', 'x-api-key': '***', 'content-type': 'application/json' },
      body: { model: 'm' },
    })
    expect(server.requests[1]?.path).toBe('/v1beta/models?key=***&alt=sse')
    expect(JSON.stringify(server.requests)).not.toContain('sk-secret')
    expect(logged).toEqual(server.requests)
  })

  it('includes bodies that were sent compressed, and those that are no JSON', async () => {
    const url = await start({ turns: [{ text: 'x' }] })
    await fetch(`${url}/telemetry`, { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"a":1}') })
    const bad = await fetch(`${url}/v1/messages`, { method: 'POST', body: 'not json' })
    expect(bad.status).toBe(400)
    expect(server.requests.map(({ body, kind }) => [body, kind])).toEqual([[{ a: 1 }, 'other'], ['not json', 'other']])
  })

  it('tells of a client that went away, and counts nothing for it', async () => {
    let told: (request: RecordedRequest) => void = () => {}
    const left = new Promise<RecordedRequest>((resolve) => {
      told = resolve
    })
    const url = await start({ turns: [{ text: 'late', delaySeconds: 60 }] }, (request) => told(request))
    const leave = new AbortController()
    const asked = ask(url, { protocol: 'chat', signal: leave.signal }).catch(() => {})
    await arrival()
    leave.abort()
    await asked
    expect(await left).toMatchObject({ ending: 'left', turn: 1 })
    expect(server.served.turns.input).toBe(0)
  })
})

describe('closing', () => {
  it('ends requests that hang, and may be done twice', async () => {
    const url = await start({ turns: [{ fault: 'hang' }] })
    const asked = ask(url, { protocol: 'chat' }).then(() => 'answered', () => 'ended')
    await arrival()
    await server.close()
    await server.close()
    expect(await asked).toBe('ended')
  })
})
