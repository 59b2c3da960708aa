// The store: our own bare repository, which holds a whole copy of every tree that matters, byte for byte as it stood in a folder.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { errnoOf, makeFolder, makeScratch, printable, stateRefusal, syncFolder, writeDurable } from '../../files/durable.js'
import { isAlive, thisProcess, type ProcessIdentity } from '../../files/owner.js'
import { git, type Repository } from '../../git/git.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { syncBelow } from './sync-below.js'

export type ObjectFormat = 'sha1' | 'sha256'

export type Store = { path: string; format: ObjectFormat }

const VERSION = 1
const MARK = 'greenlatch.json'
const CONFIG = `[core]
	logAllRefUpdates = false
	bigFileThreshold = 32m
	preloadIndex = true
[index]
	version = 4
[gc]
	auto = 0
`
/** Last in git's order of precedence, so that nothing a tree says about its own files changes a byte or names a driver. */
const ATTRIBUTES = '* -text -crlf !eol -ident -filter !working-tree-encoding !diff !merge !conflict-marker-size !whitespace\n'
const STALE_MILLISECONDS = 3_600_000

const EMPTY_TREES: Record<ObjectFormat, Tree> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

export function emptyTree({ format }: Store): Tree {
  return EMPTY_TREES[format]
}

/** The store without any folder. What is written to it is on disk before git returns. */
export function bare({ path }: Store): Repository {
  return { gitDir: path, config: 'ours', durable: true }
}

/** A folder seen through the store, with an index of our own: whatever `.git` the folder has is not consulted. */
export function over({ path }: Store, folder: string, index: string): Repository {
  return { gitDir: path, workTree: folder, index, config: 'ours', durable: true }
}

export function objectsOf({ path }: Store): string {
  return join(path, 'objects')
}

/** Makes the store when there is none. Several processes may do so at once: one store comes of it. */
export async function openStore(path: string, format: ObjectFormat = 'sha1'): Promise<Store> {
  const full = resolve(path)
  const entry = lstatSync(full, { throwIfNoEntry: false })
  if (!entry) await make(full, format)
  const store = verified(full)
  if (store.format !== format) {
    throw refused(full, `it is made for ${store.format} object names and the repository uses ${format}`)
  }
  return store
}

async function make(path: string, format: ObjectFormat): Promise<void> {
  const room = dirname(path)
  makeFolder(room)
  clearStale(room, prefixOf(path))
  const temporary = makeScratch(join(room, `${prefixOf(path)}${makerOf(thisProcess())}-`))
  try {
    await fill(temporary, format)
    // `git init` syncs nothing: after a power cut its HEAD would be empty, and the store no repository any more.
    syncBelow(temporary)
    renameSync(temporary, path)
    syncFolder(room)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    const someoneElseWasFirst = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errnoOf(error) ?? '')
    if (!someoneElseWasFirst) throw stateRefusal(error, path, 'greenlatch path')
  }
}

function prefixOf(path: string): string {
  return `.${basename(path)}.making-`
}

/** Which machine, since when it runs, and which process: one of another machine is never taken for dead. */
function makerOf({ pid, boot }: Pick<ProcessIdentity, 'pid' | 'boot'>): string {
  return `${boot?.slice(0, 8) ?? ''}.${pid}`
}

function isOfDead(name: string, prefix: string): boolean {
  const pid = Number(/^[^.]*\.(\d+)-/.exec(name.slice(prefix.length))?.[1])
  const here = { ...thisProcess(), pid, start: null }
  return name.startsWith(`${prefix}${makerOf(here)}-`) && !isAlive(here)
}

/** What killed processes left; one whose maker may still be at it is taken away only when it is old. */
function clearStale(room: string, prefix: string): void {
  for (const name of readdirSync(room).filter((name) => name.startsWith(prefix))) {
    const entry = lstatSync(join(room, name), { throwIfNoEntry: false })
    if (entry && (isOfDead(name, prefix) || Date.now() - entry.mtimeMs > STALE_MILLISECONDS)) rmSync(join(room, name), { recursive: true, force: true })
  }
}

async function fill(path: string, format: ObjectFormat): Promise<void> {
  await git({ gitDir: path, config: 'ours', durable: true }, ['init', '--quiet', '--bare', `--object-format=${format}`])
  appendFileSync(join(path, 'config'), CONFIG)
  writeDurable(join(path, 'config'), readFileSync(join(path, 'config')))
  mkdirSync(join(path, 'info'), { recursive: true })
  writeDurable(join(path, 'info', 'attributes'), ATTRIBUTES)
  writeDurable(join(path, MARK), `${JSON.stringify({ store: VERSION, format, sum: sumOf(path) })}\n`)
}

/** Of what decides how the store treats bytes and what it runs. */
function sumOf(path: string): string {
  const hash = createHash('sha256')
  for (const name of ['config', join('info', 'attributes')]) hash.update(readFileSync(join(path, name))).update('\0')
  return hash.digest('hex')
}

type Mark = { store: number; format: ObjectFormat; sum: string }

function verified(path: string): Store {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (!entry?.isDirectory()) throw refused(path, entry ? 'it is no folder' : 'it has been taken away')
  const mark = readMark(path)
  if (mark.store > VERSION) {
    throw refused(path, `it was made by a newer Greenlatch (its form is ${mark.store}, this one knows ${VERSION})`, 'greenlatch --version')
  }
  const missing = ['HEAD', 'objects', 'refs', 'config', join('info', 'attributes')].find((name) => !existsSync(join(path, name)))
  if (missing !== undefined) throw refused(path, `it is damaged: ${missing} is missing`)
  if (sumOf(path) !== mark.sum) throw refused(path, 'its configuration or attributes are no longer what Greenlatch wrote')
  if (existsSync(join(path, 'objects', 'info', 'alternates'))) throw refused(path, 'it borrows objects from elsewhere')
  return { path, format: mark.format }
}

function readMark(path: string): Mark {
  try {
    const mark = JSON.parse(readFileSync(join(path, MARK), 'utf8')) as Partial<Mark>
    const { store, format, sum } = mark
    if (typeof store === 'number' && (format === 'sha1' || format === 'sha256') && typeof sum === 'string') return { store, format, sum }
  } catch (error) {
    if (errnoOf(error) === 'EACCES') throw stateRefusal(error, path, 'greenlatch path')
  }
  throw refused(path, `it is only half made, or none of ours: ${MARK} is missing or unreadable`)
}

function refused(path: string, why: string, next: string = `mv ${quoteWord(path)} ${quoteWord(`${path}.damaged`)}`): Refusal {
  return new Refusal(EXIT.state, `the store ${printable(path)} cannot be used: ${why}`, next)
}
