// Makes the commit of a result by `git commit`, with the user's own hooks, and says what these leave when they fail.
import type { Tree } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { shownPath, type BytePath } from '../../files/byte-path.js'
import { GitError, type Repository } from '../../git/git.js'
import { datesOf, NO_GUESSING, signs } from './accept-commit.js'
import { gitFor, repositoryOf, type Landing } from './accept-room.js'
import { changedEntries } from './changes.js'

type Request = { from: Tree; to: Tree; message: string; at: Date; signal: AbortSignal }

const MOST_NAMED = 5

/** Without borrowed objects: what a hook adds has to be in the user's own repository. */
export async function commitWithHooks(landing: Landing, { from, to, message, at, signal }: Request): Promise<void> {
  const runs: NonNullable<Repository['runs']> = (await signs(landing)) ? { hooks: true, signing: true } : { hooks: true }
  const { alternates: _, ...own } = repositoryOf(landing)
  // Hooks give patterns to git, which everything else of ours keeps it from reading as such.
  const options = { input: message, settings: NO_GUESSING, env: { ...datesOf(at), GIT_LITERAL_PATHSPECS: '0' }, signal }
  const before = await changedFiles(landing)
  try {
    await gitFor(landing, { ...own, index: landing.room.index, runs }, ['commit', '--quiet', '--cleanup=whitespace', '-F', '-'], options)
  } catch (error) {
    if (!(error instanceof GitError) || error.code === EXIT.cancelled) throw error
    if (error.stderr !== '') landing.say(error.stderr)
    // What the result itself has changed is put back, whatever a hook has made of it.
    const ours = new Set((await changedEntries(landing.store, from, to)).map(({ path }) => path))
    const left = [...(await changedFiles(landing))].filter((path) => !before.has(path) && !ours.has(path))
    const text = `git commit with your hooks failed (exit ${error.status ?? 'none'}), and all is as it was${butFor(left)}`
    throw new Refusal(EXIT.failed, `${text}: mend what they say, then accept again`, `greenlatch accept ${landing.session} --hooks`)
  }
}

/** Files that are new, changed or gone, as far as they are not ignored. */
async function changedFiles(landing: Landing): Promise<ReadonlySet<BytePath>> {
  const args = ['ls-files', '-z', '--others', '--modified', '--deleted', '--exclude-standard']
  return new Set((await gitFor(landing, { ...repositoryOf(landing), index: landing.room.index }, args)).fields)
}

function butFor(paths: readonly BytePath[]): string {
  if (paths.length === 0) return ''
  const named = [...paths.slice(0, MOST_NAMED).map(shownPath), ...(paths.length > MOST_NAMED ? ['…'] : [])].join(', ')
  return ` but for what they wrote themselves (${named})`
}
