// A small client of all four protocols for tests: asks, and reads the answer back into one shape.
import { isRecord, recordOf, recordsOf, stringOf, type Json } from './json.js'
import type { ProtocolName } from './types.js'

export const PROTOCOLS: readonly ProtocolName[] = ['chat', 'responses', 'messages', 'gemini']

const WRITE_TOOL = {
  name: 'write_file',
  schema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, content: { type: 'string' } },
    required: ['file_path', 'content'],
  },
}

export type Asked = {
  protocol: ProtocolName
  stream?: 'events' | 'none'
  prompt?: string
  system?: string
  tools?: { name: string; schema: Json }[]
  more?: Json
  signal?: AbortSignal
}

export type Heard = { text: string; reasoning: string; calls: { name: string; input: unknown }[]; stop: string; usage: unknown }

export function ask(url: string, asked: Asked): Promise<Response> {
  const { path, body } = requestOf({ stream: 'none', prompt: 'do it', system: 'You are an agent.', tools: [WRITE_TOOL], ...asked })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-secret', 'x-api-key': 'sk-secret' }
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal: asked.signal ?? null })
}

type Complete = Required<Omit<Asked, 'more' | 'signal'>> & Pick<Asked, 'more'>

function requestOf({ protocol, stream, prompt, system, tools, more }: Complete): { path: string; body: Json } {
  const streams = stream === 'events'
  switch (protocol) {
    case 'chat': {
      const functions = tools.map(({ name, schema }) => ({ type: 'function', function: { name, parameters: schema } }))
      const messages = [{ role: 'system', content: system }, { role: 'user', content: prompt }]
      const body = { model: 'm', messages, tools: functions, stream: streams, stream_options: { include_usage: true }, ...more }
      return { path: '/v1/chat/completions', body }
    }
    case 'responses': {
      const functions = tools.map(({ name, schema }) => ({ type: 'function', name, parameters: schema }))
      const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }]
      return { path: '/v1/responses', body: { model: 'm', instructions: system, input, tools: functions, stream: streams, ...more } }
    }
    case 'messages': {
      const functions = tools.map(({ name, schema }) => ({ name, input_schema: schema }))
      const messages = [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
      return { path: '/v1/messages', body: { model: 'm', max_tokens: 4096, system, messages, tools: functions, stream: streams, ...more } }
    }
    case 'gemini': {
      const functions = tools.map(({ name, schema }) => ({ name, parametersJsonSchema: schema }))
      const method = streams ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const contents = [{ role: 'user', parts: [{ text: prompt }] }]
      const body = { contents, systemInstruction: { parts: [{ text: system }] }, tools: [{ functionDeclarations: functions }], ...more }
      return { path: `/v1beta/models/m:${method}`, body }
    }
  }
}

/** The JSON of every event, in order; `[DONE]` is left out. */
export function eventsIn(text: string): Json[] {
  const data = text.split('\n\n').flatMap((block) => block.split('\n').filter((line) => line.startsWith('data: ')))
  return data.map((line) => line.slice(6)).filter((line) => line !== '[DONE]').map((line) => recordOf(JSON.parse(line)))
}

/** Reads a whole answer or the text of a stream as a real client would. */
export async function hear(protocol: ProtocolName, response: Response): Promise<Heard> {
  const text = await response.text()
  const streams = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
  const all = streams ? eventsIn(text) : [recordOf(JSON.parse(text))]
  return { chat: heardChat, responses: heardResponses, messages: heardMessages, gemini: heardGemini }[protocol](all)
}

function joined(values: readonly unknown[]): string {
  return values.map(stringOf).join('')
}

