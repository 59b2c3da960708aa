// Whether a branch of a name can be made, and what stands in its way.
import { git, type Repository } from './git.js'

export type Obstacle =
  | { kind: 'name'; name: string }
  | { kind: 'exists'; branch: string; commit: string }
  /** A branch `a` and a branch `a/b` cannot both be there. */
  | { kind: 'blocked'; by: string }

export async function branchObstacle(repository: Repository, name: string): Promise<Obstacle | null> {
  const { code } = await git(repository, ['check-ref-format', '--branch', name], { accepts: [1, 128] })
  if (code !== 0 || name.startsWith('@{') || name.startsWith('-')) return { kind: 'name', name }
  const { text } = await git(repository, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'])
  const branches = new Map(text.split('\n').map((line) => [line.slice(line.indexOf(' ') + 12), line.slice(0, line.indexOf(' '))]))
  const commit = branches.get(name)
  if (commit !== undefined) return { kind: 'exists', branch: name, commit }
  const by = [...branches.keys()].find((branch) => branch !== '' && (name.startsWith(`${branch}/`) || branch.startsWith(`${name}/`)))
  return by === undefined ? null : { kind: 'blocked', by }
}
