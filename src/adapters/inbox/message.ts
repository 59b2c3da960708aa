// One message file: read without trusting its size, kind, name or content.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { errnoOf } from '../../files/durable.js'
import type { Message } from '../../ports.js'

/** Thirteen digits of milliseconds, then the id. */
export const MESSAGE_NAME = /^(\d{13})-([0-9a-f]{16})\.json$/

const MAX_BYTES = 256 * 1024

/** `gone` when it was removed meanwhile. */
export function readMessage(path: string, name: string): Message | { fault: string } | 'gone' {
  const [, at, id] = MESSAGE_NAME.exec(name) ?? []
  if (id === undefined) return { fault: 'its name is not that of a message' }
  const text = readSmall(path)
  if (typeof text !== 'string') return text === undefined ? 'gone' : text
  const message = parseMessage(text, Number(at))
  if (!message) return { fault: 'it is not a message' }
  return message.id === id ? message : { fault: `it says it is message ${JSON.stringify(message.id).slice(0, 40)}` }
}

function readSmall(path: string): string | { fault: string } | undefined {
  try {
    if (!lstatSync(path).isFile()) return { fault: 'it is not a plain file' }
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      return fstatSync(fd).size > MAX_BYTES ? { fault: 'it is larger than 256 KB' } : readFileSync(fd, 'utf8')
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const code = errnoOf(error)
    return code === 'ENOENT' ? undefined : { fault: `it cannot be read (${code})` }
  }
}

function parseMessage(text: string, at: number): Message | undefined {
  try {
    return shaped(JSON.parse(text) as Record<string, unknown>, at)
  } catch {
    return undefined
  }
}

function shaped(value: Record<string, unknown>, at: number): Message | undefined {
  const { kind, id, now, text, effect, wish, allow } = value
  if (typeof id !== 'string') return undefined
  switch (kind) {
    case 'pause':
      return { kind, id, at }
    case 'stop':
      return typeof now === 'boolean' ? { kind, id, at, now } : undefined
    case 'hint':
      return typeof text === 'string' ? { kind, id, at, text } : undefined
    case 'reply':
      return typeof text === 'string' && typeof effect === 'string' ? { kind, id, at, effect, text } : undefined
    case 'permit':
      return typeof wish === 'string' && typeof allow === 'boolean' ? { kind, id, at, wish, allow } : undefined
    default:
      return undefined
  }
}
