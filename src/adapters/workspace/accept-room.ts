// The room of an accept under way: what it sets out to do is on disk before it does it, so that a crash can be put right.
import { lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import type { BytePath } from '../../files/byte-path.js'
import { errnoOf, makeFolder, printable, syncFolder, writeDurable } from '../../files/durable.js'
import { git, type GitOptions, type GitOutput, type Repository } from '../../git/git.js'
import type { WorkTreeFacts } from '../../git/inspect.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { objectsOf, type Store } from './store.js'

export type Room = {
  path: string
  /** A copy of the user's index as it was, and the one that shall take its place. */
  before: string
  index: string
  /** For commits that are not in the user's repository yet. */
  objects: string
}

/** A result on its way into the user's repository. */
export type Landing = Pick<WorkTreeFacts, 'topLevel' | 'gitDir' | 'commonDir' | 'objects'> & {
  session: string
  store: Store
  room: Room
  /** Where things of the user's are moved that stand in no commit. */
  aside: string
  /** A line for people. */
  say: (text: string) => void
}

/** From the commit `head` with the tree `from` to the tree `to`. `commit` is null until it is made, or when `git commit` makes it. */
export type CommitIntent = {
  kind: 'commit'
  result: Tree
  branch: string
  head: string
  from: Tree
  to: Tree
  commit: string | null
  newFolders: BytePath[]
}

export type FilesIntent = { kind: 'files'; result: Tree; before: Tree; to: Tree }

/** `result` is what the session delivered, whatever it has been merged into. */
export type Intent = CommitIntent | FilesIntent

/** It could neither be finished nor put back: the intent and the lock stay, for the next accept. */
export class HalfDone extends Refusal {}

export function roomOf(sessionFolder: string): Room {
  const path = join(sessionFolder, 'accept')
  return { path, before: join(path, 'before'), index: join(path, 'index'), objects: join(path, 'objects') }
}

/** An empty room. What an attempt without an intent has left is of no use. */
export function openRoom(room: Room): void {
  closeRoom(room)
  makeFolder(room.path)
  mkdirSync(room.objects)
}

/** The intent goes first: without it nothing in the room means anything. */
export function closeRoom({ path }: Room): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) return
  rmSync(intentPath(path), { force: true })
  syncFolder(path)
  rmSync(path, { recursive: true, force: true })
  syncFolder(dirname(path))
}

export function writeIntent({ path }: Room, intent: Intent): void {
  writeDurable(intentPath(path), `${JSON.stringify(intent)}\n`)
}

export function readIntent({ path }: Room): Intent | null {
  const file = intentPath(path)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Intent
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    const text = `${printable(file)} cannot be read, so what an accept was about is unknown`
    throw new Refusal(EXIT.state, text, `git status, then mv ${quoteWord(path)} ${quoteWord(`${path}.old`)}`)
  }
}

/** When it was last written, in milliseconds. */
export function intentTime({ path }: Room): number {
  return lstatSync(intentPath(path)).mtimeMs
}

function intentPath(path: string): string {
  return join(path, 'intent.json')
}

// ───────────────────────────── git in the user's repository ─────────────────────────────

/** Reads the result's objects where they are, and the user's own configuration: who they are, how lines end, what is signed. */
export function repositoryOf({ topLevel, gitDir, store, room }: Landing): Repository {
  return { gitDir, workTree: topLevel, config: 'foreign', userConfig: 'read', alternates: [objectsOf(store), room.objects], durable: true }
}

type Marked = Pick<Landing, 'session'>

/** Marked, so that what a killed process leaves running is ended before anything else is done. */
export function gitFor({ session }: Marked, repository: Repository, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return git(repository, args, { ...options, env: { GREENLATCH_SESSION: session, ...options.env } })
}
