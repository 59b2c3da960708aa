// The inbox of a session: messages from other processes, one atomic file each, so that the journal has a single writer.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync, watch as watchFolder, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, makeFolder, printable, replaceFile } from '../../files/durable.js'
import type { Inbox, Message } from '../../ports.js'
import { MESSAGE_NAME, readMessage } from './message.js'

type WithoutId<T> = T extends Message ? Omit<T, 'id' | 'at'> & { id?: string } : never

/** A message as the sender writes it; an id is given only to send the same message again. */
export type Draft = WithoutId<Message>

const POLL_MILLISECONDS = 400
/** What one boundary takes in; the rest waits for the next, so that no record grows without bound. */
const MOST_PER_TAKE = 50
const MOST_PEEKED = 1000
const MOST_REMEMBERED = 1000

/** Hands in a message; it is there whole or not at all. Throws Refusal when the folder cannot be written. */
export function post(folder: string, draft: Draft, now: number = Date.now()): Message {
  const at = Math.max(0, Math.round(now))
  const message = { ...draft, id: draft.id ?? randomBytes(8).toString('hex'), at } as Message
  const name = `${String(at).padStart(13, '0')}-${message.id}.json`
  if (!MESSAGE_NAME.test(name)) throw new Error(`not a message id: ${message.id}`)
  makeFolder(join(folder, 'inbox'))
  replaceFile(join(folder, 'inbox', name), `${JSON.stringify(message)}\n`)
  return message
}

export function openInbox(folder: string): Inbox {
  const path = join(folder, 'inbox')
  const waiting = new Map<string, string>()
  const acted = new Set<string>()
  return {
    take: () => takeAll(path, waiting, acted),
    peek: () => peekAll(path, acted),
    done(message) {
      const name = waiting.get(message.id) ?? namesIn(path).find((file) => file.includes(message.id))
      waiting.delete(message.id)
      remember(acted, message.id)
      if (name !== undefined) removeQuietly(join(path, name))
    },
    watch: (onArrival) => watchInbox(path, onArrival),
  }
}

/** One that cannot be removed is known to have been acted upon, and the next take names it. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

function takeAll(path: string, waiting: Map<string, string>, acted: ReadonlySet<string>): ReturnType<Inbox['take']> {
  const messages: Message[] = []
  const notices: string[] = []
  waiting.clear()
  for (const name of namesIn(path).slice(0, MOST_PER_TAKE)) {
    const read = readMessage(join(path, name), name)
    if (read === 'gone') continue
    if ('fault' in read) notices.push(setAside(path, name, read.fault))
    else if (waiting.has(read.id) || acted.has(read.id)) notices.push(setAside(path, name, `message ${read.id} was sent before`))
    else {
      waiting.set(read.id, name)
      messages.push(read)
    }
  }
  return { messages, notices }
}

function peekAll(path: string, acted: ReadonlySet<string>): Message[] {
  const messages = new Map<string, Message>()
  // The newest first: a stop must be heard behind any number of hints.
  for (const name of namesIn(path).slice(-MOST_PEEKED)) {
    const read = readMessage(join(path, name), name)
    if (read !== 'gone' && 'kind' in read && !messages.has(read.id) && !acted.has(read.id)) messages.set(read.id, read)
  }
  return [...messages.values()]
}

/** Oldest first, since names begin with the time. Names with a dot are still being written. */
function namesIn(path: string): string[] {
  // Most sessions never get a message, and looking first is many times cheaper than an error.
  if (!existsSync(path)) return []
  try {
    return readdirSync(path)
      .filter((name) => !name.startsWith('.') && name !== 'rejected')
      .toSorted()
  } catch {
    return []
  }
}

/** Kept for people to look at, out of the way of the next take. */
function setAside(path: string, name: string, why: string): string {
  const rejected = join(path, 'rejected')
  const shown = printable(name)
  try {
    makeFolder(rejected)
    let target = join(rejected, name)
    for (let copy = 1; existsSync(target); copy++) target = join(rejected, `${name}.${copy}`)
    renameSync(join(path, name), target)
    return `message ${shown} was set aside in inbox/rejected: ${why}`
  } catch (error) {
    return `message ${shown} is ignored: ${why} (and could not be set aside: ${errnoOf(error) ?? 'failed'})`
  }
}

function remember(acted: Set<string>, id: string): void {
  acted.add(id)
  const [oldest] = acted
  if (acted.size > MOST_REMEMBERED && oldest !== undefined) acted.delete(oldest)
}

/** File events come at once but not on every file system; looking now and then misses nothing. */
function watchInbox(path: string, onArrival: () => void): () => void {
  let seen = new Set<string>()
  let watcher: FSWatcher | null = null
  const look = (): void => {
    watcher ??= startWatcher(path, look)
    const names = new Set(namesIn(path))
    const arrived = [...names].some((name) => !seen.has(name))
    seen = names
    if (arrived) onArrival()
  }
  const first = setImmediate(look)
  const timer = setInterval(look, POLL_MILLISECONDS)
  timer.unref()
  return () => {
    clearImmediate(first)
    clearInterval(timer)
    watcher?.close()
    watcher = null
  }
}

function startWatcher(path: string, look: () => void): FSWatcher | null {
  if (!existsSync(path)) return null
  try {
    const watcher = watchFolder(path, { persistent: false }, look)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
