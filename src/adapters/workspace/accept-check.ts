// Looks, before anything of the user's is touched, whether a result would overwrite something that is in no commit.
import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { writeDurable } from '../../files/durable.js'
import { GitError, type Repository } from '../../git/git.js'
import { hiddenIn, unhide } from '../../git/hidden.js'
import { copyIndex } from '../../git/status.js'
import { counted } from '../../text/amounts.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { indexOf } from './accept-index.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'
import { changedEntries } from './changes.js'
import { entryAt, prefixesOf } from './nested.js'
import { inTheWay } from './restore.js'

/** From the tree of the user's HEAD to the one that shall be there. */
export type Way = { head: string; from: Tree; to: Tree }

const MOST_NAMED = 5

/**
 * Copies the user's index into the room, and throws Refusal when the way is not free. Call with the index held. Returns the folders that
 * will be new.
 */
export async function clearTheWay(landing: Landing, way: Way): Promise<BytePath[]> {
  const { room, topLevel, store } = landing
  copyBoth(landing)
  const entries = await changedEntries(store, way.from, way.to)
  const own = { ...repositoryOf(landing), workTree: topLevel, index: room.index }
  const hidden = await hiddenIn(own)
  const changed = await changedIn(landing, own, way.head)
  const changedBehind = hidden.length === 0 ? new Set<BytePath>() : await changedBehindBits(landing, hidden, way.head)
  const overwritten = entries.map(({ path }) => path).filter((path) => changed.has(path))
  if (overwritten.length > 0) throw wouldBeLost(overwritten, `git stash && greenlatch accept ${landing.session}`)
  const unseen = entries.map(({ path }) => path).find((path) => changedBehind.has(path))
  if (unseen !== undefined) throw wouldBeLostUnseen(unseen, landing.session)
  const blocking = inTheWay(topLevel, entries)
  const what = blocking.length === 1 ? 'it' : 'them'
  if (blocking.length > 0) throw wouldBeLost(blocking, `move ${what} elsewhere, then greenlatch accept ${landing.session}`)
  await tryOut(landing, own, way)
  return newFolders(topLevel, entries.filter(({ newMode }) => newMode !== '000000').map(({ path }) => path))
}

/** One to put back, which is there whole or not at all, and one to work with. */
function copyBoth({ gitDir, room }: Landing): void {
  const index = indexOf({ gitDir })
  if (!existsSync(index)) throw new Refusal(EXIT.usage, 'the repository has no index: every file counts as deleted', 'git reset')
  const { atime, mtime } = statSync(index)
  writeDurable(room.before, readFileSync(index))
  utimesSync(room.before, atime, mtime)
  copyIndex(index, room.index)
}

/** Refreshes the index. */
async function changedIn(landing: Landing, own: Repository, head: string): Promise<ReadonlySet<BytePath>> {
  await gitFor(landing, own, ['update-index', '-q', '--refresh'], { accepts: [1] })
  return new Set((await gitFor(landing, own, ['diff-index', '--name-only', '-z', head])).fields)
}

/** Through an index of its own: the one that takes the place of the user's keeps its bits. */
async function changedBehindBits(landing: Landing, hidden: readonly BytePath[], head: string): Promise<ReadonlySet<BytePath>> {
  const index = copyIndex(indexOf(landing), join(landing.room.path, 'look'))
  const look = { ...repositoryOf(landing), workTree: landing.topLevel, index }
  await unhide(look, hidden)
  return changedIn(landing, look, head)
}

/** Git's own look at the same question, which has the last word. */
async function tryOut(landing: Landing, own: Repository, { head, to }: Way): Promise<void> {
  try {
    await gitFor(landing, own, ['read-tree', '-m', '-u', '--dry-run', head, to])
  } catch (error) {
    if (!(error instanceof GitError) || error.code === EXIT.locked) throw error
    throw new Refusal(EXIT.usage, `your files do not let the result through: ${error.explanation}`, 'git status')
  }
}

function wouldBeLost(paths: readonly BytePath[], next: string): Refusal {
  const named = [...paths.slice(0, MOST_NAMED).map(shownPath), ...(paths.length > MOST_NAMED ? ['…'] : [])].join(', ')
  const are = paths.length === 1 ? 'is' : 'are'
  return new Refusal(EXIT.usage, `${counted(paths.length, 'file')} of yours would be overwritten and ${are} not committed: ${named}`, next)
}

function wouldBeLostUnseen(path: BytePath, session: string): Refusal {
  const text = `${shownPath(path)} of yours would be overwritten and is not committed; git is told to take it for unchanged`
  const name = quoteWord(rawPath(path).toString('utf8'))
  const flags = ['--no-assume-unchanged', '--no-skip-worktree'].map((flag) => `git update-index ${flag} ${name}`).join(' && ')
  return new Refusal(EXIT.usage, text, `${flags} && git stash && greenlatch accept ${session}`)
}

function newFolders(top: string, paths: readonly BytePath[]): BytePath[] {
  const folders = new Set(paths.flatMap(prefixesOf))
  return [...folders].filter((path) => !entryAt(top, path)).toSorted()
}
