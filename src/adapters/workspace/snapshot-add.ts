// Brings a private index up to what stands in a folder, as git sees it, without ever waiting for a pipe or asking a submodule.
import { readdirSync, type Dirent } from 'node:fs'
import type { Tree } from '../../core/types.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { git, GitError, type GitOutput, type Repository } from '../../git/git.js'
import { breather } from './breather.js'
import { over, type Store } from './store.js'

/** A folder, and what is needed to tell its tree. All paths are absolute. */
export type Site = {
  store: Store
  folder: string
  /** A file of our own, which may be missing or damaged: it is made again out of `base`. */
  index: string
  /** The tree that was last known to stand there. */
  base: Tree
  /** Where things are moved that a tree cannot hold. */
  aside: string
  /**
   * What becomes of things that a tree cannot hold, such as the `.git` of a repository inside. `aside`, in a folder of ours: they are
   * moved. `leave`, where the user works too: they stay and are said. `refuse`, in a folder that is only read: they are refused by name.
   */
  strays: 'aside' | 'leave' | 'refuse'
  /** A file with patterns of what is left out, besides the `.gitignore` files of the folder, which count before it. */
  excludes?: string
}

/** Where git reads rules: were one of them a pipe, git would wait for it for ever. */
const RULE_FILES = new Set(['.gitignore', '.gitattributes'])
/** Longer than `add` takes for most folders. */
const SUSPICIOUS_MILLISECONDS = 3000
/** A file was gone between finding it and looking at it, which ends git whatever it is told. */
const VANISHED = /unable to stat '|No such file or directory/
/** Git only warns of a folder that it cannot look into, and leaves out what lies there. A long path cuts off why. */
const UNSEEN = /^(warning|error|fatal): (could not open directory|unable to access|unable to stat) '(?!.*: No such file or directory$)/m
/** As much as is kept of what a git says; such a line may have come after it. */
const STDERR_BYTES = 64 * 1024
/** All new contents go into one pack, with one sync instead of one for each file: five times as fast for 10,000 files. */
const ONE_PACK = { 'core.bigFileThreshold': '0' }

export type Added = { output: GitOutput } | { blockers: BytePath[] } | { vanished: true } | { unseen: true }

export type How = 'take' | 'take-many' | 'look'

/** `populated` are submodules with a `.git`: git would start a second git in each, so they are kept from its eyes meanwhile. */
export async function add(site: Site, how: How, populated: readonly BytePath[]): Promise<Added> {
  const repository = over(site.store, site.folder, site.index)
  if (populated.length === 0) return run(site, repository, how)
  const input = rawPath(populated.map((path) => `${path}\0`).join(''))
  const update = (...flags: string[]) => git(repository, ['update-index', ...flags, '-z', '--stdin'], { input })
  // A git that was killed here may have left them hidden.
  await update('--no-skip-worktree')
  await update()
  await update('--skip-worktree')
  const added = await run(site, repository, how)
  await update('--no-skip-worktree')
  return added
}

async function run(site: Site, repository: Repository, how: How): Promise<Added> {
  const args = ['add', '--all', '--verbose', '--ignore-errors', ...(how === 'look' ? ['--dry-run'] : [])]
  const watch = watchForBlockers(site.folder)
  try {
    return { output: await git(repository, args, { accepts: [1], signal: watch.signal, settings: settingsFor(site, how) }) }
  } catch (error) {
    const blockers = await watch.found()
    if (blockers.length > 0) return { blockers }
    if (error instanceof GitError && complains(error.stderr)) return { unseen: true }
    if (error instanceof GitError && VANISHED.test(error.stderr)) return { vanished: true }
    throw error
  } finally {
    watch.end()
  }
}

export function complains(stderr: string | Buffer): boolean {
  return stderr.length >= STDERR_BYTES || UNSEEN.test(stderr.toString('latin1'))
}

export function settingsFor({ excludes }: Site, how: How): Record<string, string> {
  return { ...(excludes !== undefined && { 'core.excludesFile': excludes }), ...(how === 'take-many' && ONE_PACK) }
}

type Watch = { signal: AbortSignal; found: () => Promise<BytePath[]>; end: () => void }

/** Only when git takes its time is it worth looking for what it may be waiting for. */
function watchForBlockers(folder: string): Watch {
  const stop = new AbortController()
  let looking: Promise<BytePath[]> = Promise.resolve([])
  const timer = setTimeout(() => {
    looking = pipesAmongRules(bytePath(folder))
    void looking.then((found) => found.length > 0 && stop.abort())
  }, SUSPICIOUS_MILLISECONDS)
  return { signal: stop.signal, found: () => looking, end: () => clearTimeout(timer) }
}

async function pipesAmongRules(folder: BytePath): Promise<BytePath[]> {
  const breathe = breather()
  const walk = async (below: BytePath): Promise<BytePath[]> => {
    await breathe()
    const found: BytePath[] = []
    for (const entry of entriesIn(`${folder}/${below}`)) {
      const path = `${below}${entry.name}`
      if (entry.isDirectory() && entry.name !== '.git') found.push(...(await walk(`${path}/`)))
      if (RULE_FILES.has(entry.name) && !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink()) found.push(path)
    }
    return found
  }
  return walk('')
}

function entriesIn(folder: BytePath): Dirent[] {
  try {
    return readdirSync(rawPath(folder), { withFileTypes: true, encoding: 'latin1' })
  } catch {
    return []
  }
}
