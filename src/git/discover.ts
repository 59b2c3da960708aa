// Finds the repository that a folder belongs to as git does, by reading files alone.
import { lstatSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { commonDirOf } from './keys.js'

export type Place =
  | { kind: 'none' }
  /** The folder is itself a repository, or lies inside one's `.git`. */
  | { kind: 'bare'; gitDir: string }
  /** There is a `.git`, but it leads nowhere. */
  | { kind: 'broken'; at: string; leadsTo: string | null }
  | { kind: 'work tree'; topLevel: string; gitDir: string; commonDir: string }

/** Looks in the folder and those above it, as far as the file system reaches. */
export function discover(folder: string): Place {
  let path = realpathSync(folder)
  const { dev } = statSync(path)
  for (;;) {
    const place = placeAt(path)
    if (place) return place
    const above = dirname(path)
    if (above === path || statSync(above).dev !== dev) return { kind: 'none' }
    path = above
  }
}

function placeAt(folder: string): Place | null {
  const link = join(folder, '.git')
  const entry = ledTo(link) ?? lstatSync(link, { throwIfNoEntry: false })
  if (entry?.isFile()) return placeOfLink(folder, link)
  if (entry?.isDirectory() && isGitDir(link)) return workTree(folder, realpathSync(link))
  if (entry?.isSymbolicLink()) return { kind: 'broken', at: link, leadsTo: null }
  // A folder called `.git` that is none is passed over, as git does.
  return isGitDir(folder) ? { kind: 'bare', gitDir: folder } : null
}

/** A link that leads to itself leads nowhere. */
function ledTo(link: string): Stats | undefined {
  try {
    return statSync(link, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined
    throw error
  }
}

/** A linked worktree or a submodule: the file names the folder. */
function placeOfLink(folder: string, link: string): Place {
  const named = /^gitdir: (.+?)\n*$/s.exec(readFileSync(link, 'utf8'))?.[1]
  const gitDir = named === undefined ? null : resolve(folder, named)
  if (gitDir === null || !isGitDir(gitDir)) return { kind: 'broken', at: link, leadsTo: gitDir }
  return workTree(folder, realpathSync(gitDir))
}

function workTree(topLevel: string, gitDir: string): Place {
  return { kind: 'work tree', topLevel, gitDir, commonDir: commonDirOf(gitDir) }
}

/** What git itself looks for: HEAD, objects and refs; the last two may be elsewhere for a linked worktree. */
function isGitDir(path: string): boolean {
  const common = commonDirOf(path)
  const head = lstatSync(join(path, 'HEAD'), { throwIfNoEntry: false })
  return head !== undefined && !head.isDirectory() && isFolder(join(common, 'objects')) && isFolder(join(common, 'refs'))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
