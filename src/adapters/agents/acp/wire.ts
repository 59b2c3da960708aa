// Messages over a pipe, one line of JSON each: whatever else comes is counted and left out, and nothing that comes fills the memory.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Pipe } from '../../../process/types.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import { isObject } from '../../../text/reply-json.js'

/** A whole file may be one message. */
const LONGEST_MESSAGE_CHARS = 8 * 1024 * 1024
/** Requests that have not been answered yet; past this the agent is not read until it takes its answers. */
const MOST_OPEN = 32

export type Wire = {
  /** For the library that speaks the protocol. */
  stream: Stream
  hear(text: string): void
  /** No more will come. */
  close(): void
  /** Lines that were no messages: how many, and the first of them. */
  strays(): { count: number; first: string }
}

/** `onNews` takes notifications at once, so that what was said before an answer is heard before it. */
export type WireHooks = { onNews: (method: string, params: unknown) => void; onTooLong: (note: string) => void }

export function openWire(pipe: Pipe, { onNews, onTooLong }: WireHooks): Wire {
  const strays = { count: 0, first: '' }
  const asked = new Set<unknown>()
  const open = new Set<unknown>()
  let incoming: ReadableStreamDefaultController<AnyMessage> | null = null
  const take = (message: Record<string, unknown>): void => {
    const { id, method, params } = message
    if (typeof method === 'string' && id === undefined) return onNews(method, params)
    // An answer to nothing that was asked is no message for the library: it would write about it to our terminal.
    if (typeof method !== 'string' && !asked.delete(id)) return void (strays.count += 1)
    if (typeof method === 'string' && open.add(id).size >= MOST_OPEN) pipe.hold()
    incoming?.enqueue(message as AnyMessage)
  }
  const feed = rawLineFeed((line) => {
    if (line.length >= LONGEST_MESSAGE_CHARS) return onTooLong(`it sent a message of more than ${LONGEST_MESSAGE_CHARS / 1024 / 1024} MiB`)
    if (line.trim() === '') return
    const message = parsed(line)
    if (message !== null) return take(message)
    if (strays.count === 0) strays.first = line.slice(0, 200)
    strays.count += 1
  }, LONGEST_MESSAGE_CHARS)
  const send = async (message: AnyMessage): Promise<void> => {
    if ('method' in message && 'id' in message) asked.add(message.id)
    await pipe.write(`${JSON.stringify(message)}\n`)
    if (!('method' in message) && open.delete(message.id) && open.size === MOST_OPEN - 1) pipe.goOn()
  }
  const readable = new ReadableStream<AnyMessage>({ start: (controller) => void (incoming = controller), cancel: () => void (incoming = null) })
  return {
    stream: { readable, writable: new WritableStream({ write: send }) },
    hear: feed.push,
    close() {
      feed.end()
      incoming?.close()
      incoming = null
    },
    strays: () => strays,
  }
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && ('method' in value || 'id' in value) ? value : null
  } catch {
    return null
  }
}
