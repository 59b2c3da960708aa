// Tests of a model behind an address: what it is asked, what is taken of its answer, what it costs. Real requests to a scripted server.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Refusal } from '../../../errors.js'
import { chatAgent } from './agent.js'
import { askAt, requestFor, serverWith } from './fixture.js'
import { modelFor, promptRoomFor } from './settings.js'

const SECRET = 'sk-very-secret-0123456789'

/** A server of our own, for what the scripted one does not do. */
async function bare(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

describe('a model behind an address', () => {
  it.each([['a stream', {}], ['one piece', { stream: false as const }]])('answers in %s, with the usage that the server tells', async (_how, entry) => {
    const server = await serverWith({ text: 'Grüße 👋\n=== FILE a ===\n', reasoning: 'hm', usage: { input: 1000, cachedInput: 600, output: 50, reasoning: 20 } })
    const { answer, request } = await askAt(server.url, { entry })
    expect(answer).toMatchObject({ ending: 'done', note: '', text: 'Grüße 👋\n=== FILE a ===\n', spent: { tokens: 1050, usd: 0 } })
    expect(answer.usage).toEqual({ input: 400, cachedInput: 600, output: 50, usd: null, model: 'm' })
    expect(answer.files.map((file) => file.slice(dirname(request.responsePath).length + 1))).toEqual(['act-response.md', 'act-exchange.log'])
    expect(readFileSync(request.responsePath, 'utf8')).toBe(answer.text)
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/v1/chat/completions', kind: 'turn', status: 200 }])
  })

  it('estimates what it used where the server does not tell, and says so', async () => {
    const server = await serverWith({ text: 'x'.repeat(400), reasoning: 'y'.repeat(40), fault: 'usage-missing' })
    const { answer } = await askAt(server.url, { prompt: 'p'.repeat(80), options: { price: { input: 1, output: 10 } } })
    expect(answer).toMatchObject({ ending: 'done', note: 'the server told no usage: tokens are estimated', spent: { tokens: 130 } })
    expect(answer.usage).toMatchObject({ input: 20, output: 110, estimated: true })
    expect(answer.usage?.usd).toBeCloseTo((20 + 1100) / 1_000_000)
  })

  it.each([
    ['nothing', { input: 0, output: 0 }, 20, 110],
    ['hardly anything of the prompt', { input: 1, output: 70 }, 20, 70],
    ['hardly anything of the answer', { input: 15, output: 1 }, 15, 110],
  ])('estimates what it used where the server tells %s, so that a budget still ends it', async (_, usage, input, output) => {
    const server = await serverWith({ text: 'x'.repeat(400), reasoning: 'y'.repeat(40), usage })
    const { answer } = await askAt(server.url, { prompt: 'p'.repeat(80) })
    expect(answer).toMatchObject({ ending: 'done', note: 'the server told hardly any usage: tokens are estimated', usage: { input, output, estimated: true } })
  })

  it('is told what it has spent while the answer comes', async () => {
    const server = await serverWith({ text: 'x'.repeat(100), usage: { input: 10, output: 1000 }, fault: 'slow-drip', pauseSeconds: 0.001 })
    const { activities, answer } = await askAt(server.url)
    const told = activities.flatMap((activity) => (activity.kind === 'spent' ? [activity.spent.tokens] : []))
    expect(told.length).toBeGreaterThan(1)
    expect(told.at(-1)).toBe(answer.spent.tokens)
  })

  it('keeps a reply that cannot be used, as it came', async () => {
    const server = await serverWith({ text: 'half of it', fault: 'content-filter' })
    const { answer, request } = await askAt(server.url)
    expect(answer).toMatchObject({ ending: 'failed', note: 'the answer was cut off by a content filter', text: '' })
    expect(readFileSync(request.responsePath, 'utf8')).toBe('half ')
    expect(filesOf(dirname(request.responsePath))['act-exchange.log']).toContain('--- HTTP 200 text/event-stream')
  })

  it('is the first that the server lists where none is named', async () => {
    const server = await serverWith({ text: 'x' }, { models: ['first', 'second'] })
    const agent = chatAgent({ name: 'near', entry: { chat: `${server.url}/v1/` } })
    for (const _ of [1, 2]) await agent.ask(requestFor('p'), new AbortController().signal)
    expect(server.requests.map(({ kind, body }) => (kind === 'turn' ? (body as { model: string }).model : kind))).toEqual(['models', 'first', 'first'])
  })

  it('is asked where an address leads that has more than a host', () => {
    expect(chatAgent({ name: 'a', entry: { chat: 'https://models.example/api/v1/', model: 'm' } }).describe).toBe('POST https://models.example/api/v1/chat/completions (m)')
    for (const chat of ['file:///etc/passwd', 'ftp://x/v1', 'no address', 'http://me:pw@x/v1']) {
      expect(() => chatAgent({ name: 'a', entry: { chat } })).toThrow(Refusal)
    }
  })
})

describe('the end of an answer', () => {
  const ending = (finish: string) => bare((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content: 'whole or not' }, finish_reason: finish }] }))
  })

  it.each(['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence'])('"%s" is the word of a model that had no more to say', async (finish) => {
    expect((await askAt(await ending(finish))).answer).toMatchObject({ ending: 'done', text: 'whole or not' })
  })

  it.each(['error', 'abort', 'cancelled', 'insufficient_system_resource', 'function_call', 'Stop!'])('"%s" is none, and nothing of it is taken', async (finish) => {
    const { answer, waits } = await askAt(await ending(finish))
    expect(answer).toMatchObject({ ending: 'unavailable', text: '', note: expect.stringContaining(`the answer ended with "${finish}" and need not be whole`) as string })
    expect(waits).toEqual([2, 8, 32])
  })
})

