// The protocol of Anthropic Messages, which Claude Code speaks.
import { newestAsk, piecesOf, wordsIn, type Spoken } from './conversation.js'
import { anthropicError } from './errors.js'
import { isRecord, numberOrNull, parsedOr, recordOf, recordsOf, stringOf, textOf, type Json } from './json.js'
import type { ModelTool, Protocol, Reply, ReplyPart, StreamEvent } from './types.js'

export const messages: Protocol = {
  name: 'messages',
  read(body) {
    const schema = recordOf(recordOf(body.output_config).format ?? body.output_format).schema
    return {
      ...newestAsk(recordsOf(body.messages).flatMap(spokenIn)),
      model: stringOf(body.model),
      stream: body.stream === true ? 'events' : 'none',
      tellsUsage: true,
      system: textOf(body.system),
      tools: recordsOf(body.tools).map(toolOf),
      maxTokens: numberOrNull(body.max_tokens),
      answerSchema: isRecord(schema) ? schema : null,
    }
  },
  whole: (reply) => messageOf(reply, 'ended'),
  events,
  error: anthropicError,
  errorEvent: (error) => ({ event: 'error', data: anthropicError(error) }),
}

/** Results of tools come in the user's name and are none of their words. */
function spokenIn({ role, content }: Json): Spoken[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
  const calls = blocks.filter(({ type }) => type === 'tool_use').length
  if (role === 'assistant') return [{ by: 'model', text: textOf(blocks), calls }]
  if (blocks.some(({ type }) => type === 'tool_result')) return []
  return [{ by: 'user', text: wordsIn(blocks.map(({ text }) => stringOf(text))), calls: 0 }]
}

function toolOf(tool: Json): ModelTool {
  return { name: stringOf(tool.name), kind: 'function', schema: recordOf(tool.input_schema) }
}

function blockOf(part: ReplyPart): Json {
  switch (part.kind) {
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, signature: 'c2NyaXB0ZWQ=' }
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text }
    case 'call':
      return { type: 'tool_use', id: part.callId.replace('call', 'toolu'), name: part.name, input: parsedOr(part.input, part.input) }
  }
}

function messageOf(reply: Reply, state: 'begun' | 'ended'): Json {
  const ended = state === 'ended'
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: ended && reply.choices === 'one' ? reply.parts.map(blockOf) : [],
    stop_reason: ended ? stopOf(reply) : null,
    stop_sequence: null,
    ...usageOf(reply, ended ? (reply.usage?.output ?? 0) : 1),
  }
}

function stopOf({ stop, parts }: Reply): string {
  if (stop === 'length') return 'max_tokens'
  if (stop === 'filter' || stop === 'refusal') return 'refusal'
  return parts.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn'
}

/** Here what was cached is counted apart from the input. */
function usageOf({ usage }: Reply, output: number): Json {
  if (!usage) return {}
  return {
    usage: {
      input_tokens: usage.input - usage.cachedInput,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: usage.cachedInput,
      output_tokens: output,
    },
  }
}

function events(reply: Reply): StreamEvent[] {
  const parts = reply.choices === 'one' ? reply.parts : []
  const delta = { stop_reason: stopOf(reply), stop_sequence: null }
  return [
    typed({ type: 'message_start', message: messageOf(reply, 'begun') }),
    ...parts.flatMap((part, index) => blockEvents(part, index)),
    { ...typed({ type: 'message_delta', delta, ...usageOf(reply, reply.usage?.output ?? 0) }), terminal: true },
    { ...typed({ type: 'message_stop' }), terminal: true },
  ]
}

function typed(data: Json & { type: string }): StreamEvent {
  return { event: data.type, data }
}

function blockEvents(part: ReplyPart, index: number): StreamEvent[] {
  return [
    typed({ type: 'content_block_start', index, content_block: { ...blockOf(part), ...emptyBlock(part) } }),
    ...deltasOf(part).map((delta) => typed({ type: 'content_block_delta', index, delta })),
    typed({ type: 'content_block_stop', index }),
  ]
}

function emptyBlock(part: ReplyPart): Json {
  if (part.kind === 'call') return { input: {} }
  return part.kind === 'reasoning' ? { thinking: '', signature: '' } : { text: '' }
}

function deltasOf(part: ReplyPart): Json[] {
  switch (part.kind) {
    case 'reasoning': {
      const words = piecesOf(part.text).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
      return [...words, { type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' }]
    }
    case 'text':
    case 'refusal':
      return piecesOf(part.text).map((piece) => ({ type: 'text_delta', text: piece }))
    case 'call':
      return piecesOf(part.input).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
  }
}
