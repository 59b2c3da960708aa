// Every fault, over every protocol, streaming and not: what a client gets is what the name of the fault says.
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { MODEL_FAULTS, type FaultKind } from './faults.js'
import { ask, eventsIn, hear, PROTOCOLS } from './fixture.js'
import { parsedOr, recordOf } from './json.js'
import { startModelServer } from './server.js'
import type { ModelServer, ModelTurn, ProtocolName, RecordedRequest } from './types.js'

type Form = 'events' | 'none'
type Way = { protocol: ProtocolName; stream: Form }
/** `broken`: the connection failed while it was read; `refused`: before there was an answer; `open`: it went on without end. */
type Seen = { status: number; headers: Headers; body: string; chunks: number; ending: 'whole' | 'broken' | 'refused' | 'open' }
type Lasts = 'ends' | 'never begins' | 'stops midway' | 'goes on'
type Expectation = (seen: Seen, way: Way, server: ModelServer) => void

const WAYS: Way[] = PROTOCOLS.flatMap((protocol) => [{ protocol, stream: 'events' as const }, { protocol, stream: 'none' as const }])
const TURN: ModelTurn = {
  text: 'A line of text that is long enough to be cut.',
  toolCalls: [{ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } }],
  usage: { input: 10, output: 5 },
}
const WHOLE_TOKENS = { input: 10, output: 5, cachedInput: 0, reasoning: 0 }
const NO_TOKENS = { input: 0, output: 0, cachedInput: 0, reasoning: 0 }
const QUIET_MS = 150
const ENOUGH_CHARS = 20_000

/** Reads until the end. What never ends is left: when enough has come, or after a quiet while where nothing more is to come. */
async function look({ url, requests }: ModelServer, way: Way, lasts: Lasts = 'ends'): Promise<Seen> {
  const leave = new AbortController()
  const leaveSoon = () => void setTimeout(() => leave.abort(), QUIET_MS)
  const seen: Seen = { status: 0, headers: new Headers(), body: '', chunks: 0, ending: 'refused' }
  try {
    const asked = ask(url, { ...way, signal: leave.signal })
    if (lasts === 'never begins') await arrival(requests).then(leaveSoon)
    const response = await asked
    Object.assign(seen, { status: response.status, headers: response.headers, ending: 'broken' })
    for await (const chunk of response.body ?? []) {
      seen.body += Buffer.from(chunk).toString('utf8')
      seen.chunks += 1
      if (lasts === 'stops midway' && seen.chunks === 1) leaveSoon()
      if (lasts === 'goes on' && seen.body.length > ENOUGH_CHARS) leave.abort()
    }
    return { ...seen, ending: 'whole' }
  } catch {
    return { ...seen, ending: leave.signal.aborted ? 'open' : seen.ending }
  }
}

async function arrival(requests: readonly RecordedRequest[]): Promise<void> {
  while (requests.length === 0) await wait(5)
}

/** Where each protocol says that an answer is whole. */
const TERMINALS: Record<ProtocolName, RegExp> = {
  chat: /"finish_reason":"|\[DONE\]/g,
  responses: /"type":"response\.(completed|incomplete)"/g,
  messages: /"type":"message_(delta|stop)"/g,
  gemini: /"finishReason":/g,
}
const FULL_COUNT: Record<ProtocolName, number> = { chat: 2, responses: 1, messages: 2, gemini: 1 }

function terminals({ body }: Seen, { protocol }: Way): number {
  return (body.match(TERMINALS[protocol]) ?? []).length
}

function isJson({ body }: Seen): boolean {
  return parsedOr(body, undefined) !== undefined
}

function status(code: number, check: (seen: Seen) => void = () => {}): Expectation {
  return (seen, { protocol }, server) => {
    expect(seen).toMatchObject({ status: code, ending: 'whole' })
    expect(Object.keys(recordOf(JSON.parse(seen.body)))).toContain(protocol === 'messages' ? 'request_id' : 'error')
    expect(server.served.turns).toEqual(NO_TOKENS)
    check(seen)
  }
}

