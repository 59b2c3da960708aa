// Finds repositories inside a folder, and folders that cannot be entered: both would keep files from being seen.
import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf, printable } from '../../files/durable.js'
import { git } from '../../git/git.js'
import { bare, type Store } from './store.js'

/** The folders of a tree, those above before those below, and its submodules. */
export type Folders = { folders: readonly BytePath[]; submodules: readonly BytePath[] }

const MOST_REMEMBERED = 8
const PORTION = 500
const OWNER_ALL = 0o700

const remembered = new Map<string, Promise<Folders>>()

/** A tree never changes, so what was read of it once is remembered. There may be folders among them that the tree has no more. */
export function foldersOf(store: Store, tree: Tree): Promise<Folders> {
  return remembered.get(keyOf(store, tree)) ?? remember(keyOf(store, tree), readFolders(store, tree))
}

/** Spares reading the folders of a tree that was made out of another by adding these paths. */
export async function foldersGrow(store: Store, from: Tree, to: Tree, added: readonly BytePath[]): Promise<void> {
  if (remembered.has(keyOf(store, to))) return
  const { folders, submodules } = await foldersOf(store, from)
  const known = new Set(folders)
  for (const path of added) for (const prefix of prefixesOf(path)) known.add(prefix)
  void remember(keyOf(store, to), Promise.resolve({ folders: known.size === folders.length ? folders : [...known], submodules }))
}

function keyOf({ path }: Store, tree: Tree): string {
  return `${path}\0${tree}`
}

function remember(key: string, reading: Promise<Folders>): Promise<Folders> {
  for (const old of [...remembered.keys()].slice(0, Math.max(0, remembered.size - MOST_REMEMBERED + 1))) remembered.delete(old)
  remembered.set(key, reading)
  reading.catch(() => remembered.delete(key))
  return reading
}

async function readFolders(store: Store, tree: Tree): Promise<Folders> {
  const { fields } = await git(bare(store), ['ls-tree', '-r', '-d', '-z', tree])
  const entries = fields.map((field) => ({ submodule: field.startsWith('160000 '), path: field.slice(field.indexOf('\t') + 1) }))
  return {
    folders: entries.filter(({ submodule }) => !submodule).map(({ path }) => path),
    submodules: entries.filter(({ submodule }) => submodule).map(({ path }) => path),
  }
}

/** The `.git` entries in these folders, which are looked for by name and never through a link. */
export async function repositoriesIn(folder: string, paths: readonly BytePath[]): Promise<BytePath[]> {
  const found: BytePath[] = []
  for (const [at, path] of paths.entries()) {
    if (at % PORTION === 0) await setImmediate()
    const inside = `${path}/.git`
    if (entryAt(folder, inside) && isReached(folder, path)) found.push(inside)
  }
  return found
}

/**
 * Folders of ours without all rights for ourselves: what lies in them can neither be seen nor put back. A tree does not hold the rights of
 * folders, so giving them back loses nothing.
 */
export async function closedFolders(folder: string, paths: readonly BytePath[]): Promise<BytePath[]> {
  if (process.geteuid?.() === 0) return []
  const closed: BytePath[] = []
  for (const [at, path] of paths.entries()) {
    if (at % PORTION === 0) await setImmediate()
    const entry = entryAt(folder, path)
    const isClosed = entry?.isDirectory() && (entry.mode & OWNER_ALL) !== OWNER_ALL && entry.uid === process.geteuid?.()
    if (isClosed && isReached(folder, path)) closed.push(path)
  }
  return closed
}

/** Those above first: what lies below a closed folder shows only once it is open. Returns all that were opened. */
export async function openFolders(folder: string, paths: readonly BytePath[]): Promise<BytePath[]> {
  const opened: BytePath[] = []
  for (;;) {
    const closed = await closedFolders(folder, paths)
    if (closed.length === 0) return opened
    for (const path of closed) chmodSync(rawPath(`${bytePath(folder)}/${path}`), OWNER_ALL)
    opened.push(...closed)
  }
}

/** A link in its place would have us read and write wherever it leads. */
export function requireFolder(folder: string): void {
  const entry = lstatSync(folder, { throwIfNoEntry: false })
  if (entry?.isDirectory()) return
  const what = entry?.isSymbolicLink() ? 'is no folder any more, but a link' : entry ? 'is no folder any more' : 'is gone'
  throw new Refusal(EXIT.state, `${printable(folder)} ${what}`, 'greenlatch resume')
}

/** What stands there itself, not what a link leads to. */
export function entryAt(folder: string, path: BytePath): Stats | undefined {
  try {
    return lstatSync(rawPath(`${bytePath(folder)}/${path}`), { throwIfNoEntry: false })
  } catch (error) {
    if (['ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/** Whether every name on the way is a folder: through a link, what is found belongs to someone else. */
export function isReached(folder: string, path: BytePath): boolean {
  return prefixesOf(`${path}/`).every((prefix) => entryAt(folder, prefix)?.isDirectory())
}

/** Whether anything lies in it, when it is a folder and reached through no link. */
export function isFilled(folder: string, path: BytePath): boolean {
  if (!entryAt(folder, path)?.isDirectory() || !isReached(folder, path)) return false
  return readdirSync(rawPath(`${bytePath(folder)}/${path}`)).length > 0
}

/** `a/b/c` → `a`, `a/b`. */
export function prefixesOf(path: BytePath): BytePath[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Git makes no tree with another path, but one can be made by hand, and we look at what stands there before git does. */
export function staysInside(path: BytePath): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
