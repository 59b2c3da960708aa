// What the user has trusted: one small file for each repository, in the user's own state folder and never inside a repository.
import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder, printable, stateRefusal, writeDurable } from '../files/durable.js'
import type { Executable, Parts } from './executable.js'
import { type Environment, realPath, repositoryId, stateHome } from './locate.js'

/** Where it is kept: settings have no say in it, since those of a repository would then vouch for themselves. */
export type StorePlace = { env: Environment; home: string }

/** `hashes`: all that were trusted here, newest first. `parts`: those of the newest, to tell what has changed since. */
export type Grants = { hashes: string[]; parts: Parts | null; at: string | null }

const NONE: Grants = { hashes: [], parts: null, at: null }
/** Switching between branches shall not ask each time. */
const MOST_HASHES = 20
const OTHERS_WRITE = 0o022
const HASH = /^[0-9a-f]{64}$/

export function trustPath(root: string, { env, home }: StorePlace): string {
  return join(stateHome({ env, home }), 'trust', `${repositoryId(root)}.json`)
}

/** A file that cannot be read as one of ours grants nothing. Throws Refusal for one that another user could have written. */
export function readGrants(root: string, place: StorePlace): Grants {
  const path = trustPath(root, place)
  refuseForeign(path)
  try {
    const read = JSON.parse(readFileSync(path, 'utf8')) as { version?: unknown; root?: unknown; hashes?: unknown; parts?: unknown; at?: unknown }
    if (read.version !== 1 || read.root !== realPath(root) || !Array.isArray(read.hashes)) return NONE
    const hashes = read.hashes.filter((hash): hash is string => typeof hash === 'string' && HASH.test(hash))
    return { hashes, parts: typeof read.parts === 'object' ? (read.parts as Parts | null) : null, at: typeof read.at === 'string' ? read.at : null }
  } catch {
    return NONE
  }
}

/** Durable when it returns. What is trusted already is left as it is. */
export function writeGrant(root: string, { hash, shown }: Executable, place: StorePlace, now: Date = new Date()): void {
  const before = readGrants(root, place)
  if (before.hashes[0] === hash) return
  const hashes = [hash, ...before.hashes.filter((other) => other !== hash)].slice(0, MOST_HASHES)
  write(root, place, { hashes, parts: shown, at: now.toISOString() })
}

/** Nothing of this repository is trusted any more. */
export function dropGrants(root: string, place: StorePlace): void {
  if (readGrants(root, place).hashes.length > 0) write(root, place, NONE)
}

function write(root: string, place: StorePlace, grants: Grants): void {
  makeFolder(join(stateHome(place), 'trust'))
  writeDurable(trustPath(root, place), `${JSON.stringify({ version: 1, root: realPath(root), ...grants }, null, 2)}\n`)
}

/** Who can write to the file, or put another in its place, decides what we run. */
function refuseForeign(path: string): void {
  if (process.geteuid === undefined) return
  for (const each of [join(path, '..'), path]) {
    const entry = entryAt(each)
    if (!entry) continue
    const what = entry.isSymbolicLink() ? 'is a link' : ![0, process.geteuid(), sudoUser()].includes(entry.uid) ? 'belongs to another user' : (entry.mode & OTHERS_WRITE) !== 0 ? 'can be written to by others' : null
    if (what !== null) throw new Refusal(EXIT.state, `what was trusted cannot be believed: ${printable(each)} ${what}`, `ls -ld ${printable(each)}`)
  }
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw stateRefusal(error, path, `ls -ld ${printable(dirname(path))}`)
  }
}

/** The user who called sudo is the same person. */
function sudoUser(): number {
  const user = Number(process.env['SUDO_UID'] ?? Number.NaN)
  return process.geteuid?.() === 0 && Number.isInteger(user) ? user : 0
}

/** Those that a flag or GREENLATCH_TRUST names. Throws Refusal for what is no hash. */
export function namedHashes(words: readonly string[], by: string): string[] {
  const named = words.flatMap((word) => word.split(',')).map((word) => word.trim().toLowerCase()).filter((word) => word !== '')
  const wrong = named.find((word) => !HASH.test(word))
  if (wrong === undefined) return named
  throw new Refusal(EXIT.usage, `${by}: expected a hash of 64 digits as \`greenlatch trust show\` prints it, found "${printable(wrong.slice(0, 80))}"`, 'greenlatch trust show')
}
