// From a turn and a request to what is sent: the reply is made, then the turn's fault changes it.
import { faultOf, type Fault } from './faults.js'
import { callsOf } from './intent.js'
import { answerSending, errorSending, eventText, type Sending } from './sending.js'
import type { ModelError, ModelRequest, ModelTurn, ModelUsage, Protocol, Reply, ReplyPart } from './types.js'

export type Planned = { sending: Sending; calls: readonly string[]; trouble: string }

const DEFAULT_USAGE: ModelUsage = { input: 100, output: 20 }
const DEFAULT_TEXT = 'All of it is done.'
const DEFAULT_RETRY_SECONDS = 1

export function plan(turn: ModelTurn, request: ModelRequest, protocol: Protocol, usage: ModelUsage = DEFAULT_USAGE): Planned {
  const fault = turn.fault === undefined ? null : faultOf(turn.fault)
  if (fault?.does === 'status') return { sending: statusSending(fault, turn, protocol), calls: [], trouble: '' }
  const { reply: intended, trouble } = replyTo(turn, request, usage)
  const reply = fault?.does === 'reply' ? fault.change(intended, request.tools) : intended
  const sending = answerSending(protocol, reply, request.stream)
  const calls = reply.parts.flatMap((part) => (part.kind === 'call' ? [part.name] : []))
  const withHeaders = { ...sending, headers: { ...sending.headers, ...turn.headers } }
  if (fault?.does !== 'wire') return { sending: withHeaders, calls, trouble }
  return { sending: fault.change(withHeaders, { turn, errorText: errorText(turn, request, protocol) }), calls, trouble }
}

function statusSending(fault: Extract<Fault, { does: 'status' }>, turn: ModelTurn, protocol: Protocol): Sending {
  const { status, kind, retryAfter, page, message: usual } = fault
  const message = turn.message ?? usual
  const seconds = turn.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS
  const headers = { ...(retryAfter ? { 'retry-after': retryAfterText(retryAfter, seconds) } : {}), ...turn.headers }
  const error = { status, kind, message, ...(retryAfter ? { retryAfterSeconds: seconds } : {}) }
  const sending = errorSending(protocol, error, headers)
  if (!page) return sending
  const html = `<html><head><title>${status} ${message}</title></head><body><h1>${status} ${message}</h1></body></html>\n`
  return { ...sending, headers: { 'content-type': 'text/html', ...headers }, pieces: [{ text: html, terminal: true }] }
}

function retryAfterText(form: 'seconds' | 'date', seconds: number): string {
  return form === 'seconds' ? String(seconds) : new Date(Date.now() + seconds * 1000).toUTCString()
}

function errorText(turn: ModelTurn, request: ModelRequest, protocol: Protocol): string {
  const error: ModelError = { status: 500, kind: 'overloaded', message: turn.message ?? 'Overloaded' }
  return request.stream === 'events' ? eventText(protocol.errorEvent(error)) : JSON.stringify(protocol.error(error))
}

let replies = 0

function replyTo(turn: ModelTurn, request: ModelRequest, usage: ModelUsage): { reply: Reply; trouble: string } {
  const { calls, trouble } = callsOf(turn, request)
  replies += 1
  const id = `scripted${String(replies).padStart(6, '0')}`
  const spoken = trouble === '' ? turn.text : trouble
  const parts: ReplyPart[] = [
    ...(turn.reasoning === undefined ? [] : [{ kind: 'reasoning' as const, text: turn.reasoning }]),
    ...(spoken === undefined && calls.length > 0 ? [] : [{ kind: 'text' as const, text: spoken ?? DEFAULT_TEXT }]),
    ...calls.map(({ name, input }, n) => callPart(`call_${id}_${n}`, name, input)),
  ]
  const counted = { cachedInput: 0, reasoning: 0, ...(turn.usage ?? usage) }
  return { reply: { id, model: request.model, parts, stop: 'end', usage: request.tellsUsage ? counted : null, choices: 'one' }, trouble }
}

function callPart(callId: string, name: string, input: Record<string, unknown> | string): ReplyPart {
  return typeof input === 'string'
    ? { kind: 'call', callId, name, input, takes: 'text' }
    : { kind: 'call', callId, name, input: JSON.stringify(input), takes: 'json' }
}
