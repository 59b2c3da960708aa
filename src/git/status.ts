// How the user's files differ from HEAD, told with a copy of their index: git would write the index again just by looking.
import { copyFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathText, type BytePath } from '../files/byte-path.js'
import { errnoOf, stateRefusal } from '../files/durable.js'
import { openOwnedFolder } from '../files/owned-folder.js'
import { git, type Repository } from './git.js'

export type Some = {
  count: number
  /** The first few. A folder ends in a slash and stands for all in it. */
  first: BytePath[]
}

export type Dirty = { staged: Some; unstaged: Some; unmerged: Some; untracked: Some; ignored: Some }

export type Status = {
  commit: string | null
  /** As git shows it: `(detached)` where HEAD is on none, or on one of that name. */
  branch: string
  dirty: Dirty
}

const SHOWN = 5
const BRANCH = '# branch.head '

/** `index` of a copy that goes away when `use` is done. */
export async function withIndexCopy<T>(gitDir: string, use: (index: string) => Promise<T>): Promise<T> {
  const { folder, remove } = openOwnedFolder('index')
  try {
    return await use(copyIndex(join(gitDir, 'index'), join(folder, 'index')))
  } finally {
    remove()
  }
}

/**
 * Git takes a file to be unchanged only when it is older than the index. A copy is younger than its original, so it is given
 * the original's time, or a little less: else a file changed just after the index was written would pass for unchanged.
 */
export function copyIndex(from: string, to: string): string {
  const before = statSync(from, { throwIfNoEntry: false })
  if (!before) return to
  try {
    copyFileSync(from, to)
    const time = (Math.floor(before.mtimeMs) - 1) / 1000
    utimesSync(to, time, time)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw stateRefusal(error, to, 'make room or give access there')
  }
  return to
}

/** Submodules count as changed when they stand at another commit; nobody looks into them. `ours` does not count. */
export async function statusOf(repository: Repository, ours: readonly BytePath[] = []): Promise<Status> {
  // A new folder is told as a whole, unless something of ours may lie in it.
  const files = ours.some((path) => path.includes('/')) ? 'all' : 'normal'
  const args = ['status', '--porcelain=v2', '-z', '--branch', '--no-renames', '--no-ahead-behind']
  return parseStatus((await git(repository, [...args, `--untracked-files=${files}`, '--ignored=traditional'])).fields, ours)
}

function parseStatus(fields: readonly string[], ours: readonly BytePath[]): Status {
  const none = (): Some => ({ count: 0, first: [] })
  const dirty: Dirty = { staged: none(), unstaged: none(), unmerged: none(), untracked: none(), ignored: none() }
  let commit: string | null = null
  let branch = ''
  for (const field of fields) {
    commit ??= /^# branch\.oid ([0-9a-f]+)$/.exec(field)?.[1] ?? null
    if (field.startsWith(BRANCH)) branch = pathText(field.slice(BRANCH.length))
    const { kinds, path } = entryOf(field)
    if (!ours.some((own) => path === own || path.startsWith(`${own}/`))) for (const kind of kinds) note(dirty[kind], path)
  }
  return { commit, branch, dirty }
}

type Entry = { kinds: (keyof Dirty)[]; path: BytePath }

function entryOf(field: string): Entry {
  switch (field[0]) {
    case '?':
      return { kinds: ['untracked'], path: field.slice(2) }
    case '!':
      return { kinds: ['ignored'], path: field.slice(2) }
    case 'u':
      return { kinds: ['unmerged'], path: afterSpaces(field, 10) }
    case '1':
      return { kinds: (['staged', 'unstaged'] as const).filter((_, at) => field[2 + at] !== '.'), path: afterSpaces(field, 8) }
    default:
      return { kinds: [], path: '' }
  }
}

function afterSpaces(field: string, spaces: number): BytePath {
  let at = 0
  for (let left = spaces; left > 0; left--) at = field.indexOf(' ', at) + 1
  return field.slice(at)
}

function note(some: Some, path: BytePath): void {
  some.count++
  if (some.first.length < SHOWN) some.first.push(path)
}