describe('a stream that ends twice', () => {
  it('has ended as it said first', async () => {
    const url = await bare((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = (finish: string) => `data: ${JSON.stringify({ choices: [{ delta: { content: 'half' }, finish_reason: finish }] })}\n\n`
      response.end(`${event('length')}${event('stop')}data: [DONE]\n\n`)
    })
    expect((await askAt(url)).answer).toMatchObject({ ending: 'failed', cut: true })
  })
})

describe('the key of a model', () => {
  const options = { env: { NEAR_KEY: SECRET } }
  const entry = { key: 'NEAR_KEY' }

  it('has to be there before anything is asked', async () => {
    const ready = (env: Record<string, string>) => chatAgent({ name: 'a', entry: { chat: 'http://x/v1', ...entry }, env }).ready()
    expect(await ready({})).toBe('the environment variable NEAR_KEY, which should hold its key, is not set')
    expect(await ready(options.env)).toBeNull()
  })

  it('goes into its header and nowhere else, even when the server repeats it', async () => {
    let header: string | undefined
    const url = await bare((request, response) => {
      header = request.headers.authorization
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `no such key: ${SECRET}` } }))
    })
    const { answer, activities, request } = await askAt(url, { entry, options })
    expect(header).toBe(`Bearer ${SECRET}`)
    expect(answer).toMatchObject({ ending: 'unavailable', closed: true, note: 'HTTP 401: no such key: ***' })
    expect(JSON.stringify([answer, activities, filesOf(dirname(request.responsePath))])).not.toContain(SECRET)
  })

  it('is scrubbed from what is told between two attempts, and from the name that a model gives itself', async () => {
    const url = await bare((_request, response) => {
      response.writeHead(429, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `too many for ${SECRET}` } }))
    })
    const { activities } = await askAt(url, { entry, options })
    expect(activities.find(({ kind }) => kind === 'retry')).toMatchObject({ note: expect.stringContaining('too many for ***') as string })
    expect(JSON.stringify(activities)).not.toContain(SECRET)
    const named = await bare((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ model: SECRET, choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }))
    })
    expect((await askAt(named, { entry, options })).answer.usage?.model).toBe('***')
  })

  it('is scrubbed from an answer that holds it', async () => {
    const server = await serverWith({ text: `key = "${SECRET}"` })
    const { answer, request } = await askAt(server.url, { entry, options })
    expect(answer.text).toBe('key = "***"')
    expect(JSON.stringify(filesOf(dirname(request.responsePath)))).not.toContain(SECRET)
  })

  it('is not sent on to another host', async () => {
    const other = await serverWith({ text: 'stolen' })
    const url = await bare((_request, response) => response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end())
    const { answer } = await askAt(url, { entry, options })
    expect(answer).toMatchObject({ ending: 'unavailable', note: expect.stringContaining('which is not followed') as string })
    expect(other.requests).toEqual([])
  })

  it('is sent on within the same host, and not for ever', async () => {
    let hops = 0
    const url = await bare((request, response) => {
      if (request.url === '/v1/chat/completions' || request.url === '/round') {
        hops += 1
        return void response.writeHead(308, { location: request.url === '/round' || hops > 1 ? '/round' : '/there' }).end()
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ choices: [{ message: { content: request.headers.authorization }, finish_reason: 'stop' }] }))
    })
    expect((await askAt(url, { entry, options })).answer).toMatchObject({ ending: 'done', text: 'Bearer ***' })
    expect((await askAt(url, { entry, options })).answer.ending).toBe('unavailable')
  })
})

