// Checkpoints and salvage: commits in the store under refs of the session, each on disk before it is reported, none ever lost.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import type { Tree } from '../../core/types.js'
import { makeFolder, syncFolder, writeSynced } from '../../files/durable.js'
import { git, GitError } from '../../git/git.js'
import { makeRef } from './new-ref.js'
import { dropStaleLock } from './snapshot-lock.js'
import { bare, objectsOf, type Store } from './store.js'

/** `at` is in milliseconds and comes from the caller, so that the same checkpoint made twice is the same commit. */
export type Kept = { session: string; tree: Tree; parents: readonly string[]; message: string; at: number }

export type Checkpoint = Kept & {
  /** Below the session: `start`, `checkpoints/7`. */
  name: string
}

export type Salvage = Omit<Kept, 'parents'>

export type SalvageEntry = { ref: string; commit: string; tree: Tree }

const WHO = 'Greenlatch <greenlatch@localhost>'
const ROOT = 'refs/greenlatch'
const MOST_TRIES = 100

export function refOf(session: string, name: string): string {
  const ref = `${ROOT}/${session}/${name}`
  const isName = /^[\w./-]+$/.test(ref) && !/\.\.|\/\/|\/\.|\.lock(\/|$)|\.$|\/$/.test(ref)
  if (!isName) throw new Error(`${JSON.stringify(ref)} is no name for a ref`)
  return ref
}

/** The commit, durable. Repeating it changes nothing; a different commit under the same name goes to salvage first. */
export async function keep(store: Store, checkpoint: Checkpoint): Promise<string> {
  const ref = refOf(checkpoint.session, checkpoint.name)
  const commit = await writeCommit(store, checkpoint)
  if (await point(store, ref, commit, null)) return commit
  const before = await commitAt(store, ref)
  if (before === commit) return commit
  if (before !== null) await keepCommit(store, checkpoint.session, before)
  if (!(await point(store, ref, commit, before))) throw new Error(`${ref} was changed by two processes at once`)
  return commit
}

/** Keeps a tree before it is replaced. When it is what was salvaged last, that one serves: work repeated after a crash adds nothing. */
export async function salvage(store: Store, { session, tree, message, at }: Salvage): Promise<string> {
  const last = (await salvaged(store, session)).at(-1)
  if (last?.tree === tree) return last.ref
  return keepCommit(store, session, await writeCommit(store, { session, tree, parents: [], message, at }))
}

/** Oldest first. */
export async function salvaged(store: Store, session: string): Promise<SalvageEntry[]> {
  const format = '--format=%(refname) %(objectname) %(tree)'
  const { text } = await git(bare(store), ['for-each-ref', format, `${refOf(session, 'salvage')}/`])
  const entries = text.split('\n').filter((line) => line !== '').map((line) => {
    const [ref = '', commit = '', tree = ''] = line.split(' ')
    return { ref, commit, tree }
  })
  return entries.toSorted((a, b) => numberOf(a.ref) - numberOf(b.ref))
}

export async function commitAt(store: Store, ref: string): Promise<string | null> {
  const { code, text } = await git(bare(store), ['rev-parse', '--verify', '--quiet', '--end-of-options', ref], { accepts: [1] })
  return code === 0 ? text : null
}

async function keepCommit(store: Store, session: string, commit: string): Promise<string> {
  const known = await salvaged(store, session)
  const same = known.find((entry) => entry.commit === commit)
  if (same) return same.ref
  const first = numberOf(known.at(-1)?.ref ?? '0') + 1
  for (let number = first; number < first + MOST_TRIES; number += 1) {
    const ref = refOf(session, `salvage/${number}`)
    if (await point(store, ref, commit, null)) return ref
  }
  throw new Error(`no number is free below ${refOf(session, 'salvage')}`)
}

function numberOf(ref: string): number {
  return Number(ref.slice(ref.lastIndexOf('/') + 1))
}

/** Written by ourselves, as a loose object, since a process for it would be a quarter of all that a checkpoint in a small folder costs. */
async function writeCommit(store: Store, { session, tree, parents, message, at }: Kept): Promise<string> {
  const when = `${WHO} ${Math.floor(at / 1000)} +0000`
  const said = message.replaceAll('\0', '')
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${when}`, `committer ${when}`, '', said, '']
  const body = Buffer.from(lines.join('\n'))
  const bytes = Buffer.concat([Buffer.from(`commit ${body.length}\0`), body])
  const name = createHash(store.format).update(bytes).digest('hex')
  const path = join(objectsOf(store), name.slice(0, 2), name.slice(2))
  if (isWhole(path, bytes)) {
    // Whoever made it may have been killed before its name was durable.
    syncFolder(dirname(path))
    return name
  }
  // What a killed process leaves of it must not lie among the objects, where git would call it damage.
  const draft = join(draftsOf(store, session), name)
  for (const folder of [dirname(draft), dirname(path)]) makeFolder(folder)
  writeSynced(draft, deflateSync(bytes))
  renameSync(draft, path)
  syncFolder(dirname(path))
  dropDrafts(store, session)
  return name
}

/** A power cut may leave a name with nothing behind it, and nobody looks at a commit again once it has a ref. */
function isWhole(path: string, bytes: Buffer): boolean {
  try {
    return inflateSync(readFileSync(path)).equals(bytes)
  } catch {
    return false
  }
}

function draftsOf({ path }: Pick<Store, 'path'>, session: string): string {
  return join(path, 'drafts', session)
}

/** For the owner of the session alone: what lies there was left by a process that was killed. */
export function dropDrafts(store: Pick<Store, 'path'>, session: string): void {
  rmSync(draftsOf(store, session), { recursive: true, force: true })
}

/** Moves a ref from `before` (null: not there) to `commit`. False when it stands elsewhere. */
async function point(store: Store, ref: string, commit: string, before: string | null): Promise<boolean> {
  const folder = dirname(join(store.path, ref))
  const isNew = !existsSync(folder)
  await dropStaleLock(join(store.path, ref))
  const made = before === null ? makeRef(store, ref, commit) : 'ask git'
  if (made === 'taken' || (made === 'ask git' && !(await updateRef(store, ref, commit, before)))) return false
  for (const path of isNew ? foldersUp(folder, store.path) : [folder]) syncFolder(path)
  return true
}

async function updateRef(store: Store, ref: string, commit: string, before: string | null): Promise<boolean> {
  try {
    await git(bare(store), ['update-ref', '--no-deref', ref, commit, before ?? '0'.repeat(commit.length)])
    return true
  } catch (error) {
    if (error instanceof GitError && /already exists|but expected/.test(error.stderr)) return false
    throw error
  }
}

function foldersUp(from: string, to: string): string[] {
  return from === to ? [to] : [from, ...foldersUp(dirname(from), to)]
}
