// Takes what stands in a folder into the store as a tree, and tells without writing whether a folder still stands on a tree.
import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import type { BytePath } from '../../files/byte-path.js'
import { makeFolder, printable } from '../../files/durable.js'
import { git, GitError } from '../../git/git.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { closedFolders, foldersGrow, foldersOf, repositoriesIn, requireFolder } from './nested.js'
import { add, complains, type Added, type How, type Site } from './snapshot-add.js'
import { dropStaleLock } from './snapshot-lock.js'
import { clearBlockers, clearClosed, clearObstacles, clearRepository, forget } from './snapshot-obstacles.js'
import { clearUnseen } from './snapshot-unseen.js'
import { coverEmpty, filledSubmodules, holdFiles, throughCopy } from './snapshot-submodules.js'
import { emptyTree, over } from './store.js'

export type { Site } from './snapshot-add.js'

/** `notices` are lines for people: what was moved aside, opened, made again or could not be kept. */
export type Snapshot = { tree: Tree; notices: string[] }

const MOST_TRIES = 20
const PAUSE_MILLISECONDS = 40

/** Durable when it returns. Throws Refusal, of which GitError is one, and has then lost nothing. */
export async function snapshot(site: Site): Promise<Snapshot> {
  const notices: string[] = []
  requireFolder(site.folder)
  const how = await readyIndex(site, notices)
  try {
    return { tree: await take(site, how, notices), notices }
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== EXIT.state) throw error
    await makeIndex(site)
    const tree = await take(site, how, notices)
    return { tree, notices: [...notices, `the index ${printable(site.index)} was damaged and has been made again`] }
  }
}

/** Whether the folder stands on `tree`, told without writing anything at all when it does. */
export async function standsOn(site: Site, tree: Tree): Promise<boolean> {
  requireFolder(site.folder)
  if (!existsSync(site.index) || existsSync(`${site.index}.lock`)) return false
  try {
    const { folders } = await foldersOf(site.store, site.base)
    const populated = await populatedIn(site)
    if (site.strays === 'aside' && populated.length > 0) return false
    if ((await closedFolders(site.folder, folders)).length > 0) return false
    if (await holdFiles(site, await filledSubmodules(site))) return false
    // Hiding submodules from git is written into the index.
    return await (populated.length === 0 ? looksLike(site, tree, []) : throughCopy(site, (copy) => looksLike(copy, tree, populated)))
  } catch (error) {
    if (error instanceof GitError && error.code === EXIT.state) return false
    throw error
  }
}

async function looksLike(site: Site, tree: Tree, populated: readonly BytePath[]): Promise<boolean> {
  if (populated.length === 0 && (await treeOfIndex(site)) !== tree) return false
  const looked = await add(site, 'look', populated)
  if (!('output' in looked) || looked.output.code !== 0 || looked.output.stdout.length > 0) return false
  if (complains(looked.output.stderr)) return false
  return populated.length === 0 || (await treeOfIndex(site)) === tree
}

async function take(site: Site, how: How, notices: string[]): Promise<Tree> {
  const { added: first, populated, filled } = await addFirst(site, how, notices)
  const paths = pathsAdded(first)
  let added = first
  for (let tries = 1; (await clear(site, added, notices)) === 'try-again'; tries += 1) {
    if (tries === MOST_TRIES) throw await complaint(site)
    await sleep(PAUSE_MILLISECONDS)
    added = await add(site, how, populated)
    paths.push(...pathsAdded(added))
  }
  await coverEmpty(site, filled)
  const tree = await treeOfIndex(site)
  if (site.strays === 'aside' && filled.length === 0) await foldersGrow(site.store, site.base, tree, paths)
  return tree
}

/** Takes out of the way what kept git from seeing or taking in everything. */
async function clear(site: Site, added: Added, notices: string[]): Promise<'try-again' | 'rest-stays'> {
  if ('blockers' in added) clearBlockers(site, added.blockers, notices)
  if ('unseen' in added) await clearUnseen(site, notices)
  if (!('output' in added)) return 'try-again'
  const { code, stdout, stderr } = added.output
  const seen = complains(stderr) ? await clearUnseen(site, notices) : 'rest-stays'
  const strangers = stdout.includes("/'\n") ? await strangersIn(site) : []
  if (strangers.length > 0) await clearStrangers(site, strangers, notices)
  if (strangers.length > 0 || seen === 'try-again') return 'try-again'
  return code === 0 ? 'rest-stays' : clearObstacles(site, notices)
}