describe('the roles of a model', () => {
  const entry = { chat: 'http://x/v1', model: 'small', roles: { consultant: { model: 'large', contextTokens: 32_000 }, implementer: { model: 'coder' } } }

  it.each([
    ['implementer', { temperature: 0.4, outputTokens: 4096 }],
    ['planner', { outputTokens: 8192, contextTokens: 61_440 }],
    ['consultant', { outputTokens: 8192, contextTokens: 61_440 }],
    ['auditor', { outputTokens: 2048 }],
    ['reviewer', { outputTokens: 2048 }],
    ['somebody', {}],
    ['constructor', {}],
  ])('IS-20 have the defaults that are published: %s', (role, settings) => {
    expect(modelFor({ chat: 'http://x/v1' }, role)).toEqual(settings)
  })

  it.each([
    ['planner', { model: 'large', outputTokens: 8192, contextTokens: 32_000 }],
    ['auditor', { model: 'coder', outputTokens: 2048 }],
    ['reviewer', { model: 'coder', outputTokens: 2048 }],
    ['other', { model: 'small' }],
  ])('IS-20 share a model where they have none of their own: %s', (role, settings) => {
    expect(modelFor(entry, role)).toEqual(settings)
  })

  it('IS-20 go by what is set for the role, then for all, and leave a prompt half of the context at least', () => {
    const set = { ...entry, temperature: 0, outputTokens: 6000, contextTokens: 8000, roles: { implementer: { temperature: 1 } } }
    expect(modelFor(set, 'implementer')).toEqual({ model: 'small', temperature: 1, outputTokens: 4000, contextTokens: 8000 })
    expect(promptRoomFor(set, 'implementer')).toBe(4000)
    expect(promptRoomFor({ chat: 'http://x/v1' }, 'planner')).toBe(61_440 - 8192)
    expect(promptRoomFor({ chat: 'http://x/v1' }, 'implementer')).toBeUndefined()
  })

  it('IS-20 are asked with their model, temperature and output limit; a role that answers for another with its own', async () => {
    const server = await serverWith({ text: 'x' })
    for (const answers of ['implementer', 'consultant']) await askAt(server.url, { entry: { ...entry, chat: `${server.url}/v1` }, answers })
    const [first, second] = server.requests.map(({ body }) => body as Record<string, unknown>)
    expect(first).toMatchObject({ model: 'coder', temperature: 0.4, max_tokens: 4096, stream: true, stream_options: { include_usage: true } })
    expect(second).toMatchObject({ model: 'large', max_tokens: 8192 })
    expect(second).not.toHaveProperty('temperature')
  })

  it('IS-20 are not asked at all with a prompt that the model cannot take in: it would be cut in silence', async () => {
    const server = await serverWith({ text: 'x' })
    const { answer } = await askAt(server.url, { prompt: 'p'.repeat(8192), entry: { contextTokens: 2048 } })
    expect(answer).toMatchObject({ ending: 'failed', note: 'the prompt has about 2,048 tokens, and the model takes in 2,048', spent: { tokens: 0 } })
    expect(server.requests).toEqual([])
  })
})

describe('the budget of a call', () => {
  it('bounds the answer by tokens and by money', async () => {
    const server = await serverWith({ text: 'x' })
    await askAt(server.url, { prompt: 'p'.repeat(400), left: { tokens: 1100, usd: null } })
    await askAt(server.url, { prompt: 'p'.repeat(400), left: { tokens: null, usd: 0.005 }, options: { price: { input: 10, output: 40 } } })
    expect(server.requests.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([1000, 100])
    const { answer } = await askAt(server.url, { prompt: 'p'.repeat(400), left: { tokens: 100, usd: null } })
    expect(answer).toMatchObject({ ending: 'failed', note: 'the prompt has about 100 tokens, and 100 are left of the budget' })
    expect(server.requests).toHaveLength(2)
  })

  it('in money that the prompt alone would spend keeps it from being sent', async () => {
    const server = await serverWith({ text: 'x' })
    const { answer } = await askAt(server.url, { prompt: 'p'.repeat(400_000), left: { tokens: null, usd: 0.05 }, options: { price: { input: 1, output: 2 } } })
    expect(answer).toMatchObject({ ending: 'failed', note: 'the prompt costs about $0.1001, and $0.0500 are left of the budget', spent: { tokens: 0 } })
    expect(server.requests).toEqual([])
  })

  it('ends an answer that never ends, when whoever counts says so', async () => {
    const server = await serverWith({ text: 'word '.repeat(50), fault: 'endless', pauseSeconds: 0.001 })
    const stop = new AbortController()
    const spent: number[] = []
    const { answer } = await askAt(server.url, {
      signal: stop.signal,
      onActivity(activity) {
        if (activity.kind !== 'spent') return
        spent.push(activity.spent.tokens)
        if (activity.spent.tokens >= 200) stop.abort()
      },
    })
    expect(answer).toMatchObject({ ending: 'aborted', text: '' })
    expect(answer.spent.tokens).toBe(spent.at(-1))
    await expect.poll(() => server.requests[0]?.ending).toBe('left')
  })
})