function heardChat(all: readonly Json[]): Heard {
  const choices = all.flatMap((one) => recordsOf(one.choices))
  const said = choices.map((choice) => recordOf(choice.message ?? choice.delta))
  const lists = said.map((message) => recordsOf(message.tool_calls))
  const pieces = lists.flatMap((list) => list.map((call, n) => ({ index: call.index ?? n, call: recordOf(call.function) })))
  const calls = [...new Set(pieces.map(({ index }) => index))].map((index) => {
    const own = pieces.filter((piece) => piece.index === index).map(({ call }) => call)
    return { name: joined(own.map(({ name }) => name)), input: JSON.parse(joined(own.map((call) => call.arguments))) as unknown }
  })
  return {
    text: joined(said.map(({ content }) => content)),
    reasoning: joined(said.map((message) => message.reasoning_content)),
    calls,
    stop: joined(choices.map((choice) => choice.finish_reason)),
    usage: all.find((one) => isRecord(one.usage))?.usage ?? null,
  }
}

function heardResponses(all: readonly Json[]): Heard {
  const last = recordOf(all.at(-1)?.response ?? all.at(-1))
  const deltas = (type: string) => joined(all.filter((one) => one.type === type).map(({ delta }) => delta))
  const items = recordsOf(last.output)
  const ofType = (type: string) => items.filter((item) => item.type === type)
  const inItems = (type: string, list: string) => joined(ofType(type).flatMap((item) => recordsOf(item[list]).map(({ text }) => text)))
  const streamed = all.length > 1
  return {
    text: streamed ? deltas('response.output_text.delta') : inItems('message', 'content'),
    reasoning: streamed ? deltas('response.reasoning_summary_text.delta') : inItems('reasoning', 'summary'),
    calls: ofType('function_call').map((item) => ({ name: stringOf(item.name), input: JSON.parse(stringOf(item.arguments)) as unknown })),
    stop: stringOf(last.status),
    usage: last.usage ?? null,
  }
}

function heardMessages(all: readonly Json[]): Heard {
  if (all.length === 1) return heardMessage(recordOf(all[0]))
  const starts = all.filter(({ type }) => type === 'content_block_start')
  const content = starts.map(({ index, content_block: block }) => {
    const deltas = all.filter((one) => one.type === 'content_block_delta' && one.index === index).map(({ delta }) => recordOf(delta))
    const text = (key: string) => joined(deltas.map((delta) => delta[key]))
    const json = text('partial_json')
    const input = json === '' ? {} : { input: JSON.parse(json) as unknown }
    return { ...recordOf(block), text: text('text'), thinking: text('thinking'), ...input }
  })
  const last = all.find(({ type }) => type === 'message_delta') ?? {}
  return heardMessage({ content, stop_reason: recordOf(last.delta).stop_reason, usage: last.usage })
}

function heardMessage({ content, stop_reason: stop, usage }: Json): Heard {
  const blocks = recordsOf(content)
  return {
    text: joined(blocks.filter(({ type }) => type === 'text').map(({ text }) => text)),
    reasoning: joined(blocks.filter(({ type }) => type === 'thinking').map(({ thinking }) => thinking)),
    calls: blocks.filter(({ type }) => type === 'tool_use').map(({ name, input }) => ({ name: stringOf(name), input })),
    stop: stringOf(stop),
    usage: usage ?? null,
  }
}

function heardGemini(all: readonly Json[]): Heard {
  const candidates = all.flatMap((one) => recordsOf(one.candidates))
  const parts = candidates.flatMap((candidate) => recordsOf(recordOf(candidate.content).parts))
  const calls = parts.map((part) => recordOf(part.functionCall)).filter(({ name }) => name !== undefined)
  return {
    text: joined(parts.filter((part) => part.thought !== true).map(({ text }) => text)),
    reasoning: joined(parts.filter((part) => part.thought === true).map(({ text }) => text)),
    calls: calls.map(({ name, args }) => ({ name: stringOf(name), input: args })),
    stop: joined(candidates.map((candidate) => candidate.finishReason)),
    usage: all.find((one) => isRecord(one.usageMetadata))?.usageMetadata ?? null,
  }
}
