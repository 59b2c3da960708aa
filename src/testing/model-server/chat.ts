// The protocol of OpenAI Chat Completions, as LM Studio, Ollama, vLLM and many agents speak it.
import { newestAsk, piecesOf, type Spoken } from './conversation.js'
import { openAiError } from './errors.js'
import { isRecord, numberOrNull, recordOf, recordsOf, stringOf, textOf, type Json } from './json.js'
import type { ModelTool, Protocol, Reply, ReplyPart, StreamEvent } from './types.js'

export const chat: Protocol = {
  name: 'chat',
  read(body) {
    const messages = recordsOf(body.messages)
    const schema = recordOf(recordOf(body.response_format).json_schema).schema
    const stream = body.stream === true ? 'events' : 'none'
    return {
      ...newestAsk(messages.flatMap(spokenIn)),
      model: stringOf(body.model),
      stream,
      tellsUsage: stream === 'none' || recordOf(body.stream_options).include_usage === true,
      system: messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ content }) => textOf(content)).join('\n'),
      tools: recordsOf(body.tools).map(toolOf),
      maxTokens: numberOrNull(body.max_completion_tokens) ?? numberOrNull(body.max_tokens),
      answerSchema: isRecord(schema) ? schema : null,
    }
  },
  whole(reply) {
    const message = { role: 'assistant', content: contentOf(reply), ...reasoningOf(reply), ...refusalOf(reply), ...callsOf(reply) }
    const choices = reply.choices === 'none' ? [] : [{ index: 0, message, finish_reason: finishOf(reply), logprobs: null }]
    return { ...headOf(reply, 'chat.completion'), choices, ...usageOf(reply) }
  },
  events,
  error: openAiError,
  errorEvent: (error) => ({ data: openAiError(error) }),
}

function spokenIn({ role, content, tool_calls: calls }: Json): Spoken[] {
  if (role === 'user') return [{ by: 'user', text: textOf(content), calls: 0 }]
  return role === 'assistant' ? [{ by: 'model', text: textOf(content), calls: recordsOf(calls).length }] : []
}

function toolOf(tool: Json): ModelTool {
  const { name, parameters } = recordOf(tool.function)
  return { name: stringOf(name), kind: 'function', schema: recordOf(parameters) }
}

function events(reply: Reply): StreamEvent[] {
  const head = headOf(reply, 'chat.completion.chunk')
  const chunk = (delta: Json, finish: string | null = null) => ({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })
  const usage: StreamEvent[] = reply.usage ? [{ data: { ...head, choices: [], ...usageOf(reply) }, terminal: true }] : []
  const done: StreamEvent = { data: '[DONE]', terminal: true }
  if (reply.choices === 'none') return [{ data: { ...head, choices: [] } }, ...usage, done]
  const calls = reply.parts.filter((part) => part.kind === 'call')
  const deltas = reply.parts.flatMap((part) => deltasOf(part, part.kind === 'call' ? calls.indexOf(part) : 0))
  const opened = [{ role: 'assistant', content: '' }, ...deltas].map((delta) => ({ data: chunk(delta) }))
  return [...opened, { data: chunk({}, finishOf(reply)), terminal: true }, ...usage, done]
}

function deltasOf(part: ReplyPart, index: number): Json[] {
  switch (part.kind) {
    case 'reasoning':
      return piecesOf(part.text).map((piece) => ({ reasoning_content: piece }))
    case 'text':
      return piecesOf(part.text).map((piece) => ({ content: piece }))
    case 'refusal':
      return piecesOf(part.text).map((piece) => ({ refusal: piece }))
    case 'call': {
      const opening = { index, id: part.callId, type: 'function', function: { name: part.name, arguments: '' } }
      const rest = piecesOf(part.input).map((piece) => ({ index, function: { arguments: piece } }))
      return [opening, ...rest].map((call) => ({ tool_calls: [call] }))
    }
  }
}

function headOf(reply: Reply, object: string): Json {
  return { id: `chatcmpl-${reply.id}`, object, created: Math.floor(Date.now() / 1000), model: reply.model }
}

function joined(reply: Reply, kind: 'text' | 'reasoning' | 'refusal'): string {
  return reply.parts.map((part) => (part.kind === kind ? part.text : '')).join('')
}

function contentOf(reply: Reply): string | null {
  return reply.parts.some(({ kind }) => kind === 'text') ? joined(reply, 'text') : null
}

function reasoningOf(reply: Reply): Json {
  const text = joined(reply, 'reasoning')
  return text === '' ? {} : { reasoning_content: text }
}

function refusalOf(reply: Reply): Json {
  const text = joined(reply, 'refusal')
  return { refusal: text === '' ? null : text }
}

function callsOf(reply: Reply): Json {
  const calls = reply.parts.flatMap((part) =>
    part.kind === 'call' ? [{ id: part.callId, type: 'function', function: { name: part.name, arguments: part.input } }] : [],
  )
  return calls.length === 0 ? {} : { tool_calls: calls }
}

function finishOf({ stop, parts }: Reply): string {
  if (stop === 'length') return 'length'
  if (stop === 'filter') return 'content_filter'
  return parts.some(({ kind }) => kind === 'call') ? 'tool_calls' : 'stop'
}

function usageOf({ usage }: Reply): Json {
  if (!usage) return {}
  return {
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cachedInput },
      completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
  }
}
