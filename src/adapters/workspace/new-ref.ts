// Gives a commit of the store a name that is not taken yet, by ourselves: a process for it would cost more than all that it does.
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errnoOf, stateRefusal, writeAll } from '../../files/durable.js'
import type { Store } from './store.js'

/**
 * The way that git goes: lock the name, look in both places where it may stand, sync the lock and rename it; syncing the folders is left to
 * the caller. `ask git` when anything is not as usual, such as a lock that somebody holds, for git to do it or to say why not. Only what was
 * written and could not be synced is no question for git: a second try would be believed without a reason.
 */
export function makeRef({ path: store }: Store, ref: string, commit: string): 'made' | 'taken' | 'ask git' {
  const path = join(store, ref)
  const lock = `${path}.lock`
  const file = usual(() => locked(lock))
  if (file === null) return 'ask git'
  const found = usual(() => standing(store, ref))
  if (found !== 'free') {
    closeSync(file)
    dropLock(lock)
    return found ?? 'ask git'
  }
  writeSyncedAs(file, lock, commit)
  if (usual(() => renamed(lock, path))) return 'made'
  dropLock(lock)
  return 'ask git'
}

/** Null where the file system says no. */
function usual<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return null
  }
}

function locked(lock: string): number {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
  return openSync(lock, 'wx')
}

/** In this order: whoever packs refs takes away the file of one only after it stands in the list. Git knows what to do with a folder. */
function standing(store: string, ref: string): 'free' | 'taken' | 'ask git' {
  const entry = lstatSync(join(store, ref), { throwIfNoEntry: false })
  if (entry) return entry.isFile() ? 'taken' : 'ask git'
  const list = join(store, 'packed-refs')
  if (!lstatSync(list, { throwIfNoEntry: false })) return 'free'
  const packed = readFileSync(list)
  return packed.includes(` ${ref}\n`) ? 'taken' : packed.includes(` ${ref}/`) ? 'ask git' : 'free'
}

function writeSyncedAs(file: number, lock: string, commit: string): void {
  try {
    writeAll(file, Buffer.from(`${commit}\n`))
    fsyncSync(file)
  } catch (error) {
    const refusal = stateRefusal(error, lock)
    dropLock(lock)
    throw refusal
  } finally {
    closeSync(file)
  }
}

function renamed(lock: string, path: string): true {
  renameSync(lock, path)
  return true
}

/** Whoever comes next finds that nobody holds it and takes it away, where we cannot. */
function dropLock(lock: string): void {
  usual(() => rmSync(lock, { force: true }))
}
