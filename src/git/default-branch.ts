// The branch that work usually goes to: the one a remote calls its head, else the one that is checked out.
import { discover } from './discover.js'
import { git, type Repository } from './git.js'

/** Null where there is no repository, or none of either. */
export async function defaultBranch(folder: string): Promise<string | null> {
  const place = discover(folder)
  if (place.kind !== 'work tree') return null
  const repository: Repository = { gitDir: place.gitDir, workTree: place.topLevel, config: 'foreign' }
  const read = async (name: string): Promise<string> => (await git(repository, ['symbolic-ref', '--quiet', '--short', name], { accepts: [1, 128] })).text
  const remote = await read('refs/remotes/origin/HEAD')
  return remote.replace(/^origin\//, '') || (await read('HEAD')) || null
}
