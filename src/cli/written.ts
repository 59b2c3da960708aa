// What is said of files that a person had written: in a repository they are changes, and the next run would be refused for them.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../errors.js'
import { inspect, type RepositoryFacts } from '../git/inspect.js'

export async function writtenText(paths: readonly string[]): Promise<string> {
  const changes = await Promise.all(paths.map((path) => countsAsChange(placeOf(path)).catch(notInGit)))
  const count = changes.filter((isChange) => isChange).length
  const lines = paths.map((path) => `written: ${path}`)
  if (count === 1) lines.push('it is a change of your repository now, which the next run is refused for: commit it, have git ignore it, or keep it elsewhere')
  if (count > 1) lines.push('they are changes of your repository now, which the next run is refused for: commit them, have git ignore them, or keep them elsewhere')
  return lines.join('\n')
}

function notInGit(error: unknown): false {
  if (error instanceof Refusal) return false
  throw error
}

/** A pipe has a name that leads nowhere. */
function placeOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Where it stands in git's way alone: one that is ignored, or outside of any repository, does not. */
async function countsAsChange(path: string): Promise<boolean> {
  const folder = dirname(path)
  const [all, others] = await Promise.all([inspect(folder), inspect(folder, [path])])
  return changesIn(all) > changesIn(others)
}

function changesIn(facts: RepositoryFacts): number {
  if (facts.kind !== 'work tree') return 0
  const { staged, unstaged, unmerged, untracked } = facts.dirty
  return staged.count + unstaged.count + unmerged.count + untracked.count
}
