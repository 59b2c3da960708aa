// Messages over a pipe, one line of JSON each: whatever else comes is counted and left out, and nothing that comes fills the memory.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Pipe } from '../../../process/types.js'
import { rawLineFeed } from '../../../text/line-feed.js'
import { isObject, type JsonObject } from '../../../text/reply/json.js'

/** A whole file may be one message. */
const LONGEST_MESSAGE_CHARS = 8 * 1024 * 1024
/** Requests that are answered at the same time: an answer may be as long as a message. */
const MOST_OPEN = 8
/** Requests that only wait for a command to end, so that they must not keep others waiting, such as the one to kill it. */
const WAITING = 'terminal/wait_for_exit'
const MOST_WAITING = 256
/** Says that an answer is not waited for any longer. It is given all the same, with what there is or as cancelled. */
const TAKEN_BACK = '$/cancel_request'

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
  let incoming: ReadableStreamDefaultController<AnyMessage> | null = null
  const desk = turnstile(pipe, (message) => incoming?.enqueue(message as AnyMessage))
  const take = (message: JsonObject): void => {
    const { id, method, params } = message
    // The library knows which of its answers is no longer wanted.
    if (method === TAKEN_BACK && id === undefined) return void incoming?.enqueue(message as AnyMessage)
    if (typeof method === 'string') return id === undefined ? onNews(method, params) : desk.enter(message)
    // An answer to nothing that was asked is no message for the library: it would write about it to our terminal.
    if (asked.delete(id)) incoming?.enqueue(message as AnyMessage)
    else strays.count += 1
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
    const isTaken = await pipe.write(`${JSON.stringify(message)}\n`)
    if (!isTaken) desk.shut()
    else if (!('method' in message)) desk.leave(message.id)
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

type Turnstile = { enter(message: JsonObject): void; leave(id: unknown): void; shut(): void }

/** Lets in a few requests at a time; while others wait, the agent is not read. Shut when nobody is there to take an answer. */
function turnstile(pipe: Pipe, letIn: (message: JsonObject) => void): Turnstile {
  const [open, waiting] = [new Set<unknown>(), new Set<unknown>()]
  const queue: JsonObject[] = []
  let isShut = false
  const tryIn = (message: JsonObject): boolean => {
    const room = message['method'] === WAITING && waiting.size < MOST_WAITING ? waiting : open.size < MOST_OPEN ? open : null
    room?.add(message['id'])
    if (room) letIn(message)
    return room !== null
  }
  return {
    enter(message) {
      if (isShut || tryIn(message)) return
      queue.push(message)
      pipe.hold()
    },
    leave(id) {
      waiting.delete(id)
      open.delete(id)
      while (queue[0] && tryIn(queue[0])) queue.shift()
      if (queue.length === 0) pipe.goOn()
    },
    shut() {
      isShut = true
      queue.length = 0
      pipe.goOn()
    },
  }
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && ('method' in value || 'id' in value) ? value : null
  } catch {
    return null
  }
}
