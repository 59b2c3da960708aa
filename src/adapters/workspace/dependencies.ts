// Dependency folders and lockfiles: where they are, and what says that dependencies belong to a tree.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath, pathText } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { DEPENDENCY_NAMES } from './copy-folders.js'
import { hashOf, walkBelow } from './copy-walk.js'

export { copyFolders, type Copied } from './copy-folders.js'

/** What says which dependencies belong to a tree. */
const LOCKFILES: ReadonlySet<string> = new Set([
  'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'poetry.lock', 'uv.lock', 'pdm.lock',
  'requirements.txt', 'Pipfile.lock', 'Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock',
])
/** What says it where nothing is locked. */
const MANIFESTS: ReadonlySet<string> = new Set([
  'package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'Gemfile', 'composer.json',
])
/** How deep packages of one repository lie. */
const DEPTH = 4
/** What tools write beside dependencies while they are used: a change there makes no others of them. */
const CACHES = /(^|\/)(__pycache__|node_modules\/\.(cache|vite|vitest|vite-temp))$/

/** Relative paths of the dependency folders below `root`; what lies inside one belongs to it. */
export function dependencyFolders(root: string): string[] {
  return found(root, (entry) => entry.isDirectory() && DEPENDENCY_NAMES.has(entry.name))
}

/** The same for lockfiles that are plain files. */
export function lockfilesIn(root: string): string[] {
  return found(root, (entry) => entry.isFile() && LOCKFILES.has(entry.name))
}

type Entry = { name: string; isDirectory(): boolean; isFile(): boolean }

/** Folders that are closed to us, or whose names are no text, are passed over: what may lie in them is made again, not copied. */
function found(root: string, fits: (entry: Entry) => boolean, below = '', depth = DEPTH): string[] {
  return entriesIn(join(root, below)).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (fits(entry)) return [path]
    const enters = entry.isDirectory() && depth > 1 && entry.name !== '.git' && !DEPENDENCY_NAMES.has(entry.name)
    return enters ? found(root, fits, path, depth - 1) : []
  })
}

function entriesIn(folder: string): Entry[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, encoding: 'latin1' })
    const named = entries.map((entry) => ({ name: pathText(entry.name), isDirectory: () => entry.isDirectory(), isFile: () => entry.isFile() }))
    return named.filter((entry, at) => bytePath(entry.name) === entries[at]?.name).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return []
    throw error
  }
}

/** Path → hash of its contents. */
export type Locks = Readonly<Record<string, string>>

export function locksIn(root: string): Locks {
  return hashesOf(root, lockfilesIn(root))
}

function hashesOf(root: string, paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, createHash('sha256').update(readFileSync(join(root, path))).digest('hex')]))
}

/** What dependencies made by this command for these lockfiles are kept under. */
export function dependencyKey(root: string, command: readonly string[]): string {
  const locks = locksIn(root)
  const manifests = found(root, (entry) => entry.isFile() && MANIFESTS.has(entry.name)).filter((path) => !isLocked(path, locks))
  return shortHash(['setup', ...command, JSON.stringify({ ...locks, ...hashesOf(root, manifests) })])
}

/** By a lockfile beside it or in a folder above. */
function isLocked(path: string, locks: Locks): boolean {
  const above = new Set(path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')))
  return Object.keys(locks).some((lock) => above.has(lock.split('/').slice(0, -1).join('/')))
}

/** What the user's own dependency folders are kept under, as they stand: any file that was written since makes another key. */
export async function usersKey(root: string): Promise<string> {
  const walked = await walkBelow(root, dependencyFolders(root).map(bytePath), (path) => CACHES.test(path))
  return shortHash(['copied', JSON.stringify(locksIn(root)), hashOf(walked)])
}

function shortHash(parts: readonly string[]): string {
  const system = [`${process.platform}-${process.arch}`, process.versions.modules]
  return createHash('sha256').update([...system, ...parts].join('\0')).digest('hex').slice(0, 32)
}
