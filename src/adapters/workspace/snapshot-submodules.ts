// Files in the folder of a submodule that is not checked out: to git the folder is the name of a commit, and it sees nothing in it.
import { copyFileSync, rmSync } from 'node:fs'
import { rawPath, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import { entryAt, foldersOf, isFilled } from './nested.js'
import { settingsFor, type Site } from './snapshot-add.js'
import { forget } from './snapshot-obstacles.js'
import { over } from './store.js'
import { indexLines } from './take-back.js'

/** Submodules of the last known tree in whose folder something lies, but no repository. */
export async function filledSubmodules({ store, folder, base }: Site): Promise<BytePath[]> {
  const { submodules } = await foldersOf(store, base)
  return submodules.filter((path) => isFilled(folder, path) && !entryAt(folder, `${path}/.git`))
}

/** Gives those back to the index in which nothing was found to take in, such as ignored files alone. */
export async function coverEmpty(site: Site, submodules: readonly BytePath[]): Promise<void> {
  if (submodules.length === 0) return
  const repository = over(site.store, site.folder, site.index)
  const { fields } = await git(repository, ['ls-files', '-z'])
  const empty = submodules.filter((path) => !fields.some((field) => field.startsWith(`${path}/`)))
  const lines = await indexLines(site.store, site.base)
  const input = rawPath(empty.map((path) => `${lines.get(path) ?? ''}\0`).join(''))
  if (empty.length > 0) await git(repository, ['update-index', '-z', '--index-info'], { input })
}

/** Whether there is a file in one of them that is not ignored. */
export async function holdFiles(site: Site, submodules: readonly BytePath[]): Promise<boolean> {
  if (submodules.length === 0) return false
  return throughCopy(site, async (copy) => {
    await forget(copy, submodules)
    const args = ['ls-files', '--others', '--exclude-standard', '-z']
    const { fields } = await git(over(copy.store, copy.folder, copy.index), args, { settings: settingsFor(copy, 'look') })
    return fields.some((field) => submodules.some((path) => field.startsWith(`${path}/`)))
  })
}

/** For a look that has to write into the index. */
export async function throughCopy<T>(site: Site, look: (copy: Site) => Promise<T>): Promise<T> {
  const index = `${site.index}.look`
  copyFileSync(site.index, index)
  try {
    return await look({ ...site, index })
  } finally {
    rmSync(index, { force: true })
  }
}
