// Which folders of dependencies are no part of a tree, as git sees it: a quick look need not go into them.
import { rawPath, type BytePath } from '../../files/byte-path.js'
import { git, GitError } from '../../git/git.js'
import { settingsFor, type Site } from './snapshot-add.js'
import { over } from './store.js'

export type LeftOut = {
  /** Undefined when it has not been asked yet. */
  isLeftOut(path: BytePath): boolean | undefined
  /** Asks git about all that was not known; false when there was nothing to ask. */
  learn(): Promise<boolean>
  /** Rules and tracked files may have changed. */
  forget(): void
}

/** What holds for a folder holds until a rule above it changes, and a look sees every file with rules that is not in such a folder. */
export function leftOutOf(site: Site): LeftOut {
  const known = new Map<BytePath, boolean>()
  const unknown = new Set<BytePath>()
  return {
    isLeftOut(path) {
      if (!known.has(path)) unknown.add(path)
      return known.get(path)
    },
    async learn() {
      if (unknown.size === 0) return false
      const ignored = await ignoredAmong(site, [...unknown])
      for (const path of unknown) known.set(path, ignored.has(path))
      unknown.clear()
      return true
    },
    forget: () => known.clear(),
  }
}

/** A folder with a tracked file in it is not ignored. */
export async function ignoredAmong(site: Site, paths: readonly BytePath[]): Promise<ReadonlySet<BytePath>> {
  // A path that begins with a colon would be read as more than a path.
  const input = rawPath(paths.map((path) => `./${path}\0`).join(''))
  try {
    const args = ['check-ignore', '-z', '--stdin']
    const { fields } = await git(over(site.store, site.folder, site.index), args, { input, accepts: [1], settings: settingsFor(site, 'look') })
    return new Set(fields.map((field) => field.slice('./'.length)))
  } catch (error) {
    if (error instanceof GitError) return new Set()
    throw error
  }
}
