// Makes a folder equal to a tree: what stood there goes to salvage first, and only files that differ are written.
import { readdirSync, rmdirSync } from 'node:fs'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { printable } from '../../files/durable.js'
import { git, GitError } from '../../git/git.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { changedEntries, type Change } from './changes.js'
import { entryAt, isFilled, isReached, prefixesOf, staysInside } from './nested.js'
import { salvage } from './salvage.js'
import { setAside } from './salvage-aside.js'
import { snapshot, standsOn, type Site } from './snapshot.js'
import { clearClosed } from './snapshot-obstacles.js'
import { over } from './store.js'

export type StandRequest = Site & {
  session: string
  /** What the folder shall be equal to. */
  tree: Tree
  /** Milliseconds; written into the salvage. */
  at: number
  /** One line: why it is put back. */
  why: string
}

export type Stood = {
  /** The ref what stood there was kept under; null when nothing had to be changed. */
  salvaged: string | null
  /** At most 100 of the paths that were changed, and how many there were. */
  changed: { paths: BytePath[]; count: number }
  notices: string[]
}

type Entry = Omit<Change, 'lines'>

const MOST_PATHS = 100
const MOST_TRIES = 3
const SUBMODULE = '160000'

/** Ignored files stay. May be repeated after a crash at any point; each different state that stood there is in salvage. */
export async function stand(request: StandRequest): Promise<Stood> {
  const { store, session, tree, at, why } = request
  if (await standsOn(request, tree)) {
    await pruneEmptied(request)
    return { salvaged: null, changed: { paths: [], count: 0 }, notices: [] }
  }
  const notices: string[] = []
  let first: Pick<Stood, 'salvaged' | 'changed'> = { salvaged: null, changed: { paths: [], count: 0 } }
  let fault: Error = keepsChanging(request.folder)
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const found = await snapshot(request)
    notices.push(...found.notices)
    if (found.tree === tree) {
      await pruneEmptied(request)
      return { ...first, notices }
    }
    const entries = await changedEntries(store, found.tree, tree)
    // The tree last known to stand there is under a name already.
    const salvaged = found.tree === request.base ? null : await salvage(store, { session, tree: found.tree, message: why, at })
    if (tries === 1) first = { salvaged, changed: listed(salvaged === null || request.base === tree ? entries : await changedEntries(store, request.base, found.tree)) }
    try {
      await restore(request, tree, entries, notices)
      if (await standsOn({ ...request, base: tree }, tree)) {
        // An attempt before this one may have been cut off halfway, and the index no longer knows of files that it had taken away.
        if (tries > 1 || found.tree !== request.base) await pruneEmptied(request)
        return { ...first, notices }
      }
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      fault = explained(error, request.folder)
    }
  }
  throw fault
}

/** What stood there otherwise than it was left. */
function listed(entries: readonly Entry[]): Stood['changed'] {
  return { paths: entries.slice(0, MOST_PATHS).map(({ path }) => path), count: entries.length }
}

/** What a restore that was killed between a folder's last file and the folder itself has left: git sees no empty folders. */
async function pruneEmptied({ store, folder, base, tree }: StandRequest): Promise<void> {
  if (base === tree) return
  const gone = (await changedEntries(store, base, tree)).filter(({ newMode }) => newMode === '000000')
  const emptied = [...new Set(gone.flatMap(({ path }) => prefixesOf(path)))].toSorted((a, b) => b.length - a.length)
  for (const path of emptied) {
    if (!entryAt(folder, path)?.isDirectory() || !isReached(folder, path)) continue
    if (readdirSync(rawPath(`${bytePath(folder)}/${path}`)).length === 0) rmdirSync(rawPath(`${bytePath(folder)}/${path}`))
  }
}

/** Git itself goes through no link on the way: a link where a folder belongs is replaced, and what it leads to stays as it is. */
export async function restore(site: Site, tree: Tree, entries: readonly Entry[], notices: string[]): Promise<void> {
  const odd = entries.find(({ path }) => !staysInside(path) || /(^|\/)\.git(\/|$)/i.test(path))
  if (odd) throw new Refusal(EXIT.guard, `a tree with the path ${shownPath(odd.path)} is refused: it leads elsewhere`, `ls -la ${quoteWord(site.folder)}`)
  for (const path of inTheWay(site.folder, entries)) {
    if (site.strays !== 'aside') throw standsInTheWay(site.folder, path)
    notices.push(setAside(site, path, 'it is not part of any tree and stood where a file belongs'))
  }
  const parents = new Set(entries.flatMap(({ path }) => prefixesOf(path)))
  await clearClosed(site, ['.', ...parents], notices)
  await git(over(site.store, site.folder, site.index), ['read-tree', '--reset', '-u', tree])
}

/** What git would overwrite or leave behind without a word: ignored files where tracked ones belong, and what fills submodules. */
export function inTheWay(folder: string, entries: readonly Entry[]): BytePath[] {
  const leaving = new Set(entries.filter(({ newMode }) => newMode === '000000').map(({ path }) => path))
  const found = entries.flatMap(({ path, status, oldMode, newMode }) => {
    if (newMode === SUBMODULE) return isFilled(folder, path) && holdsMoreThan(folder, path, leaving) ? [path] : []
    if (oldMode === SUBMODULE) return isFilled(folder, path) ? [path] : []
    return status === 'added' ? obstacleOf(folder, path, leaving) : []
  })
  return [...new Set(found)]
}

/** The nearest thing on the way to `path` that is no folder, or a filled folder where the file itself belongs. */
function obstacleOf(folder: string, path: BytePath, leaving: ReadonlySet<BytePath>): BytePath[] {
  for (const prefix of prefixesOf(path)) {
    const entry = entryAt(folder, prefix)
    if (!entry) return []
    if (!entry.isDirectory()) return leaving.has(prefix) ? [] : [prefix]
  }
  const entry = entryAt(folder, path)
  if (!entry || leaving.has(path)) return []
  return entry.isDirectory() && !holdsMoreThan(folder, path, leaving) ? [] : [path]
}

/** Whether a folder holds anything besides files that are about to leave: those are in salvage. */
function holdsMoreThan(folder: string, path: BytePath, leaving: ReadonlySet<BytePath>): boolean {
  return readdirSync(rawPath(`${bytePath(folder)}/${path}`), { encoding: 'latin1', withFileTypes: true }).some((entry) => {
    const inside = `${path}/${entry.name}`
    return entry.isDirectory() ? holdsMoreThan(folder, inside, leaving) : !leaving.has(inside)
  })
}

function keepsChanging(folder: string): Refusal {
  return new Refusal(EXIT.state, `${printable(folder)} cannot be put back: it keeps changing`, `ls -la ${quoteWord(folder)}`)
}

function standsInTheWay(folder: string, path: BytePath): Refusal {
  const why = 'it is ignored, or belongs to a submodule, and would be lost'
  return new Refusal(EXIT.guard, `${shownPath(path)} stands where a file of the tree belongs: ${why}`, `ls -la ${quoteWord(folder)}`)
}

function explained(error: GitError, folder: string): GitError {
  const { code, command, status, stderr } = error
  const explanation = `${printable(folder)} cannot be put back, and what stood there is kept in salvage: ${error.explanation}`
  return new GitError({ code, command, status, stderr, explanation, next: `ls -la ${quoteWord(folder)}` })
}
