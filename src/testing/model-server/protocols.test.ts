// One script, four protocols, streaming and not: every client hears the same.
import { afterEach, describe, expect, it } from 'vitest'
import { ask, eventsIn, hear, PROTOCOLS } from './fixture.js'
import { startModelServer } from './server.js'
import type { ModelScript, ModelServer, ProtocolName } from './types.js'

let server: ModelServer
afterEach(() => server.close())

async function start(script: ModelScript): Promise<string> {
  server = await startModelServer({ script })
  return server.url
}

const FULL: ModelScript = {
  turns: [
    {
      text: 'Now I write it – “ünïcode” 🙂 and all.',
      reasoning: 'It has to be written first.',
      toolCalls: [{ name: 'write_file', input: { file_path: 'a.txt', content: 'one\n' } }, { name: 'run', input: {} }],
      usage: { input: 1000, output: 50, cachedInput: 200, reasoning: 10 },
    },
    { text: 'Done.', usage: { input: 1100, output: 5 } },
  ],
}

const USAGE: Record<ProtocolName, unknown> = {
  chat: {
    prompt_tokens: 1000,
    completion_tokens: 50,
    total_tokens: 1050,
    prompt_tokens_details: { cached_tokens: 200 },
    completion_tokens_details: { reasoning_tokens: 10 },
  },
  responses: {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 200 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 10 },
    total_tokens: 1050,
  },
  messages: { input_tokens: 800, cache_creation_input_tokens: 0, cache_read_input_tokens: 200, output_tokens: 50 },
  gemini: { promptTokenCount: 1000, cachedContentTokenCount: 200, candidatesTokenCount: 40, thoughtsTokenCount: 10, totalTokenCount: 1050 },
}
const STOPS: Record<ProtocolName, [string, string]> = {
  chat: ['tool_calls', 'stop'],
  responses: ['completed', 'completed'],
  messages: ['tool_use', 'end_turn'],
  gemini: ['STOP', 'STOP'],
}

describe.each(PROTOCOLS.flatMap((protocol) => [{ protocol, stream: 'events' as const }, { protocol, stream: 'none' as const }]))(
  'over $protocol with stream: $stream',
  ({ protocol, stream }) => {
    it('text, reasoning, calls, the reason to stop and the usage arrive as the script says', async () => {
      const url = await start(FULL)
      const first = await hear(protocol, await ask(url, { protocol, stream }))
      const { text, reasoning, toolCalls } = (FULL.turns as { text: string; reasoning: string; toolCalls: unknown }[])[0] ?? {}
      expect(first).toEqual({ text, reasoning, calls: toolCalls, stop: STOPS[protocol][0], usage: USAGE[protocol] })
      const second = await hear(protocol, await ask(url, { protocol, stream }))
      expect(second).toMatchObject({ text: 'Done.', reasoning: '', calls: [], stop: STOPS[protocol][1] })
      expect(server.served.turns).toEqual({ input: 2100, output: 55, cachedInput: 200, reasoning: 10 })
    })
  },
)

describe('the streams', () => {
  it('of responses number their events and end with the whole response', async () => {
    const url = await start(FULL)
    const events = eventsIn(await (await ask(url, { protocol: 'responses', stream: 'events' })).text())
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, n) => n))
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['response.created', 'response.completed'])
  })

  it('of responses carry calls of tools that take text', async () => {
    const url = await start({ turns: [{ toolCalls: [{ name: 'apply_patch', input: '*** Begin Patch\n*** End Patch\n' }] }] })
    const events = eventsIn(await (await ask(url, { protocol: 'responses', stream: 'events' })).text())
    const done = events.find((event) => event.type === 'response.output_item.done')
    expect(done?.item).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch\n*** End Patch\n' })
  })

  it('of messages name their events as the data does', async () => {
    const url = await start(FULL)
    const text = await (await ask(url, { protocol: 'messages', stream: 'events' })).text()
    const names = Array.from(text.matchAll(/^event: (.*)$/gm), (match) => match[1])
    expect(names).toEqual(eventsIn(text).map(({ type }) => type))
    expect(names.slice(-2)).toEqual(['message_delta', 'message_stop'])
  })

  it('of chat end with [DONE] and tell the usage only to those who ask for it', async () => {
    const url = await start(FULL)
    const text = await (await ask(url, { protocol: 'chat', stream: 'events', more: { stream_options: {} } })).text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(text).not.toContain('prompt_tokens')
    expect(server.served.turns.input).toBe(0)
  })

  it('of gemini are one JSON list for a client that does not ask for events', async () => {
    const url = await start(FULL)
    const body = { contents: [{ role: 'user', parts: [{ text: 'go' }] }], tools: [{ functionDeclarations: [{ name: 'x' }] }] }
    const response = await fetch(`${url}/v1beta/models/m:streamGenerateContent`, { method: 'POST', body: JSON.stringify(body) })
    const list = (await response.json()) as { candidates: { finishReason?: string }[] }[]
    expect(list.length).toBeGreaterThan(3)
    expect(list.at(-1)?.candidates[0]?.finishReason).toBe('STOP')
  })
})
