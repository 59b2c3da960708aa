// One HTTP request to a model's server. Node's own client instead of fetch, whose limit of five minutes for the first byte
// cannot be raised: a large prompt takes a small machine longer, and how long we wait is for the session's limits to say.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

export type Sending = { method: 'GET' | 'POST'; url: URL; headers: Readonly<Record<string, string>>; body?: string; signal: AbortSignal }

const MOST_REDIRECTS = 3
/** Those that ask for the same request again. The others would make a GET of it. */
const SAME_AGAIN = new Set([307, 308])

export type Reached = { kind: 'response'; response: IncomingMessage } | { kind: 'elsewhere'; where: string }

/** Rejects with what Node says when no answer begins. A redirect is followed on the same host alone: the key is meant for no other. */
export async function send(sending: Sending): Promise<Reached> {
  let url = sending.url
  for (let redirects = 0; ; redirects++) {
    const response = await sendOnce({ ...sending, url })
    const { statusCode = 0, headers } = response
    if (statusCode < 300 || statusCode > 399) return { kind: 'response', response }
    response.destroy()
    const next = URL.canParse(headers.location ?? '', url.href) ? new URL(headers.location ?? '', url.href) : null
    if (next === null || next.origin !== url.origin || !SAME_AGAIN.has(statusCode) || redirects === MOST_REDIRECTS) {
      return { kind: 'elsewhere', where: next?.origin ?? 'nowhere' }
    }
    url = next
  }
}

function sendOnce({ method, url, headers, body, signal }: Sending): Promise<IncomingMessage> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    // A connection of its own: ending it ends the request, and nothing stale is used again.
    const request = start(url, { method, headers: { ...headers, ...length, 'accept-encoding': 'identity' }, agent: false, signal })
    request.once('response', resolve)
    // Later ones, when the request is ended while its answer is read, are told by the answer.
    request.on('error', reject)
    request.end(body)
  })
}

/** Told of each piece; `enough` ends it before the connection does. */
export type OnText = (text: string, bytes: number) => 'enough' | void

/** Hands on the text of a body as it comes. False when there is more of it than `mostBytes`; rejects when it breaks off. */
export async function readBody(response: IncomingMessage, mostBytes: number, onText: OnText): Promise<boolean> {
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostBytes) {
      response.destroy()
      return false
    }
    if (onText(decoder.decode(chunk, { stream: true }), chunk.length) === 'enough') {
      response.destroy()
      return true
    }
  }
  const rest = decoder.decode()
  if (rest !== '') onText(rest, 0)
  return true
}
