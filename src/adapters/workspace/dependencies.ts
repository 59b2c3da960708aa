// Dependency folders for a checkout: copied out of the user's folder or made by a command, never reached through a link.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf, makeFolder, printable } from '../../files/durable.js'
import { runShort } from '../../process/short.js'
import { entryAt, prefixesOf } from './nested.js'

/** Folders that package managers make and repositories ignore. */
const NAMES: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv'])
/** What says which dependencies belong to a tree. */
const LOCKFILES: ReadonlySet<string> = new Set([
  'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'poetry.lock', 'uv.lock',
  'requirements.txt', 'Pipfile.lock', 'Cargo.lock', 'go.sum', 'Gemfile.lock', 'composer.lock',
])
/** How deep packages of one repository lie. */
const DEPTH = 4
const COPY_SECONDS = 1800

/** Relative paths of the dependency folders below `root`; what lies inside one belongs to it. */
export function dependencyFolders(root: string): string[] {
  return found(root, (entry) => entry.isDirectory() && NAMES.has(entry.name))
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
    const enters = entry.isDirectory() && depth > 1 && entry.name !== '.git' && !NAMES.has(entry.name)
    return enters ? found(root, fits, path, depth - 1) : []
  })
}

function entriesIn(folder: string): Entry[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true, encoding: 'latin1' })
    const named = entries.map((entry) => ({ name: textOf(entry.name), isDirectory: () => entry.isDirectory(), isFile: () => entry.isFile() }))
    return named.filter((entry, at) => bytePath(entry.name) === entries[at]?.name).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errnoOf(error) ?? '')) return []
    throw error
  }
}

function textOf(name: BytePath): string {
  return rawPath(name).toString('utf8')
}

/** What dependencies made by this command for these lockfiles are kept under. */
export function dependencyKey(root: string, command: string): string {
  const hash = createHash('sha256').update(`${command}\0${process.platform}-${process.arch}\0${process.versions.modules}\0`)
  for (const path of lockfilesIn(root)) hash.update(`${path}\0`).update(readFileSync(join(root, path))).update('\0')
  return hash.digest('hex').slice(0, 32)
}

// ───────────────────────────── copying ─────────────────────────────

export type Copied = { paths: string[]; seconds: number }

/** Copies folders from one root to the same places below another, shared by the file system where it can. Existing ones stay. */
export async function copyFolders(from: string, to: string, paths: readonly string[], signal?: AbortSignal): Promise<Copied> {
  const started = performance.now()
  const missing = paths.filter((path) => isFree(to, path))
  for (const path of missing) await copyFolder(from, to, path, signal)
  return { paths: missing, seconds: (performance.now() - started) / 1000 }
}

/** Nothing stands there, and nothing on the way but folders: through a link a copy would go elsewhere. */
function isFree(to: string, path: string): boolean {
  const isOpen = prefixesOf(bytePath(path)).every((prefix) => entryAt(to, prefix)?.isDirectory() ?? true)
  return isOpen && entryAt(to, bytePath(path)) === undefined
}

/** Under another name first, so that a copy is there whole or not at all. */
async function copyFolder(from: string, to: string, path: string, signal: AbortSignal | undefined): Promise<void> {
  const target = join(to, path)
  const partial = join(dirname(target), `.greenlatch-partial-${path.split('/').at(-1)}`)
  makeFolder(dirname(target))
  rmSync(partial, { recursive: true, force: true })
  const flags = process.platform === 'darwin' ? ['-cRp'] : ['-a', '--reflink=auto']
  const result = await runShort({
    argv: ['cp', ...flags, '--', join(from, path), partial],
    cwd: to,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    timeoutSeconds: COPY_SECONDS,
    outputBytes: 1024 * 1024,
    ...(signal && { signal }),
  })
  if (result.ending !== 'exited' || result.exitCode !== 0) {
    rmSync(partial, { recursive: true, force: true })
    const said = printable(result.stderr.toString('utf8').trim().split('\n')[0] ?? '').slice(0, 300)
    throw new Refusal(EXIT.state, `cannot copy ${printable(path)}: ${said || result.note}`, 'make room there, or set "setup: none"')
  }
  turnLinks(bytePath(partial), bytePath(target), from, to)
  renameSync(partial, target)
}

/** A link that leads into the user's folder by its whole path would let an agent write there: it is turned to the copy. */
function turnLinks(at: BytePath, final: BytePath, from: string, to: string): void {
  for (const entry of readdirSync(rawPath(at), { withFileTypes: true, encoding: 'latin1' })) {
    const [path, place] = [`${at}/${entry.name}`, `${final}/${entry.name}`]
    if (entry.isDirectory()) turnLinks(path, place, from, to)
    else if (entry.isSymbolicLink()) turnLink(path, place, from, to)
  }
}

function turnLink(path: BytePath, final: BytePath, from: string, to: string): void {
  const target = readlinkSync(rawPath(path), { encoding: 'latin1' })
  const within = relative(bytePath(from), target)
  if (!isAbsolute(target) || within === '..' || within.startsWith(`..${sep}`)) return
  unlinkSync(rawPath(path))
  symlinkSync(rawPath(relative(dirname(final), join(bytePath(to), within)) || '.'), rawPath(path))
}

// ───────────────────────────── kept copies ─────────────────────────────

const COMPLETE = 'complete'

/** Keeps the dependency folders of a checkout under a key, for the next checkout with the same lockfiles. */
export async function keepDependencies(checkout: string, store: string, key: string, signal?: AbortSignal): Promise<Copied> {
  const folder = join(store, key)
  if (hasDependencies(store, key)) return { paths: [], seconds: 0 }
  rmSync(folder, { recursive: true, force: true })
  makeFolder(folder)
  const paths = dependencyFolders(checkout)
  const copied = await copyFolders(checkout, folder, paths, signal)
  writeFileSync(join(folder, COMPLETE), JSON.stringify(paths))
  return copied
}

export function hasDependencies(store: string, key: string): boolean {
  return lstatSync(join(store, key, COMPLETE), { throwIfNoEntry: false })?.isFile() === true
}

export function giveDependencies(store: string, key: string, checkout: string, signal?: AbortSignal): Promise<Copied> {
  const folder = join(store, key)
  return copyFolders(folder, checkout, dependencyFolders(folder), signal)
}