function partial(ending: Seen['ending']): Expectation {
  return (seen, way, server) => {
    expect(seen).toMatchObject({ status: 200, ending })
    expect(seen.body.length).toBeGreaterThan(0)
    expect(terminals(seen, way)).toBe(0)
    expect(server.served.turns).toEqual(NO_TOKENS)
  }
}

/** The answer is as the protocol wants it, and is counted. */
function said(check: (body: string, way: Way) => void): Expectation {
  return (seen, way, server) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    check(seen.body, way)
    expect(server.served.turns).toEqual(WHOLE_TOKENS)
  }
}

const words = (of: Record<ProtocolName, string>): Expectation => said((body, { protocol }) => expect(body).toContain(of[protocol]))

const nothing = (ending: Seen['ending']): Expectation => (seen, _, server) => {
  expect(seen).toMatchObject({ status: 0, body: '', ending })
  expect(server.requests[0]?.status).toBe(0)
}

const notJson: Expectation = (seen, { stream }, server) => {
  expect(seen).toMatchObject({ status: 200, ending: 'whole' })
  if (stream === 'events') expect(() => eventsIn(seen.body)).toThrow()
  else expect(isJson(seen)).toBe(false)
  expect(server.served.turns).toEqual(NO_TOKENS)
}

const EXPECTED: Record<FaultKind, Expectation> = {
  'bad-request': status(400),
  'context-too-long': status(400, ({ body }) => expect(body).toMatch(/maximum context length/)),
  unauthorised: status(401),
  forbidden: status(403),
  'not-found': status(404),
  'too-large': status(413),
  'rate-limited': status(429, ({ headers }) => expect(headers.get('retry-after')).toBeNull()),
  'rate-limited-seconds': status(429, ({ headers }) => expect(headers.get('retry-after')).toBe('7')),
  'rate-limited-date': status(429, ({ headers }) => {
    const seconds = (Date.parse(headers.get('retry-after') ?? '') - Date.now()) / 1000
    expect(seconds).toBeGreaterThan(-60)
    expect(seconds).toBeLessThanOrEqual(7)
  }),
  'quota-used-up': status(429, ({ body }) => expect(body).toMatch(/quota/)),
  'server-error': status(500),
  'bad-gateway': (seen) => {
    expect(seen).toMatchObject({ status: 502, ending: 'whole' })
    expect(seen.headers.get('content-type')).toBe('text/html')
    expect(seen.body).toMatch(/^<html>/)
  },
  unavailable: status(503),
  'gateway-timeout': status(504),
  overloaded: status(529),
  hang: nothing('open'),
  'hang-midway': partial('open'),
  reset: nothing('refused'),
  cut: partial('broken'),
  refuse: nothing('refused'),
  'slow-drip': (seen, way, server) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    expect(seen.chunks).toBeGreaterThan(3)
    if (way.stream === 'events') expect(terminals(seen, way)).toBe(FULL_COUNT[way.protocol])
    else expect(isJson(seen)).toBe(true)
    expect(server.served.turns).toEqual(WHOLE_TOKENS)
  },
  endless: partial('open'),
  'wrong-content-type': (seen) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    expect(seen.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(seen.body).toMatch(/^<!doctype html>/)
  },
  'empty-body': (seen) => expect(seen).toMatchObject({ status: 200, body: '', ending: 'whole' }),
  'invalid-json': notJson,
  'truncated-json': notJson,
  'garbage-events': (seen) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    expect(isJson(seen)).toBe(false)
    expect(eventsIn(seen.body)).toEqual([])
  },
  'no-terminal': partial('whole'),
  'duplicate-terminal': (seen, way) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    if (way.stream === 'events') expect(terminals(seen, way)).toBe(2 * FULL_COUNT[way.protocol])
    else expect(isJson(seen)).toBe(false)
  },
  'huge-line': said((body) => expect(Math.max(...body.split('\n').map((line) => line.length))).toBeGreaterThan(100_000)),
  'error-midway': (seen, way, server) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    expect(seen.body).toMatch(/Overloaded/)
    expect(terminals(seen, way)).toBe(0)
    expect(server.served.turns).toEqual(NO_TOKENS)
  },
  'empty-choices': said((body) => expect(body).not.toMatch(/long enough|write_file/)),
  'empty-answer': said((body) => expect(body).not.toMatch(/long enough|write_file/)),
  'usage-missing': (seen, _, server) => {
    expect(seen).toMatchObject({ status: 200, ending: 'whole' })
    expect(seen.body).not.toMatch(/"(input_tokens|prompt_tokens|promptTokenCount)"/)
    expect(server.served.turns).toEqual(NO_TOKENS)
  },
  length: words({
    chat: '"finish_reason":"length"',
    responses: '"reason":"max_output_tokens"',
    messages: '"stop_reason":"max_tokens"',
    gemini: '"finishReason":"MAX_TOKENS"',
  }),
  'content-filter': words({
    chat: '"finish_reason":"content_filter"',
    responses: '"reason":"content_filter"',
    messages: '"stop_reason":"refusal"',
    gemini: '"finishReason":"SAFETY"',
  }),
  refusal: words({
    chat: '"refusal":"I cannot',
    responses: '"refusal":"I cannot',
    messages: '"stop_reason":"refusal"',
    gemini: '"finishReason":"PROHIBITED_CONTENT"',
  }),
  'malformed-call': said((body, { protocol }) => {
    if (protocol === 'gemini') expect(body).toContain('MALFORMED_FUNCTION_CALL')
    else expect(body).not.toMatch(/content\\*"?:\\*"x/)
  }),
  'unknown-tool': said((body) => expect(body).toContain('no_such_tool')),
}

