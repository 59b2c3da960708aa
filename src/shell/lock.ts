// The lock of a session or a repository: held by the kernel where it can be, so that it is free the moment its owner dies.
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { errnoOf, stateRefusal } from '../files/durable.js'
import { holderOfLockFile, takeLockFile } from '../files/lockfile.js'
import { isAlive, readOwner, removeOwner, SESSION_LOCK, writeOwner } from '../files/owner.js'


export type Lock = {
  kind: 'lock'
  /** One higher than that of an owner who did not release. */
  epoch: number
  /** Idempotent. The lock is free when this resolves. */
  release(): Promise<void>
}

export type Held = { kind: 'held'; pid: number | null }

/** `name` tells locks of one folder apart; only the session lock (the default) fences the journal. */
export type LockOptions = { name?: string; kind?: 'socket' | 'file' }

const NEXT = 'greenlatch doctor'

/** Takes the lock of an existing folder, or says who has it. Throws Refusal when the folder cannot be written. */
export async function acquireLock(folder: string, options: LockOptions = {}): Promise<Lock | Held> {
  const { name, kind } = settled(options)
  try {
    const taken = kind === 'socket' ? await takeSocket(folder, name) : takeLockFile(folder, name)
    if (!('release' in taken)) return { kind: 'held', pid: taken.pid }
    // A socket is known in its own network namespace only; an owner in another one is still alive.
    const elsewhere = kind === 'socket' ? livePid(folder, name) : null
    if (elsewhere === null || elsewhere === process.pid) return own(folder, name, taken.release)
    await taken.release()
    return { kind: 'held', pid: elsewhere }
  } catch (error) {
    throw stateRefusal(error, folder, NEXT)
  }
}

/** Whether somebody holds the lock, without taking it. */
export async function isHeld(folder: string, options: LockOptions = {}): Promise<{ pid: number | null } | null> {
  const { name, kind } = settled(options)
  try {
    if (kind === 'socket') return (await answers(addressOf(folder, name))) ? { pid: livePid(folder, name) } : null
    const holder = holderOfLockFile(folder, name)
    return holder ? { pid: holder.pid } : null
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw stateRefusal(error, folder, NEXT)
  }
}

function settled(options: LockOptions): Required<LockOptions> {
  const name = options.name ?? SESSION_LOCK
  if (!/^[\w-]{1,80}$/.test(name)) throw new Error(`not a lock name: ${name}`)
  return { name, kind: options.kind ?? (process.platform === 'linux' ? 'socket' : 'file') }
}

async function own(folder: string, name: string, letGo: () => void | Promise<void>): Promise<Lock> {
  try {
    const owner = writeOwner(folder, name)
    let released: Promise<void> | null = null
    const release = async (): Promise<void> => {
      // While the lock is still ours: afterwards the file may be the next owner's.
      removeOwner(folder, name, owner)
      await letGo()
    }
    return { kind: 'lock', epoch: owner.epoch, release: () => (released ??= release()) }
  } catch (error) {
    await letGo()
    throw error
  }
}

/** An abstract socket: no file, one listener per name, gone with the process that listens. */
async function takeSocket(folder: string, name: string): Promise<{ release: () => Promise<void> } | { pid: number | null }> {
  const server = createServer((socket) => socket.destroy())
  try {
    await listen(server, addressOf(folder, name))
  } catch (error) {
    if (errnoOf(error) === 'EADDRINUSE') return { pid: livePid(folder, name) }
    throw error
  }
  server.unref()
  return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path, exclusive: true }, () => {
      server.removeListener('error', reject)
      server.on('error', () => {})
      resolve()
    })
  })
}

/** The kernel answers for a listener even while its process is stopped or busy. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    const settle = (held: boolean): void => {
      socket.destroy()
      resolve(held)
    }
    socket.once('connect', () => settle(true))
    socket.once('error', (error) => {
      const code = errnoOf(error)
      if (code === 'ECONNREFUSED' || code === 'ENOENT') settle(false)
      else if (code === 'EAGAIN' || code === 'ECONNRESET') settle(true)
      else reject(error)
    })
  })
}

function addressOf(folder: string, name: string): string {
  const key = createHash('sha256').update(`${realpathSync(folder)}\0${name}`).digest('hex')
  return `\0greenlatch-${key.slice(0, 40)}`
}

function livePid(folder: string, name: string): number | null {
  const owner = readOwner(folder, name)
  return owner && isAlive(owner) ? owner.pid : null
}
