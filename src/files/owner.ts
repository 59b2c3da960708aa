// The owner file: which process holds a lock, and how to tell whether that process is still the one that wrote it.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './durable.js'

/** A process, told apart from a later one with the same number. `null` where the system does not say. */
export type ProcessIdentity = { pid: number; start: string | null; boot: string | null }

export type Owner = ProcessIdentity & { epoch: number; startedAt: string; token: string }

/** How the owner file looked: `stamp` is cheap to compare, `text` decides. */
export type OwnerMark = { stamp: string; text: string | null }

export const SESSION_LOCK = 'session'

function ownerPath(folder: string, name: string = SESSION_LOCK): string {
  return join(folder, name === SESSION_LOCK ? 'owner.json' : `owner-${name}.json`)
}

/** Undefined when there is none or it cannot be read: an owner file alone never decides who holds a lock. */
export function readOwner(folder: string, name: string = SESSION_LOCK): Owner | undefined {
  const owner = parsed(textOf(ownerPath(folder, name)))
  return owner && typeof owner === 'object' && isNumber(owner, 'pid') && isNumber(owner, 'epoch') ? (owner as Owner) : undefined
}

/** Names this process as owner, one epoch after the one named before. Called only by the holder of the lock. */
export function writeOwner(folder: string, name: string): Owner {
  const epoch = (readOwner(folder, name)?.epoch ?? 0) + 1
  const owner: Owner = { ...thisProcess(), epoch, startedAt: new Date().toISOString(), token: randomBytes(8).toString('hex') }
  replaceFile(ownerPath(folder, name), `${JSON.stringify(owner)}\n`)
  return owner
}

/** Takes our own name away, so that a session nobody holds looks as it did before it was held. */
export function removeOwner(folder: string, name: string, owner: Owner): void {
  if (readOwner(folder, name)?.token === owner.token) rmSync(ownerPath(folder, name), { force: true })
}

export function markOwner(folder: string): OwnerMark {
  const path = ownerPath(folder)
  return { stamp: stampOf(path), text: textOf(path) }
}

/** Whether the owner named then is still named. Needs no open file unless the file was touched. */
export function sameOwner(folder: string, mark: OwnerMark): boolean {
  const path = ownerPath(folder)
  return stampOf(path) === mark.stamp || (mark.text !== null && textOf(path) === mark.text)
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, start: startOf(process.pid)?.start ?? null, boot: bootId() }
}

/** Whether that very process still runs. Where the system tells neither start time nor boot, a live number is enough. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== null && identity.boot !== bootId()) return false
  if (!pidExists(identity.pid)) return false
  const now = startOf(identity.pid)
  if (!now) return true
  // A zombie has let go of everything it held.
  if (now.state === 'Z' || now.state === 'X') return false
  return identity.start === null || identity.start === now.start
}

function pidExists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function startOf(pid: number): { state: string; start: string } | undefined {
  const text = textOf(`/proc/${pid}/stat`)
  // The name in brackets may itself hold brackets and spaces; what follows the last one is regular.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, start] = [fields?.[0], fields?.[19]]
  return state && start ? { state, start } : undefined
}

function bootId(): string | null {
  return textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? null
}

function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : 'none'
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isNumber(value: object, key: string): boolean {
  return Number.isSafeInteger((value as Record<string, unknown>)[key])
}
