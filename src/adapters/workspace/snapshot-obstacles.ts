// What keeps a file out of the index although it is not ignored: told apart, taken out of the way, or refused by name.
import { chmodSync, closeSync, constants, openSync } from 'node:fs'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, shownPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf, printable } from '../../files/durable.js'
import { git } from '../../git/git.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { closedFolders, entryAt, isReached, openFolders, prefixesOf } from './nested.js'
import { setAside } from './salvage-aside.js'
import { settingsFor, type Site } from './snapshot-add.js'
import { closedToUs } from './snapshot-unseen.js'
import { over } from './store.js'

/**
 * `passing`: gone, or nothing is wrong with it any more; `pipe`: a tracked file is now a pipe, socket or device, which git does not
 * take for a deletion; `name`: no index holds such a name.
 */
type Obstacle =
  | { kind: 'repository' | 'pipe' | 'name' | 'passing'; path: BytePath }
  | { kind: 'unreadable'; path: BytePath; code: string }

const OWNER_READS_AND_WRITES = 0o600

const WHY = {
  repository: 'it is a repository of its own, which would hide the files beside it',
  name: 'git cannot hold this name',
  blocker: 'it is a pipe where git reads rules',
} as const

/** Whether there is anything left that another try could bring in. What had to be done is said in `notices`. */
export async function clearObstacles(site: Site, notices: string[]): Promise<'try-again' | 'rest-stays'> {
  const obstacles = await obstaclesIn(site)
  const unreadable = obstacles.filter((obstacle) => obstacle.kind === 'unreadable')
  for (const { path, code } of unreadable) openFile(site, path, code, notices)
  const pipes = obstacles.filter(({ kind }) => kind === 'pipe')
  if (pipes.length > 0) await forget(site, pipes.map(({ path }) => path))
  let goesOn = pipes.length + unreadable.length > 0 || obstacles.length === 0
  for (const { kind, path } of obstacles) {
    if (kind === 'passing') goesOn = true
    if (kind === 'repository' && clearRepository(site, path, notices)) goesOn = true
    if (kind === 'name' && clearName(site, path, notices)) goesOn = true
  }
  return goesOn ? 'try-again' : 'rest-stays'
}

export function clearBlockers(site: Site, blockers: readonly BytePath[], notices: string[]): void {
  for (const path of blockers) {
    if (site.strays !== 'aside') throw refusal(`${shownPath(path)} cannot be read: ${WHY.blocker}`, site.folder)
    if (entryAt(site.folder, path)) notices.push(setAside(site, path, WHY.blocker))
  }
}

/** Opens folders of ours that were closed; one of the user's is named instead. */
export async function clearClosed(site: Site, paths: readonly BytePath[], notices: string[]): Promise<void> {
  const [first] = site.strays === 'aside' ? [] : await closedFolders(site.folder, paths)
  if (first !== undefined) throw closedToUs(site.folder, first)
  if (site.strays !== 'aside') return
  for (const path of await openFolders(site.folder, paths)) notices.push(`${shownPath(path)} was closed to us and has been opened`)
}

/** Takes the `.git` of the repository at `path` out of the way, as the site says. True when its files can now be taken in. */
export function clearRepository(site: Site, path: BytePath, notices: string[]): boolean {
  switch (site.strays) {
    case 'aside':
      if (!entryAt(site.folder, `${path}/.git`) || !isReached(site.folder, path)) return true
      notices.push(setAside(site, `${path}/.git`, WHY.repository))
      return true
    case 'leave':
      notices.push(`the files of the repository ${shownPath(path)} are not kept`)
      return false
    case 'refuse':
      throw new Refusal(EXIT.usage, `${shownPath(path)} in ${printable(site.folder)} is a repository of its own`, 'start inside of it')
  }
}

function clearName(site: Site, path: BytePath, notices: string[]): boolean {
  const refused = [...prefixesOf(path), path].find((prefix) => isRefusedName(prefix.slice(prefix.lastIndexOf('/') + 1))) ?? path
  if (site.strays !== 'aside') {
    notices.push(`${shownPath(refused)} is not kept: ${WHY.name}`)
    return false
  }
  if (entryAt(site.folder, refused)) notices.push(setAside(site, refused, WHY.name))
  return true
}

/** Takes entries out of the index, whatever stands in the folder. */
export async function forget(site: Site, paths: readonly BytePath[]): Promise<void> {
  const input = rawPath(paths.map((path) => `${path}\0`).join(''))
  await git(over(site.store, site.folder, site.index), ['update-index', '--force-remove', '-z', '--stdin'], { input })
}

async function obstaclesIn(site: Site): Promise<Obstacle[]> {
  const args = ['ls-files', '-t', '--others', '--modified', '--exclude-standard', '-z']
  const { fields } = await git(over(site.store, site.folder, site.index), args, { settings: settingsFor(site, 'look') })
  return fields.map((field) => obstacleAt(site.folder, field.slice(2), field.startsWith('?') ? 'untracked' : 'tracked'))
}

function obstacleAt(folder: string, path: BytePath, state: 'tracked' | 'untracked'): Obstacle {
  if (path.endsWith('/')) return { kind: 'repository', path: path.slice(0, -1) }
  const entry = entryAt(folder, path)
  const isRefused = path.split('/').some(isRefusedName) || (entry?.isSymbolicLink() === true && isRefusedLink(path))
  const other = { kind: isRefused ? 'name' : 'passing', path } as const
  if (!entry || entry.isDirectory() || entry.isSymbolicLink()) return other
  if (!entry.isFile()) return { kind: state === 'tracked' ? 'pipe' : 'passing', path }
  const code = whyUnreadable(folder, path)
  if (code !== null) return code === 'ENOENT' ? { kind: 'passing', path } : { kind: 'unreadable', path, code }
  return other
}

/** What git never takes into an index: `.git` in any spelling that some file system would read as `.git`. */
function isRefusedName(name: BytePath): boolean {
  return name.split('\\').some((part) => /^(\.git|git~1)[ .]*(:.*)?$/is.test(part))
}

/** Nor a link by the name of the file that lists submodules, in any spelling of it: git would follow it. */
function isRefusedLink(path: BytePath): boolean {
  return /^(\.gitmodules|gitmod~[1-4]|gi7e?b?a?~\d+)[ .]*(:.*)?$/is.test(path.slice(path.lastIndexOf('/') + 1))
}

function whyUnreadable(folder: string, path: BytePath): string | null {
  try {
    closeSync(openSync(rawPath(`${bytePath(folder)}/${path}`), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK))
    return null
  } catch (error) {
    return errnoOf(error) ?? String(error)
  }
}

/** A file of ours is opened, with the bit that a tree holds as it was; the user's, or another user's, is refused by name. */
function openFile(site: Site, path: BytePath, code: string, notices: string[]): void {
  const entry = entryAt(site.folder, path)
  if (!entry) return
  const isOurs = site.strays === 'aside' && code === 'EACCES' && entry.uid === process.geteuid?.() && entry.isFile()
  if (!isOurs) throw cannotRead(site, path, code)
  chmodSync(rawPath(`${bytePath(site.folder)}/${path}`), (entry.mode & 0o777) | OWNER_READS_AND_WRITES)
  notices.push(`${shownPath(path)} was closed to us and has been opened`)
}

function cannotRead({ folder }: Site, path: BytePath, code: string): Refusal {
  return refusal(`cannot read ${shownPath(path)} (${code}): what stands there cannot be kept, so nothing is changed`, folder)
}

function refusal(message: string, folder: string): Refusal {
  return new Refusal(EXIT.state, message, `ls -la ${quoteWord(folder)}`)
}
