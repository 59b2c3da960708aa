// Gives a commit of the store a name that is not taken yet, by ourselves: a process for it would cost more than all that it does.
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errnoOf, writeAll } from '../../files/durable.js'
import type { Store } from './store.js'

/**
 * The way that git goes: lock the name, look in both places where it may stand, sync the lock and rename it; syncing the folders is left to
 * the caller. `ask git` when anything is not as usual, such as a lock that somebody holds, for git to do it or to say why not.
 */
export function makeRef({ path: store }: Store, ref: string, commit: string): 'made' | 'taken' | 'ask git' {
  const path = join(store, ref)
  const lock = `${path}.lock`
  const file = locked(lock)
  if (file === null) return 'ask git'
  try {
    const taken = writeUnlessTaken(file, store, ref, commit)
    if (taken) rmSync(lock)
    else renameSync(lock, path)
    return taken ? 'taken' : 'made'
  } catch (error) {
    rmSync(lock, { force: true })
    if (errnoOf(error) === null) throw error
    return 'ask git'
  }
}

function locked(lock: string): number | null {
  try {
    mkdirSync(dirname(lock), { recursive: true, mode: 0o700 })
    return openSync(lock, 'wx')
  } catch (error) {
    if (errnoOf(error) === null) throw error
    return null
  }
}

function writeUnlessTaken(file: number, store: string, ref: string, commit: string): boolean {
  try {
    if (isTaken(store, ref)) return true
    writeAll(file, Buffer.from(`${commit}\n`))
    fsyncSync(file)
    return false
  } finally {
    closeSync(file)
  }
}

/** In this order: whoever packs refs takes away the file of one only after it stands in the list. */
function isTaken(store: string, ref: string): boolean {
  if (lstatSync(join(store, ref), { throwIfNoEntry: false })) return true
  const list = join(store, 'packed-refs')
  return lstatSync(list, { throwIfNoEntry: false }) !== undefined && readFileSync(list).includes(` ${ref}\n`)
}
