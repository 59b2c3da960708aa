// What is said of a file that a person had written: in a repository it is a change, and the next run would be refused for it.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../errors.js'
import { inspect, type RepositoryFacts } from '../git/inspect.js'

export async function writtenText(path: string): Promise<string> {
  const isChange = await countsAsChange(placeOf(path)).catch((error: unknown) => {
    if (error instanceof Refusal) return false
    throw error
  })
  return isChange ? `written: ${path}\nit is a change of your repository now, which the next run is refused for: commit it, have git ignore it, or keep it elsewhere` : `written: ${path}`
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
