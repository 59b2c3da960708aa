// What goes over the wire for one request, as plain data: a fault changes it before anything is sent.
import type { ModelError, ModelUsage, Protocol, Reply, StreamEvent } from './types.js'

/** `terminal` pieces tell the client that the answer is whole. */
export type Piece = { text: string; terminal: boolean }

export type Sending = {
  /** Null: not even a status line is sent. */
  status: number | null
  headers: Record<string, string>
  pieces: readonly Piece[]
  pauseSeconds: number
  /** `refuse` stops the whole server, `endless` goes on with the last piece for ever. */
  ending: 'end' | 'hang' | 'destroy' | 'refuse' | 'endless'
  /** What the client is told it used. */
  tells: Required<ModelUsage> | null
  form: 'events' | 'array' | 'none'
}

const CONTENT_TYPES = { events: 'text/event-stream; charset=utf-8', array: 'application/json; charset=utf-8', none: 'application/json' }

export function answerSending(protocol: Protocol, reply: Reply, form: Sending['form']): Sending {
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPES[form], 'cache-control': 'no-cache' },
    pieces: form === 'none' ? halvesOf(JSON.stringify(protocol.whole(reply))) : streamPieces(protocol.events(reply), form),
    pauseSeconds: 0,
    ending: 'end',
    tells: reply.usage,
    form,
  }
}

export function errorSending(protocol: Protocol, error: ModelError, headers: Record<string, string>): Sending {
  return jsonSending(error.status, protocol.error(error), headers)
}

export function jsonSending(status: number, body: unknown, headers: Record<string, string> = {}): Sending {
  const piece = { text: JSON.stringify(body), terminal: true }
  const sent = { 'content-type': 'application/json', ...headers }
  return { status, headers: sent, pieces: [piece], pauseSeconds: 0, ending: 'end', tells: null, form: 'none' }
}

export function eventText({ event, data }: StreamEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

function streamPieces(events: readonly StreamEvent[], form: 'events' | 'array'): Piece[] {
  if (form === 'events') return events.map((event) => ({ text: eventText(event), terminal: event.terminal ?? false }))
  const items = events.map(({ data, terminal = false }, n) => ({ text: `${n === 0 ? '[' : ',\n'}${JSON.stringify(data)}`, terminal }))
  return [...items, { text: ']', terminal: true }]
}

/** A body that does not stream can be cut as well. */
function halvesOf(text: string): Piece[] {
  const middle = Math.ceil(text.length / 2)
  return [{ text: text.slice(0, middle), terminal: false }, { text: text.slice(middle), terminal: true }]
}
