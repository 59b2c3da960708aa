// Whether what was accepted is still in the user's hands, or was taken back there: by a revert, or with the branch it was on.
import { git, type Repository } from '../git/git.js'
import type { Places } from './places.js'
import { commitIn } from './take-back.js'

type Accepted = NonNullable<Places['accepted']>

/** Files that were written without a commit are taken to be there: nothing tells of them. */
export async function isInHand(accepted: Accepted, facts: { gitDir: string } | null): Promise<boolean> {
  const commit = commitIn(accepted.note)
  if (facts === null || commit === undefined) return true
  const branch = /^branch (\S+),| on (\S+)$/.exec(accepted.note)?.slice(1).find((name) => name !== undefined)
  for (const tip of ['HEAD', ...(branch === undefined ? [] : [`refs/heads/${branch}`])]) if (await holds(facts, tip, commit)) return true
  return false
}

/** Whether this branch holds the commit, and no revert of it that was not reverted itself. */
export async function holds({ gitDir }: { gitDir: string }, tip: string, commit: string): Promise<boolean> {
  const repository: Repository = { gitDir, config: 'foreign' }
  const { code } = await git(repository, ['merge-base', '--is-ancestor', commit, tip], { accepts: [1, 128] })
  if (code !== 0) return false
  const log = ['log', '-F', `--grep=This reverts commit ${commit}`, '--format=%H', '--end-of-options', `${commit}..${tip}`]
  for (const revert of (await git(repository, log)).text.split('\n').filter(Boolean)) if (await holds({ gitDir }, tip, revert)) return false
  return true
}
