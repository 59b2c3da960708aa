// Dependencies that belong to the engine alone: kept under a key, sealed so that any later write shows, and given out only as copies.
import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errnoOf, makeFolder, stateRefusal, syncFolder, writeDurable } from '../../files/durable.js'
import { removeTree } from './checkout-remove.js'
import { copyFolders, type Copied } from './copy-folders.js'
import { hashOf, walkBelow } from './copy-walk.js'
import { dependencyFolders, locksIn, usersKey, type Locks } from './dependencies.js'

/** `copied`: out of the user's folder, for these lockfiles. `setup`: made by the user's command. */
export type Kept = { key: string; made: 'copied' | 'setup'; paths: string[]; locks: Locks }

const FORM = 2
const COMPLETE = 'complete'
const USERS = 'used-by'
/** What the root is called in scripts of a kept copy: there is no such place, so that none of them can lead anywhere. */
const NOWHERE = '/dev/null/greenlatch'
const MOST_TRIES = 3

function filesOf(room: string, key: string): string {
  return join(room, key, 'files')
}

/** Null when it is not there, not whole, or no longer what it was when it was kept. */
export async function findKept(room: string, key: string): Promise<Kept | null> {
  const complete = readComplete(room, key)
  if (complete === null || complete.seal !== (await sealOf(filesOf(room, key)))) return null
  const { made, paths, locks } = complete
  return { key, made, paths, locks }
}

type Complete = Omit<Kept, 'key'> & { form: number; seal: string }

function readComplete(room: string, key: string): Complete | null {
  try {
    const complete = JSON.parse(readFileSync(join(room, key, COMPLETE), 'utf8')) as Complete
    return complete.form === FORM ? complete : null
  } catch {
    return null
  }
}

/** Nothing is synced but this: what a power cut takes of the files shows in their sizes. */
async function sealOf(files: string): Promise<string> {
  return hashOf(await walkBelow(files))
}

type Give = { paths?: readonly string[]; signal?: AbortSignal }

/** All of them, or some paths in them. */
export async function giveDependencies(room: string, kept: Kept, to: string, options: Give = {}): Promise<Copied> {
  const { paths = kept.paths, signal } = options
  return copyFolders(filesOf(room, kept.key), to, paths, { called: { from: NOWHERE }, ...(signal && { signal }) })
}

// ───────────────────────────── keeping ─────────────────────────────

type Keep = { from: string; room: string; key: string; made: Kept['made']; signal?: AbortSignal }

/** `from` is a folder of ours that nobody has worked in. Several processes may keep the same at once: one copy comes of it. */
export async function keepDependencies(keep: Keep): Promise<Kept> {
  const { room, key } = keep
  return (await findKept(room, key)) ?? settle(room, key, await fill(keep))
}

/** Takes a copy of the user's dependencies as they stand. `notices` say when they did not stand still. */
export async function keepUsers(from: string, room: string): Promise<{ kept: Kept; notices: string[] }> {
  for (let tries = 1, key = await usersKey(from); ; tries += 1) {
    const there = await findKept(room, key)
    if (there) return { kept: there, notices: [] }
    const making = await fill({ from, room, key, made: 'copied' })
    const now = await usersKey(from)
    if (now === key || tries === MOST_TRIES) {
      const unsteady = `${dependencyFolders(from).join(', ')} changed while a copy was taken; it may hold something of both`
      return { kept: await settle(room, now, making), notices: now === key ? [] : [unsteady] }
    }
    removeTree(making)
    key = now
  }
}

/** Returns the folder it was made in, whole but for its name. */
async function fill({ from, room, key, made, signal }: Keep): Promise<string> {
  const making = join(room, `.${key}.making-${randomBytes(6).toString('hex')}`)
  makeFolder(room)
  mkdirSync(join(making, 'files'), { recursive: true, mode: 0o700 })
  try {
    const paths = dependencyFolders(from)
    await copyFolders(from, join(making, 'files'), paths, { called: { to: NOWHERE }, ...(signal && { signal }) })
    const complete: Complete = { form: FORM, made, paths, locks: locksIn(from), seal: await sealOf(join(making, 'files')) }
    writeDurable(join(making, COMPLETE), JSON.stringify(complete))
    return making
  } catch (error) {
    removeTree(making)
    throw error
  }
}

/** Gives it its name. What another process has kept meanwhile is as good; what is no longer whole makes way. */
async function settle(room: string, key: string, making: string): Promise<Kept> {
  const folder = join(room, key)
  const { made, paths, locks } = readComplete(room, basename(making)) as Complete
  try {
    if (!isNamed(making, folder)) {
      const there = await findKept(room, key)
      if (there) {
        removeTree(making)
        return there
      }
      removeTree(folder)
      renameSync(making, folder)
    }
    syncFolder(room)
    return { key, made, paths, locks }
  } catch (error) {
    removeTree(making)
    throw stateRefusal(error, folder, 'greenlatch path')
  }
}

function isNamed(making: string, folder: string): boolean {
  try {
    renameSync(making, folder)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

// ───────────────────────────── who uses it ─────────────────────────────

/** A session has one copy that it began with. */
export function markUse(room: string, key: string, session: string): void {
  for (const other of keysIn(room)) if (other !== key) rmSync(join(room, other, USERS, session), { force: true })
  makeFolder(join(room, key, USERS))
  writeFileSync(join(room, key, USERS, session), '')
}

/** The key of what a session began with, whether or not it is still whole. */
export function keyUsedBy(room: string, session: string): string | null {
  return keysIn(room).find((key) => lstatSync(join(room, key, USERS, session), { throwIfNoEntry: false })?.isFile()) ?? null
}

export function usersOf(room: string, key: string): string[] {
  const folder = join(room, key, USERS)
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}

export function keysIn(room: string): string[] {
  const entries = lstatSync(room, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(room, { withFileTypes: true }) : []
  return entries.filter((entry) => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name)).map((entry) => entry.name)
}
