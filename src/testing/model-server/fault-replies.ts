// Faults of the answer itself: the protocol is kept, and what is said is of no use.
import type { ModelTool, Reply, ReplyPart } from './types.js'

type Call = Extract<ReplyPart, { kind: 'call' }>

/** The model ran out of room: its last part stops in the middle. */
export function cutShort(reply: Reply): Reply {
  const last = reply.parts.at(-1)
  return { ...reply, stop: 'length', parts: last ? [...reply.parts.slice(0, -1), halfOf(last)] : [] }
}

function halfOf(part: ReplyPart): ReplyPart {
  const half = (text: string) => text.slice(0, Math.ceil(text.length / 2))
  return part.kind === 'call' ? { ...part, input: half(part.input) } : { ...part, text: half(part.text) }
}

export function filtered(reply: Reply): Reply {
  return { ...reply, stop: 'filter', parts: reply.parts.filter(({ kind }) => kind === 'text').map(halfOf) }
}

export function refused(reply: Reply): Reply {
  return { ...reply, stop: 'refusal', parts: [{ kind: 'refusal', text: 'I cannot help with that.' }] }
}

export function emptyAnswer(reply: Reply): Reply {
  return { ...reply, parts: [] }
}

/** The input of every call breaks off, though the model says that it is finished. */
export function brokenCalls(reply: Reply, tools: readonly ModelTool[]): Reply {
  return { ...reply, parts: withCall(reply, tools).map((part) => (part.kind === 'call' ? halfOf(part) : part)) }
}

export function strangeCalls(reply: Reply, tools: readonly ModelTool[]): Reply {
  return { ...reply, parts: withCall(reply, tools).map((part) => (part.kind === 'call' ? { ...part, name: 'no_such_tool' } : part)) }
}

function withCall(reply: Reply, tools: readonly ModelTool[]): readonly ReplyPart[] {
  if (reply.parts.some(({ kind }) => kind === 'call')) return reply.parts
  const name = tools.find(({ kind }) => kind === 'function')?.name ?? 'shell'
  const call: Call = { kind: 'call', callId: `call_${reply.id}_x`, name, input: '{"command":"true"}', takes: 'json' }
  return [...reply.parts, call]
}
