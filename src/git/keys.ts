// Remembers which settings a repository has, for as long as the files they stand in are surely the same.
import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Repository } from './git.js'

const MOST_REMEMBERED = 64
/** A file written this recently could be written once more without a sign of it. */
const SETTLED_NANOSECONDS = 2_000_000_000n

const remembered = new Map<string, { identity: string; keys: readonly string[] }>()

/**
 * The keys that `list` finds. They are remembered only for a repository whose settings stand in its own files alone: where
 * something is included, or the user's own configuration counts, more files would have to be watched than can be named.
 */
export async function keysOf(repository: Repository, list: () => Promise<string[]>): Promise<readonly string[]> {
  const { gitDir, userConfig } = repository
  const identity = userConfig === undefined ? identityOf(gitDir) : null
  const known = remembered.get(gitDir)
  if (identity !== null && known?.identity === identity) return known.keys
  const keys = await list()
  remembered.delete(gitDir)
  if (identity === null || identity !== identityOf(gitDir) || keys.some(includes)) return keys
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(gitDir, { identity, keys })
  return keys
}

function includes(key: string): boolean {
  return /^include(if\..*)?\.path$/s.test(key)
}

/** What tells whether the files have changed; null when they may change without it. */
function identityOf(gitDir: string): string | null {
  const now = BigInt(Date.now()) * 1_000_000n
  const stats = configFiles(gitDir).map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }))
  if (stats.some((found) => found && (!found.isFile() || found.ctimeNs > now - SETTLED_NANOSECONDS))) return null
  return stats.map((found) => (found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : '-')).join(' ')
}

function configFiles(gitDir: string): string[] {
  return [join(commonDirOf(gitDir), 'config'), join(gitDir, 'config.worktree')]
}

/** The folder with the objects, branches and configuration; for a linked worktree another than its own. */
export function commonDirOf(gitDir: string): string {
  try {
    return resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').replace(/\n$/, ''))
  } catch {
    return gitDir
  }
}