/** Out of lines like `add 'src/x'`. A path with a line break comes out as another that is not there. */
function pathsAdded(added: Added): BytePath[] {
  if (!('output' in added)) return []
  return [...added.output.stdout.toString('latin1').matchAll(/^add '(.*)'$/gm)].map(([, path = '']) => path)
}

/** `filled` are submodules that were taken out of the index, for git to see what lies in their folders. */
type First = { added: Added; populated: readonly BytePath[]; filled: readonly BytePath[] }

/** In a folder of ours git need not wait for what is looked for by name: mostly nothing is found, else git is asked again. */
async function addFirst(site: Site, how: How, notices: string[]): Promise<First> {
  if (site.strays !== 'aside') {
    const populated = await clearKnown(site, notices)
    const filled = await uncover(site)
    return { added: await add(site, how, populated), populated, filled }
  }
  const said = notices.length
  const [added, cleared] = await Promise.allSettled([add(site, how, []), clearKnown(site, notices)])
  if (cleared.status === 'rejected') throw cleared.reason
  const filled = await uncover(site)
  if (notices.length > said || filled.length > 0) return { added: await add(site, how, []), populated: [], filled }
  if (added.status === 'rejected') throw added.reason
  return { added: added.value, populated: [], filled }
}

async function uncover(site: Site): Promise<BytePath[]> {
  const filled = await filledSubmodules(site)
  if (filled.length > 0) await forget(site, filled)
  return filled
}

/** Writes nothing when the index already knows the names of its trees, as it does once this has been called. */
async function treeOfIndex({ store, folder, index }: Site): Promise<Tree> {
  return (await git(over(store, folder, index), ['write-tree'])).text
}

/** Nested repositories that git has just taken in as the name of a commit, though the tree before knows of no submodule there. */
async function strangersIn(site: Site): Promise<BytePath[]> {
  const { submodules } = await foldersOf(site.store, site.base)
  const { fields } = await git(over(site.store, site.folder, site.index), ['ls-files', '--stage', '-z'])
  const held = fields.filter((field) => field.startsWith('160000 ')).map((field) => field.slice(field.indexOf('\t') + 1))
  return site.strays === 'leave' ? [] : held.filter((path) => !submodules.includes(path))
}

async function clearStrangers(site: Site, strangers: readonly BytePath[], notices: string[]): Promise<void> {
  for (const path of strangers) clearRepository(site, path, notices)
  await forget(site, strangers)
}

/** Git's own words for what still does not work after all tries. */
async function complaint({ store, folder, index }: Site): Promise<Error> {
  try {
    await git(over(store, folder, index), ['add', '--all'])
    return new Refusal(EXIT.state, `${printable(folder)} keeps changing while it is looked at`, `ls -la ${quoteWord(folder)}`)
  } catch (error) {
    return error as Error
  }
}

/** Deals with what the last known tree lets us look for by name. Returns the submodules that are to be kept from git's eyes. */
async function clearKnown(site: Site, notices: string[]): Promise<BytePath[]> {
  const { folders, submodules } = await foldersOf(site.store, site.base)
  await clearClosed(site, ['.', ...folders], notices)
  if (site.strays !== 'aside') return populatedIn(site)
  const found = await repositoriesIn(site.folder, [...folders, ...submodules])
  for (const path of found) clearRepository(site, path.slice(0, -'/.git'.length), notices)
  return []
}

async function populatedIn(site: Site): Promise<BytePath[]> {
  const { submodules } = await foldersOf(site.store, site.base)
  return (await repositoriesIn(site.folder, submodules)).map((path) => path.slice(0, -'/.git'.length))
}

async function readyIndex(site: Site, notices: string[]): Promise<How> {
  const dropped = await dropStaleLock(site.index)
  if (dropped !== null) notices.push(dropped)
  if (existsSync(site.index)) return 'take'
  await makeIndex(site)
  return site.base === emptyTree(site.store) ? 'take-many' : 'take'
}

/** Out of the last known tree, not out of nothing: a file may be part of it although a rule now ignores it. */
async function makeIndex({ store, folder, index, base }: Site): Promise<void> {
  makeFolder(dirname(index))
  await dropStaleLock(index)
  rmSync(index, { force: true })
  if (base !== emptyTree(store)) await git(over(store, folder, index), ['read-tree', base])
}
