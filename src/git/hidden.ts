// Files that an index tells git to take for unchanged: nobody would see that such a file has been edited.
import { lstatSync } from 'node:fs'
import { bytePath, rawPath, type BytePath } from '../files/byte-path.js'
import { git, type Repository } from './git.js'

/** A repository with files, looked at through an index of ours. */
export type View = Repository & { workTree: string; index: string }

/** Those with a bit that hides them (assume-unchanged, skip-worktree) which are there. What a sparse checkout leaves out is not. */
export async function hiddenIn(view: View): Promise<BytePath[]> {
  const { fields } = await git(view, ['ls-files', '-v', '-z'])
  const isHidden = (field: string): boolean => /^([a-z]|S) /.test(field)
  return fields.filter(isHidden).map((field) => field.slice(2)).filter((path) => isThere(`${bytePath(view.workTree)}/${path}`))
}

/** Takes the bits away. Git then compares these files as any others, also those that were edited in the second they were committed. */
export async function unhide(view: View, paths: readonly BytePath[]): Promise<void> {
  if (paths.length === 0) return
  const input = rawPath(paths.map((path) => `${path}\0`).join(''))
  // One flag at a time: git heeds only the first.
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) await git(view, ['update-index', flag, '-z', '--stdin'], { input })
}

/** What stands there itself counts, a link as well. */
export function isThere(path: BytePath): boolean {
  try {
    return lstatSync(rawPath(path), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
