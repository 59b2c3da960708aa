// Puts the user's files and index back as they were before a result began to land, also when it was cut off in the middle of a file.
import { rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { entriesOf } from '../../git/filters.js'
import { entriesIn, holdSame, indexOf, installIndex } from './accept-index.js'
import { gitFor, repositoryOf, type CommitIntent, type Landing } from './accept-room.js'
import { changedEntries } from './changes.js'
import { entryAt, isReached, prefixesOf } from './nested.js'
import { setAside } from './salvage-aside.js'
import { bare } from './store.js'

/** `<mode> <object>` by path. */
type Entries = ReadonlyMap<BytePath, string>

const WHY = 'it was neither what had been there nor what should come'

/** Call with the index held. What stands there and is neither old nor new is moved aside and said. */
export async function putBack(landing: Landing, intent: CommitIntent): Promise<void> {
  const { was, is } = await bothSides(landing, intent)
  const changed = await differing(landing, 'was', was)
  const foreign = await differing(landing, 'is', is)
  const { topLevel: top } = landing
  for (const path of new Set([...is.keys(), ...was.keys()])) {
    const isOld = was.has(path) && !changed.has(path)
    if (isOld || !entryAt(top, path) || !isReached(top, parentOf(path))) continue
    if (is.has(path) && !foreign.has(path)) rmSync(rawPath(`${bytePath(top)}/${path}`))
    else if (!isEmptyFolder(landing, path)) landing.say(setAside({ folder: top, aside: landing.aside }, path, WHY))
  }
  for (const path of intent.newFolders.toReversed()) removeEmpty(top, path)
  const input = rawPath([...changed].map((path) => `${path}\0`).join(''))
  const own = { ...repositoryOf(landing), index: sideIndex(landing, 'was') }
  if (changed.size > 0) await gitFor(landing, own, ['checkout-index', '-f', '-z', '--stdin'], { input })
  if (!(await holdSame(landing, indexOf(landing), landing.room.before))) installIndex(landing, landing.room.before)
}

/** Of the paths that were to be changed: what they were in the user's index, and what they are in the result. */
async function bothSides(landing: Landing, { from, to }: CommitIntent): Promise<{ was: Entries; is: Entries }> {
  const { store, room } = landing
  const paths = new Set((await changedEntries(store, from, to)).map(({ path }) => path))
  const before = (await entriesIn(landing, room.before)).filter(({ path }) => paths.has(path))
  // What a sparse checkout leaves out was never there.
  const sparse = new Set(before.filter(({ tag }) => tag === 'S').map(({ path }) => path))
  const after = (await entriesOf(bare(store), to)).filter(({ path }) => paths.has(path) && !sparse.has(path))
  return {
    was: new Map(before.filter(({ path }) => !sparse.has(path)).map(({ mode, object, path }) => [path, `${mode} ${object}`])),
    is: new Map(after.map(({ mode, id, path }) => [path, `${mode} ${id}`])),
  }
}

function sideIndex({ room }: Landing, side: 'was' | 'is'): string {
  return join(room.path, side)
}

/** Which of these files are not, or no longer, what the entry says: told by git, since files may be stored otherwise than they stand. */
async function differing(landing: Landing, side: 'was' | 'is', entries: Entries): Promise<ReadonlySet<BytePath>> {
  const index = sideIndex(landing, side)
  const own = { ...repositoryOf(landing), index }
  rmSync(index, { force: true })
  rmSync(`${index}.lock`, { force: true })
  const input = rawPath([...entries].map(([path, entry]) => `${entry}\t${path}\0`).join(''))
  await gitFor(landing, own, ['update-index', '-z', '--index-info'], { input })
  await gitFor(landing, own, ['update-index', '-q', '--refresh'], { accepts: [1] })
  return new Set((await gitFor(landing, own, ['diff-files', '--name-only', '-z'])).fields)
}

function parentOf(path: BytePath): BytePath {
  return prefixesOf(path).at(-1) ?? '.'
}

function isEmptyFolder({ topLevel }: Landing, path: BytePath): boolean {
  return entryAt(topLevel, path)?.isDirectory() === true && removeEmpty(topLevel, path)
}

function removeEmpty(top: string, path: BytePath): boolean {
  try {
    rmdirSync(rawPath(`${bytePath(top)}/${path}`))
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}
