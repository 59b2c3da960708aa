// Puts a clean copy back after checks have run in it: for the next gate, or as a clean copy of another tree.
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, pathText, rawPath, type BytePath } from '../../files/byte-path.js'
import { printable } from '../../files/durable.js'
import { git } from '../../git/git.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { changedEntries } from './changes.js'
import { excludesPath } from './checkout-mark.js'
import { removeTree } from './checkout-remove.js'
import { CLOSED, tellsChanges, timeless, walkBelow, type Walked } from './copy-walk.js'
import { findKept, giveDependencies, type Kept } from './dependencies-kept.js'
import { prefixesOf, requireFolder } from './nested.js'
import { over, type Store } from './store.js'

/** A copy as it was handed out; `walked` is all that we put there. `room` is where dependencies are kept. */
export type Used = { store: Store; folder: string; index: string; tree: Tree; kept: Kept | null; walked: Walked; room: string }

/** More is quicker made from the beginning. */
const MOST_CHANGES = 2000
/** Each is copied by a process of its own. */
const MOST_COPIED = 50
/** Folders closed to us show one level at a time. */
const MOST_LOOKS = 20
const GIT_INDEX = '.git/index'

/** The uppermost paths where something else stands than was handed out, or nothing, or something new. Only folders lead to each. */
function spoiltIn(before: Walked, now: Walked): BytePath[] {
  const other = new Set<BytePath>()
  for (const [path, identity] of now) if (before.get(path) !== identity) other.add(path)
  for (const path of before.keys()) if (!now.has(path)) other.add(path)
  return [...other].filter((path) => !isBelow(path, other)).toSorted()
}

function isBelow(path: BytePath, roots: ReadonlySet<BytePath>): boolean {
  return prefixesOf(path).some((prefix) => roots.has(prefix))
}

// ───────────────────────────── for the next gate ─────────────────────────────

export type PutBack = { paths: BytePath[]; walked: Walked; isReusable: boolean }

/** The tree and the dependencies are as they were handed out; what the tree ignores stays. Throws Refusal when they cannot be. */
export async function putBack(used: Used): Promise<PutBack> {
  const { walked, kept } = used
  requireFolder(used.folder)
  const spoilt = spoiltIn(walked, await look(used)).filter((path) => !isOwn(path) && (walked.has(path) || isDependency(kept, path)))
  const isGiven = await mend(used, spoilt, used.tree)
  const strays = (await strangersIn(used)).filter((path) => !isDependency(kept, path))
  for (const path of strays) remove(used, path)
  const roots = new Set(spoilt)
  const now = await walkBelow(used.folder, spoilt)
  const before = [...walked.keys()].filter((path) => roots.has(path) || isBelow(path, roots))
  const wrong = [...new Set([...before, ...now.keys()])].filter((path) => timeless(walked.get(path)) !== timeless(now.get(path)))
  if (!isGiven || wrong.some((path) => isDependency(kept, path))) throw cannotPutBack(used.folder)
  const paths = [...spoilt.filter((path) => walked.has(path)), ...strays]
  return { paths, walked: new Map([...walked, ...now]), isReusable: wrong.length === 0 }
}

/** Files that are neither in the tree nor ignored. A repository inside is one name. */
async function strangersIn({ store, folder, index }: Used): Promise<BytePath[]> {
  const settings = { 'core.excludesFile': excludesPath(folder) }
  const { fields } = await git(over(store, folder, index), ['ls-files', '--others', '--exclude-standard', '-z'], { settings })
  return fields.map((path) => path.replace(/\/$/, ''))
}

function cannotPutBack(folder: string): Refusal {
  const why = 'a gate changed its dependencies, and the copy they came from is gone'
  return new Refusal(EXIT.state, `${printable(folder)} cannot be made clean again: ${why}`, `ls -la ${quoteWord(folder)}`)
}

// ───────────────────────────── for another tree ─────────────────────────────

/**
 * What stands there afterwards, or null when that is not surely the wished tree with the same dependencies: then it has to be made from
 * the beginning. What has neither another time nor another size was written by us; everything else is removed and written again.
 */
