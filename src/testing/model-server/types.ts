// The nouns of the scripted model server: what a script says, what a request asks, what an answer is made of.
import type { FaultKind } from './faults.js'

/** The dialects it speaks: chat completions, responses, messages, and Gemini's. */
export type ProtocolName = 'chat' | 'responses' | 'messages' | 'gemini'

/** `input` counts all of the prompt, cached or not; `output` counts all that was made, reasoning as well. */
export type ModelUsage = { input: number; output: number; cachedInput?: number; reasoning?: number }

/** With text as its input the call is one of a tool that takes no JSON. */
export type ModelToolCall = { name: string; input: Record<string, unknown> | string }

/** What is to be done, whatever the client calls its tools. */
export type ModelIntent = {
  /** A file to be written whole. */
  write?: { path: string; content: string }
  /** A piece of a file to be replaced. */
  edit?: { path: string; old: string; new: string }
  /** A file to be looked at. */
  read?: { path: string }
  /** A command line to be run. */
  shell?: string
}

/** One answer of the script: words, calls of tools, or a fault. With none of these it says that all is done. */
export type ModelTurn = ModelIntent & {
  /** What is said. */
  text?: string
  /** What is thought aloud before it. */
  reasoning?: string
  /** Calls by the very names of the client's tools, before those of intents. */
  toolCalls?: ModelToolCall[]
  /** What the answer says it used. */
  usage?: ModelUsage
  /** How it goes wrong. */
  fault?: FaultKind
  /** How many requests get this turn; 1 when left out. */
  times?: number
  /** Before the first byte. */
  delaySeconds?: number
  /** Between the pieces of a slow or endless answer. */
  pauseSeconds?: number
  /** With a fault that says when to come back: after how long; 1 when left out. */
  retryAfterSeconds?: number
  /** How long the line of `huge-line` is. */
  sizeBytes?: number
  /** The words of an error. */
  message?: string
  /** Headers of the response, besides the usual ones. */
  headers?: Record<string, string>
}

/** What is answered, turn after turn. */
export type ModelScript = {
  /** In the order they are given, or a function that makes the turn for each request. */
  turns: readonly ModelTurn[] | ((request: ModelRequest) => ModelTurn)
  /** Past the last turn: `repeat` gives the last one again, `stop` refuses with status 400. */
  after?: 'repeat' | 'stop'
  /** Who asks: an `agent` offers tools, so that a request without any is beside the work; a `chat` client offers none. */
  client?: 'agent' | 'chat'
  /** For turns that name none. */
  usage?: ModelUsage
  /** What the list of models has; `scripted` alone when left out. */
  models?: readonly string[]
}

/** `custom` tools take text; `schema` is the JSON Schema of a function's input. */
export type ModelTool = { name: string; kind: 'function' | 'custom'; schema: Record<string, unknown> }

/** A request for an answer, read into one shape whatever the protocol. */
export type ModelRequest = {
  /** The dialect it is in. */
  protocol: ProtocolName
  /** The model that is asked for. */
  model: string
  /** `events`: as server-sent events. `array`: as one JSON array, piece by piece. `none`: whole. */
  stream: 'events' | 'array' | 'none'
  /** In a stream of chat completions usage is told only to those who ask for it. */
  tellsUsage: boolean
  /** What stands before all that is said. */
  system: string
  /** The newest words of the user. */
  prompt: string
  /** How many answers with tool calls came after those. */
  rounds: number
  /** What the client offers. */
  tools: readonly ModelTool[]
  /** The most it wants to be answered with; null where it says nothing. */
  maxTokens: number | null
  /** The JSON Schema that the answer has to fit. */
  answerSchema: Record<string, unknown> | null
  /** All of it, as it came. */
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

/** What is kept of a request, and what became of it. */
export type RecordedRequest = {
  /** Its number, counted from 1. */
  n: number
  /** Of HTTP. */
  method: string
  /** With its query, in which values that could be secret are replaced. */
  path: string
  /** Values that could be secret are replaced by `***`. */
  headers: Record<string, string>
  /** As JSON, or as text where it is none. */
  body: unknown
  /** What it is taken for: `turn` and `side` ask for an answer. */
  kind: RequestKind
  /** Why it is taken for what `kind` says. */
  why: string
  /** The dialect it is in; null where it asks for no answer. */
  protocol: ProtocolName | null
  /** Which turn of the script it got, counted from 1. */
  turn: number | null
  /** The fault of that turn; null where it has none. */
  fault: FaultKind | null
  /** The tools that the answer called. */
  calls: readonly string[]
  /** Of the response; 0 while there is none, or where none is sent. */
  status: number
  /** How it ended: `open` until it has; `left` when the client went away first. */
  ending: 'open' | 'sent' | 'cut' | 'left'
}

/** What whole answers said they had used: for turns of the script, and for requests beside the work. */
export type ServedTokens = { turns: Required<ModelUsage>; side: Required<ModelUsage> }

/** A server that is running, and what it was asked so far. */
export type ModelServer = {
  /** Without a path: `http://127.0.0.1:PORT`. */
  url: string
  /** All so far, the newest last; one that is under way is filled in as it goes. */
  requests: readonly RecordedRequest[]
  served: ServedTokens
  /** Ends it and all that is under way. */
  close(): Promise<void>
}