describe('the fault', () => {
  const lasting: Partial<Record<FaultKind, Lasts>> = { hang: 'never begins', 'hang-midway': 'stops midway', endless: 'goes on' }

  it.each(MODEL_FAULTS.map((fault) => ({ fault })))('$fault is what its name says, over every protocol', async ({ fault }) => {
    await Promise.all(WAYS.map(async (way) => {
      const turn: ModelTurn = { ...TURN, fault, retryAfterSeconds: 7, pauseSeconds: 0.0001, sizeBytes: 200_000 }
      const server = await startModelServer({ script: { turns: [turn] } })
      try {
        const seen = await look(server, way, lasting[fault])
        EXPECTED[fault](seen, way, server)
        expect(server.requests[0]).toMatchObject({ kind: 'turn', turn: 1, fault })
      } finally {
        await server.close()
      }
    }))
  })

  it('refuse leaves nobody listening', async () => {
    const server = await startModelServer({ script: { turns: [{ fault: 'refuse' }, { text: 'never' }] } })
    const way: Way = { protocol: 'chat', stream: 'events' }
    expect(await look(server, way)).toMatchObject({ ending: 'refused' })
    expect(await look(server, way)).toMatchObject({ ending: 'refused' })
    expect(server.requests).toHaveLength(1)
    await server.close()
  })

  it('is over after the requests it is for, and the script goes on', async () => {
    const failing: ModelTurn = { fault: 'server-error', times: 2, message: 'down for now' }
    const server = await startModelServer({ script: { turns: [failing, { text: 'up again' }] } })
    const way: Way = { protocol: 'messages', stream: 'none' }
    const seen = [await look(server, way), await look(server, way)]
    expect(seen.map(({ status, body }) => [status, body.includes('down for now')])).toEqual([[500, true], [500, true]])
    expect(await hear('messages', await ask(server.url, way))).toMatchObject({ text: 'up again' })
    expect(server.requests.map(({ turn }) => turn)).toEqual([1, 1, 2])
    await server.close()
  })

  it('is known by one of at least 25 names', () => {
    expect(new Set(MODEL_FAULTS).size).toBeGreaterThanOrEqual(25)
  })
})
