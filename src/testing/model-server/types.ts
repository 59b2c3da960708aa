// The nouns of the scripted model server: what a script says, what a request asks, what an answer is made of.
import type { FaultKind } from './faults.js'

export type ProtocolName = 'chat' | 'responses' | 'messages' | 'gemini'

/** `input` counts all of the prompt, cached or not; `output` counts all that was made, reasoning as well. */
export type ModelUsage = { input: number; output: number; cachedInput?: number; reasoning?: number }

/** With text as its input the call is one of a tool that takes no JSON. */
export type ModelToolCall = { name: string; input: Record<string, unknown> | string }

/** What is to be done, whatever the client calls its tools. */
export type ModelIntent = {
  write?: { path: string; content: string }
  edit?: { path: string; old: string; new: string }
  read?: { path: string }
  shell?: string
}

export type ModelTurn = ModelIntent & {
  text?: string
  reasoning?: string
  toolCalls?: ModelToolCall[]
  usage?: ModelUsage
  fault?: FaultKind
  /** How many requests get this turn; 1 when left out. */
  times?: number
  /** Before the first byte. */
  delaySeconds?: number
  /** Between the pieces of a slow or endless answer. */
  pauseSeconds?: number
  retryAfterSeconds?: number
  /** How long the line of `huge-line` is. */
  sizeBytes?: number
  /** The words of an error. */
  message?: string
  headers?: Record<string, string>
}

export type ModelScript = {
  turns: readonly ModelTurn[] | ((request: ModelRequest) => ModelTurn)
  /** Past the last turn: `repeat` gives the last one again, `stop` refuses with status 400. */
  after?: 'repeat' | 'stop'
  /** Who asks: an `agent` offers tools, so that a request without any is beside the work; a `chat` client offers none. */
  client?: 'agent' | 'chat'
  /** For turns that name none. */
  usage?: ModelUsage
  models?: readonly string[]
}

/** `custom` tools take text; `schema` is the JSON Schema of a function's input. */
export type ModelTool = { name: string; kind: 'function' | 'custom'; schema: Record<string, unknown> }

/** A request for an answer, read into one shape whatever the protocol. */
export type ModelRequest = {
  protocol: ProtocolName
  model: string
  stream: 'events' | 'array' | 'none'
  /** In a stream of chat completions usage is told only to those who ask for it. */
  tellsUsage: boolean
  system: string
  /** The newest words of the user. */
  prompt: string
  /** How many answers with tool calls came after those. */
  rounds: number
  tools: readonly ModelTool[]
  maxTokens: number | null
  /** The JSON Schema that the answer has to fit. */
  answerSchema: Record<string, unknown> | null
  body: Record<string, unknown>
}

export type ReplyPart =
  | { kind: 'reasoning'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'refusal'; text: string }
  | { kind: 'call'; callId: string; name: string; input: string; takes: 'json' | 'text' }

export type Reply = {
  id: string
  model: string
  parts: readonly ReplyPart[]
  stop: 'end' | 'length' | 'filter' | 'refusal'
  usage: Required<ModelUsage> | null
  choices: 'one' | 'none'
}

/** One event of a stream; `terminal` ones tell the client that the answer is whole. */
export type StreamEvent = { event?: string; data: unknown; terminal?: true }

export type ErrorKind =
  | 'bad-request' | 'context' | 'unauthorised' | 'forbidden' | 'not-found' | 'too-large' | 'rate' | 'quota'
  | 'internal' | 'gateway' | 'unavailable' | 'timeout' | 'overloaded'

export type ModelError = { status: number; kind: ErrorKind; message: string; retryAfterSeconds?: number }

export type Protocol = {
  name: ProtocolName
  read(body: Record<string, unknown>, url: URL): Omit<ModelRequest, 'protocol' | 'body'>
  whole(reply: Reply): unknown
  events(reply: Reply): StreamEvent[]
  error(error: ModelError): unknown
  /** An error in the middle of a stream that began well. */
  errorEvent(error: ModelError): StreamEvent
}

/** `turn` and `side` asked for an answer; the others did not. */
export type RequestKind = 'turn' | 'side' | 'models' | 'count' | 'other'

export type RecordedRequest = {
  n: number
  method: string
  path: string
  /** Values that could be secret are replaced by `***`. */
  headers: Record<string, string>
  body: unknown
  kind: RequestKind
  /** Why it is taken for what `kind` says. */
  why: string
  protocol: ProtocolName | null
  /** Which turn of the script it got, counted from 1. */
  turn: number | null
  fault: FaultKind | null
  /** The tools that the answer called. */
  calls: readonly string[]
  status: number
  /** How it ended: `open` until it has; `left` when the client went away first. */
  ending: 'open' | 'sent' | 'cut' | 'left'
}

/** What whole answers said they had used: for turns of the script, and for requests beside the work. */
export type ServedTokens = { turns: Required<ModelUsage>; side: Required<ModelUsage> }

export type ModelServer = {
  /** Without a path: `http://127.0.0.1:PORT`. */
  url: string
  requests: readonly RecordedRequest[]
  served: ServedTokens
  close(): Promise<void>
}
