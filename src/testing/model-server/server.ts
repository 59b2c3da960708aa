// A model that follows a script, behind a real HTTP server on loopback: every request is answered by the script and recorded.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isRecord } from './json.js'
import { plan } from './plan.js'
import { newRecord } from './record.js'
import { modelList, routeOf, tokenCount, type Route } from './routes.js'
import { checkedScript, turnsOf, type Taken } from './script.js'
import { pause, send } from './send.js'
import { jsonSending, type Sending } from './sending.js'
import { sideReason, sideTurn } from './side.js'
import type { ModelRequest, ModelScript, ModelServer, ModelUsage, Protocol, RecordedRequest, ServedTokens } from './types.js'

/** What a scripted model server is started with. */
export type ModelServerOptions = {
  /** What it answers. */
  script: ModelScript
  /** 0, or nothing, for any free one. */
  port?: number
  /** Told of each request once it has ended. */
  log?: (request: RecordedRequest) => void
}

type State = {
  script: ModelScript
  next: (request: ModelRequest) => Taken
  requests: RecordedRequest[]
  served: ServedTokens
  closing: AbortController
  log: (request: RecordedRequest) => void
  stop: () => Promise<void>
}

const LARGEST_BODY_BYTES = 64 * 1024 * 1024
const MODELS = ['scripted']

/** Throws Refusal for a script that cannot be followed, and what Node throws when the port is taken. */
export async function startModelServer({ script, port = 0, log = () => {} }: ModelServerOptions): Promise<ModelServer> {
  const checked = checkedScript(script)
  const server = createServer((request, response) => void serve(state, request, response))
  const served = { turns: { ...NOTHING }, side: { ...NOTHING } }
  const state: State = { script: checked, next: turnsOf(checked), requests: [], served, closing: new AbortController(), log, stop }
  server.on('upgrade', (request, socket) => {
    record(state, request, '', { why: 'it asks for another protocol', status: 426, ending: 'sent' })
    socket.end('HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function stop(): Promise<void> {
    state.closing.abort()
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return { url, requests: state.requests, served, close: stop }
}

const NOTHING: Required<ModelUsage> = { input: 0, output: 0, cachedInput: 0, reasoning: 0 }

function record(state: State, request: IncomingMessage, text: string, more: Partial<RecordedRequest> = {}): RecordedRequest {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const entry = { ...newRecord(state.requests.length + 1, request.method ?? '', url, request.headers, text), ...more }
  state.requests.push(entry)
  return entry
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A client that goes away while it is written to is nothing to be told of.
  response.on('error', () => {})
  const text = await bodyOf(request).catch(() => null)
  if (text === null) return
  const entry = record(state, request, text)
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const { sending, delaySeconds } = answer(state, entry, url)
  entry.status = sending.status ?? 0
  if (delaySeconds > 0) await pause(delaySeconds, goneOr(state.closing.signal, response))
  entry.ending = await send(response, sending, state.closing.signal)
  if (entry.ending === 'sent' && sending.tells) add(state.served[entry.kind === 'side' ? 'side' : 'turns'], sending.tells)
  if (sending.ending === 'refuse') await state.stop()
  state.log(entry)
}

/** Nobody is waited for who has gone away. */
function goneOr(closing: AbortSignal, response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return AbortSignal.any([closing, gone.signal])
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= LARGEST_BODY_BYTES) chunks.push(chunk)
  }
  return decoded(Buffer.concat(chunks), request.headers['content-encoding']).toString('utf8')
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'deflate') return inflateSync(body)
  return encoding === 'br' ? brotliDecompressSync(body) : body
}

type Answer = { sending: Sending; delaySeconds: number }

function answer(state: State, entry: RecordedRequest, url: URL): Answer {
  const route = routeOf(entry.method, url.pathname)
  if (route.kind === 'answer' && isRecord(entry.body)) return modelAnswer(state, entry, entry.body, url, route.protocol)
  return { sending: plainAnswer(state, entry, route), delaySeconds: 0 }
}

function plainAnswer(state: State, entry: RecordedRequest, route: Route): Sending {
  entry.kind = route.kind === 'answer' ? 'other' : route.kind
  switch (route.kind) {
    case 'models':
      entry.why = 'it asks for the list of models'
      return jsonSending(200, modelList(route.of, state.script.models ?? MODELS))
    case 'count':
      entry.why = 'it asks for a count of tokens'
      return jsonSending(200, tokenCount(JSON.stringify(entry.body)))
    case 'answer':
      entry.why = 'its body is no JSON object'
      return jsonSending(400, { error: { message: entry.why, type: 'invalid_request_error' } })
    case 'other':
      entry.why = 'nothing is known at this path'
      return jsonSending(404, { error: { message: entry.why, type: 'not_found_error' } })
  }
}

function modelAnswer(state: State, entry: RecordedRequest, body: Record<string, unknown>, url: URL, protocol: Protocol): Answer {
  const request: ModelRequest = { ...protocol.read(body, url), protocol: protocol.name, body }
  const side = sideReason(request, state.script.client)
  const { turn, n } = side === null ? state.next(request) : { turn: sideTurn(request), n: null }
  const { sending, calls, trouble } = plan(turn, request, protocol, state.script.usage)
  Object.assign(entry, {
    kind: side === null ? 'turn' : 'side',
    why: side ?? trouble,
    protocol: protocol.name,
    turn: n,
    fault: turn.fault ?? null,
    calls,
  })
  return { sending, delaySeconds: turn.delaySeconds ?? 0 }
}

function add(sum: Required<ModelUsage>, more: Required<ModelUsage>): void {
  for (const key of ['input', 'output', 'cachedInput', 'reasoning'] as const) sum[key] += more[key]
}
