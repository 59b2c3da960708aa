// The protocol of OpenAI Responses, which Codex speaks.
import { newestAsk, piecesOf, wordsIn, type Spoken } from './conversation.js'
import { openAiError } from './errors.js'
import { isRecord, numberOrNull, recordOf, recordsOf, stringOf, textOf, type Json } from './json.js'
import type { ModelTool, Protocol, Reply, ReplyPart, StreamEvent } from './types.js'

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call'])

export const responses: Protocol = {
  name: 'responses',
  read(body) {
    const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : recordsOf(body.input)
    const schema = recordOf(recordOf(body.text).format).schema
    const rules = items.filter(({ role }) => role === 'system' || role === 'developer').map(({ content }) => textOf(content))
    return {
      ...newestAsk(items.flatMap((item, n) => spokenIn(item, items[n - 1]))),
      model: stringOf(body.model),
      stream: body.stream === true ? 'events' : 'none',
      tellsUsage: true,
      system: [stringOf(body.instructions), ...rules].join('\n'),
      tools: recordsOf(body.tools).flatMap(toolsIn),
      maxTokens: numberOrNull(body.max_output_tokens),
      answerSchema: isRecord(schema) ? schema : null,
    }
  },
  whole: (reply) => responseOf(reply, 'ended'),
  events,
  error: openAiError,
  errorEvent: (error) => {
    const { code, message } = recordOf(openAiError(error).error)
    return { event: 'response.failed', data: { type: 'response.failed', response: { status: 'failed', error: { code, message } } } }
  },
}

/** Calls that stand next to each other were made by one answer. */
function spokenIn(item: Json, before: Json | undefined): Spoken[] {
  if (item.role === 'user') return [{ by: 'user', text: wordsIn(textsOf(item.content)), calls: 0 }]
  const isCall = (one: Json | undefined) => CALLS.has(stringOf(one?.type))
  return isCall(item) ? [{ by: 'model', text: '', calls: isCall(before) ? 0 : 1 }] : []
}

function textsOf(content: unknown): string[] {
  return typeof content === 'string' ? [content] : recordsOf(content).map((part) => stringOf(part.text))
}

function toolsIn(tool: Json): ModelTool[] {
  if (tool.type === 'namespace') return recordsOf(tool.tools).flatMap(toolsIn)
  const name = stringOf(tool.name)
  if (name === '') return []
  return [{ name, kind: tool.type === 'custom' ? 'custom' : 'function', schema: recordOf(tool.parameters) }]
}

function itemsOf(reply: Reply): Json[] {
  return reply.parts.map((part, n) => itemOf(part, `${reply.id}_${n}`))
}

function itemOf(part: ReplyPart, id: string): Json {
  const status = 'completed'
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status }
  switch (part.kind) {
    case 'reasoning':
      return { type: 'reasoning', id: `rs_${id}`, summary: [{ type: 'summary_text', text: part.text }] }
    case 'text':
      return { ...message, content: [{ type: 'output_text', text: part.text, annotations: [] }] }
    case 'refusal':
      return { ...message, content: [{ type: 'refusal', refusal: part.text }] }
    case 'call':
      return part.takes === 'text'
        ? { type: 'custom_tool_call', id: `ctc_${id}`, call_id: part.callId, name: part.name, input: part.input, status }
        : { type: 'function_call', id: `fc_${id}`, call_id: part.callId, name: part.name, arguments: part.input, status }
  }
}

function responseOf(reply: Reply, state: 'begun' | 'ended'): Json {
  const cutShort = reply.stop === 'length' ? 'max_output_tokens' : reply.stop === 'filter' ? 'content_filter' : null
  const ended = state === 'ended'
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: reply.model,
    status: !ended ? 'in_progress' : cutShort ? 'incomplete' : 'completed',
    incomplete_details: ended && cutShort ? { reason: cutShort } : null,
    error: null,
    output: ended && reply.choices === 'one' ? itemsOf(reply) : [],
    usage: ended ? usageOf(reply) : null,
  }
}

function usageOf({ usage }: Reply): Json | null {
  if (!usage) return null
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedInput },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}

function events(reply: Reply): StreamEvent[] {
  const items = reply.choices === 'one' ? itemsOf(reply) : []
  const last = responseOf(reply, 'ended')
  const all = [
    { type: 'response.created', response: responseOf(reply, 'begun') },
    ...items.flatMap((item, n) => itemEvents(item, n)),
    { type: `response.${stringOf(last.status)}`, response: last },
  ]
  return all.map((data, n) => ({
    event: data.type,
    data: { ...data, sequence_number: n },
    ...(n === all.length - 1 ? { terminal: true as const } : {}),
  }))
}

type Typed = Json & { type: string }

function itemEvents(item: Json, index: number): Typed[] {
  const empty = { ...item, status: 'in_progress', ...emptied(item) }
  return [
    { type: 'response.output_item.added', output_index: index, item: empty },
    ...innerEvents(item, { item_id: item.id, output_index: index }),
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

function emptied(item: Json): Json {
  switch (item.type) {
    case 'message':
      return { content: [] }
    case 'reasoning':
      return { summary: [] }
    case 'function_call':
      return { arguments: '' }
    default:
      return { input: '' }
  }
}

function innerEvents(item: Json, where: Json): Typed[] {
  switch (item.type) {
    case 'message':
      return messageEvents(recordsOf(item.content)[0] ?? {}, { ...where, content_index: 0 })
    case 'reasoning':
      return summaryEvents(textOf(item.summary), { ...where, summary_index: 0 })
    case 'function_call':
      return streamed('response.function_call_arguments', stringOf(item.arguments), 'arguments', where)
    default:
      return streamed('response.custom_tool_call_input', stringOf(item.input), 'input', where)
  }
}

function messageEvents(part: Json, where: Json): Typed[] {
  const refused = part.type === 'refusal'
  const [text, key] = refused ? [stringOf(part.refusal), 'refusal'] : [stringOf(part.text), 'text']
  return [
    { type: 'response.content_part.added', ...where, part: { ...part, [key]: '' } },
    ...streamed(refused ? 'response.refusal' : 'response.output_text', text, key, where),
    { type: 'response.content_part.done', ...where, part },
  ]
}

function summaryEvents(text: string, where: Json): Typed[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...where, part: { type: 'summary_text', text: '' } },
    ...streamed('response.reasoning_summary_text', text, 'text', where),
    { type: 'response.reasoning_summary_part.done', ...where, part: { type: 'summary_text', text } },
  ]
}

function streamed(name: string, text: string, key: string, where: Json): Typed[] {
  return [...piecesOf(text).map((delta) => ({ type: `${name}.delta`, ...where, delta })), { type: `${name}.done`, ...where, [key]: text }]
}