export async function renew(used: Used, wish: { tree: Tree; start: Tree }): Promise<Walked | null> {
  const { store, folder } = used
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null
  const spoilt = spoiltIn(used.walked, await look(used))
  const entries = (await changedEntries(store, used.tree, wish.tree)).map(({ path }) => path)
  if (!isMendable(used, spoilt, entries) || !(await mend(used, spoilt, wish.tree))) return null
  if (spoilt.includes(GIT_INDEX)) await git(over(store, folder, join(folder, GIT_INDEX)), ['read-tree', wish.start])
  const walked = await walkBelow(folder)
  return tellsChanges(walked) && isAsWished(used.walked, walked, spoilt, entries) ? walked : null
}

function isMendable({ kept, walked }: Used, spoilt: readonly BytePath[], entries: readonly BytePath[]): boolean {
  if (spoilt.length > MOST_CHANGES || spoilt.some((path) => isOwn(path) && path !== GIT_INDEX)) return false
  if (spoilt.filter((path) => walked.has(path) && isDependency(kept, path)).length > MOST_COPIED) return false
  return !entries.some((path) => isDependency(kept, path) || (kept?.paths ?? []).some((own) => bytePath(own).startsWith(`${path}/`)))
}

/** Each difference between what was handed out and what stands there now is one we made, and came out as it was before. */
function isAsWished(before: Walked, now: Walked, spoilt: readonly BytePath[], entries: readonly BytePath[]): boolean {
  const [mended, moved] = [new Set(spoilt), new Set(entries.flatMap((path) => [path, ...prefixesOf(path)]))]
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const [was, is] = [before.get(path), now.get(path)]
    if (was === is || moved.has(path) || path === GIT_INDEX) continue
    if (!mended.has(path) && !isBelow(path, mended)) return false
    if (timeless(was) !== timeless(is)) return false
  }
  return true
}

// ───────────────────────────── both ─────────────────────────────

/** The repository of the copy, which is nobody's work. */
function isOwn(path: BytePath): boolean {
  return path === '.git' || path.startsWith('.git/')
}

function isDependency(kept: Kept | null, path: BytePath): boolean {
  return (kept?.paths ?? []).some((own) => path === bytePath(own) || path.startsWith(`${bytePath(own)}/`))
}

/** What stands there, once folders have the rights back that they were handed out with. */
async function look({ folder, walked }: Used): Promise<Walked> {
  for (let tries = 1; ; tries += 1) {
    const now = await walkBelow(folder)
    const turned = [...now].filter(([path, is]) => is !== walked.get(path) && isFolder(walked.get(path)) && (isFolder(is) || is === CLOSED))
    if (turned.length === 0 || tries === MOST_LOOKS) return now
    for (const [path] of turned) chmodSync(rawPath(`${bytePath(folder)}/${path}`), rightsIn(walked.get(path)))
  }
}

function rightsIn(identity: string | undefined): number {
  return Number.parseInt((identity ?? '').slice('folder '.length), 8)
}

function isFolder(identity: string | undefined): boolean {
  return identity?.startsWith('folder ') === true
}

/** Removes what stands at these paths and writes what belongs there. False when there is nothing to give dependencies from. */
async function mend(used: Used, spoilt: readonly BytePath[], tree: Tree): Promise<boolean> {
  const { store, folder, index, kept, walked, room } = used
  for (const path of spoilt) remove(used, path)
  const isAnother = tree !== used.tree || spoilt.some((path) => !isDependency(kept, path))
  if (isAnother) await git(over(store, folder, index), ['read-tree', '--reset', '-u', tree])
  const lost = (kept?.paths ?? []).filter((own) => isBelow(bytePath(own), new Set(spoilt)))
  const found = spoilt.filter((path) => walked.has(path) && isDependency(kept, path))
  const missing = [...found.map(pathText), ...lost]
  if (missing.length === 0) return true
  if (!kept || found.some((path) => bytePath(pathText(path)) !== path) || !(await findKept(room, kept.key))) return false
  await giveDependencies(room, kept, folder, { paths: missing })
  return true
}

function remove({ folder }: Used, path: BytePath): void {
  const text = pathText(path)
  if (bytePath(text) === path) removeTree(join(folder, text))
  else rmSync(rawPath(`${bytePath(folder)}/${path}`), { recursive: true, force: true })
}
