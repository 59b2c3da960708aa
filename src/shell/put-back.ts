// Puts back what someone wrote into the tree who may not move it, and says so.
import type { Effect } from '../core/types.js'
import type { Kept, Stood } from '../ports.js'
import type { CheckPorts } from './live.js'

/** How many paths a line for people names. */
const MOST_NAMED = 5

/** What someone wrote who may not move the tree is taken away again, kept in salvage, and said. */
export async function putBack(ports: Pick<CheckPorts, 'workspace'>, effect: Effect, who: string): Promise<Kept> {
  const stood = await ports.workspace.stand({ tree: effect.tree, iteration: effect.iteration }, `written by ${who}`)
  const said = saidOf(stood)
  const notices = said ? [...stood.notices, `${who} wrote into the tree; put back: ${said}`] : stood.notices
  return { tree: effect.tree, failures: [], notices, changed: '', pins: null }
}

/** Which paths were put back and where they are kept, in one line; null when there were none. */
export function saidOf({ paths, more, salvage }: Stood): string | null {
  if (paths.length === 0) return null
  const rest = more + Math.max(0, paths.length - MOST_NAMED)
  const named = paths.slice(0, MOST_NAMED).join(', ')
  return `${named}${rest > 0 ? ` and ${rest} more` : ''}${salvage ? ` (kept as ${salvage})` : ''}`
}
