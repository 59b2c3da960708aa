// What stands in a repository's own folder, told by reading its files: an operation half done, a lock, where objects lie, whose it is.
import { accessSync, constants, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { processIds } from '../process/procfs.js'

export type Operation = 'merge' | 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect'

/** The more exact first: a rebase leaves signs of a cherry-pick too. */
export function operationIn(gitDir: string): Operation | null {
  const has = (name: string): boolean => existsSync(join(gitDir, name))
  if (has('rebase-apply/applying')) return 'am'
  if (has('rebase-merge') || has('rebase-apply')) return 'rebase'
  if (has('MERGE_HEAD')) return 'merge'
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (has('REVERT_HEAD')) return 'revert'
  if (has('BISECT_LOG')) return 'bisect'
  return null
}

export type IndexLock = {
  path: string
  ageSeconds: number
  /** A process that has the file open; null when none has, or none that we may look at. */
  holder: number | null
}

export function lockIn(gitDir: string): IndexLock | null {
  const path = join(gitDir, 'index.lock')
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return null
  return { path, ageSeconds: Math.max(0, (Date.now() - entry.mtimeMs) / 1000), holder: holderOf(path) }
}

/** A process that has this file open; null when none has, or none that we may look at. */
export function holderOf(path: string): number | null {
  return processIds().find((pid) => opened(pid).includes(path)) ?? null
}

/** The files that a process has open. */
function opened(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).flatMap((fd) => targetOf(join(folder, fd)) ?? [])
  } catch {
    return []
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}

export type ObjectFolders = {
  /** The repository's own first, then all it borrows from. */
  folders: string[]
  /** Borrowed from, and not there. */
  missing: string[]
}

export function objectFoldersOf(commonDir: string): ObjectFolders {
  const found: ObjectFolders = { folders: [], missing: [] }
  const waiting = [join(commonDir, 'objects')]
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (found.folders.includes(folder) || found.missing.includes(folder)) continue
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
    found[isThere ? 'folders' : 'missing'].push(folder)
    if (isThere) waiting.push(...alternatesOf(folder))
  }
  return found
}

function alternatesOf(objects: string): string[] {
  const lines = readText(join(objects, 'info/alternates')).split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => resolve(objects, unquoted(line)))
}

function unquoted(line: string): string {
  const inner = /^"(.*)"$/.exec(line)?.[1]
  const meant: Readonly<Record<string, string>> = { n: '\n', t: '\t' }
  return inner === undefined ? line : inner.replaceAll(/\\(n|t|["\\])/g, (_, mark: string) => meant[mark] ?? mark)
}

/** Linked worktrees that this repository still knows of, and whose folder is gone. */
export function worktreesLeftIn(commonDir: string): string[] {
  return namesIn(join(commonDir, 'worktrees')).filter((name) => {
    const link = readText(join(commonDir, 'worktrees', name, 'gitdir')).replace(/\n$/, '')
    return link !== '' && !existsSync(resolve(commonDir, 'worktrees', name, link))
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** What of the repository belongs to another user, or null. The user who called sudo counts as root. */
export function foreignPart(topLevel: string, gitDir: string): string | null {
  const own = process.geteuid?.()
  if (own === undefined) return null
  const sudo = own === 0 ? Number(process.env['SUDO_UID'] ?? Number.NaN) : Number.NaN
  return [topLevel, join(topLevel, '.git'), gitDir].find((path) => ![own, sudo].includes(lstatSync(path).uid)) ?? null
}

export function isWritable(gitDir: string, commonDir: string): boolean {
  try {
    for (const path of [gitDir, join(commonDir, 'objects'), join(commonDir, 'refs')]) accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function isShallow(commonDir: string): boolean {
  return (statSync(join(commonDir, 'shallow'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

export function readText(path: string | Buffer): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
