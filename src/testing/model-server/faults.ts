// Everything that can go wrong with a model, by name: as an error, as a change to the answer, or as a change to how it is sent.
import { brokenCalls, cutShort, emptyAnswer, filtered, refused, strangeCalls } from './fault-replies.js'
import * as wire from './fault-wire.js'
import type { Sending } from './sending.js'
import type { ErrorKind, ModelTool, Reply } from './types.js'

/** `retryAfter`: in which form the waiting time is told. `page`: a proxy's HTML instead of the protocol's own error. */
type StatusFault = { does: 'status'; status: number; kind: ErrorKind; message: string; retryAfter?: 'seconds' | 'date'; page?: true }
type ReplyFault = { does: 'reply'; change(reply: Reply, tools: readonly ModelTool[]): Reply }
type WireFault = { does: 'wire'; change(sending: Sending, means: wire.WireMeans): Sending }
export type Fault = StatusFault | ReplyFault | WireFault

function status(status: number, kind: ErrorKind, message: string, more: Pick<StatusFault, 'retryAfter' | 'page'> = {}): StatusFault {
  return { does: 'status', status, kind, message, ...more }
}

function inReply(change: ReplyFault['change']): ReplyFault {
  return { does: 'reply', change }
}

function onWire(change: WireFault['change']): WireFault {
  return { does: 'wire', change }
}

const FAULTS = {
  'bad-request': status(400, 'bad-request', 'The request is not valid.'),
  'context-too-long': status(400, 'context', 'The prompt is too long: 250000 tokens, and the maximum context length is 200000 tokens.'),
  unauthorised: status(401, 'unauthorised', 'The API key is not valid.'),
  forbidden: status(403, 'forbidden', 'This key may not use the model.'),
  'not-found': status(404, 'not-found', 'The model does not exist.'),
  'too-large': status(413, 'too-large', 'The request is larger than is allowed.'),
  'rate-limited': status(429, 'rate', 'Too many requests.'),
  'rate-limited-seconds': status(429, 'rate', 'Too many requests.', { retryAfter: 'seconds' }),
  'rate-limited-date': status(429, 'rate', 'Too many requests.', { retryAfter: 'date' }),
  'quota-used-up': status(429, 'quota', 'You have used up your quota.'),
  'server-error': status(500, 'internal', 'Something went wrong in the server.'),
  'bad-gateway': status(502, 'gateway', 'Bad gateway', { page: true }),
  unavailable: status(503, 'unavailable', 'The service is not available at the moment.'),
  'gateway-timeout': status(504, 'timeout', 'The model took too long.'),
  overloaded: status(529, 'overloaded', 'Overloaded'),
  hang: onWire(wire.hang),
  'hang-midway': onWire(wire.hangMidway),
  reset: onWire(wire.reset),
  cut: onWire(wire.cut),
  refuse: onWire(wire.refuse),
  'slow-drip': onWire(wire.slowDrip),
  endless: onWire(wire.endless),
  'wrong-content-type': onWire(wire.wrongContentType),
  'empty-body': onWire(wire.emptyBody),
  'invalid-json': onWire(wire.invalidJson),
  'truncated-json': onWire(wire.truncatedJson),
  'garbage-events': onWire(wire.garbage),
  'no-terminal': onWire(wire.noTerminal),
  'duplicate-terminal': onWire(wire.duplicateTerminal),
  'huge-line': onWire(wire.hugeLine),
  'error-midway': onWire(wire.errorMidway),
  'empty-choices': inReply((reply) => ({ ...reply, choices: 'none' })),
  'empty-answer': inReply(emptyAnswer),
  'usage-missing': inReply((reply) => ({ ...reply, usage: null })),
  length: inReply(cutShort),
  'content-filter': inReply(filtered),
  refusal: inReply(refused),
  'malformed-call': inReply(brokenCalls),
  'unknown-tool': inReply(strangeCalls),
} as const satisfies Record<string, Fault>

/** Ways in which a turn goes wrong: by status, by what is said, or on the wire. */
export type FaultKind = keyof typeof FAULTS

/** Every kind of fault, for tests that try them all. */
export const MODEL_FAULTS = Object.keys(FAULTS) as readonly FaultKind[]

export function faultOf(kind: FaultKind): Fault {
  return FAULTS[kind]
}
