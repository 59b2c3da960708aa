// Puts back what someone wrote into the tree who may not move it, and says so.
import type { Effect } from '../core/types.js'
import type { Kept, Stood } from '../ports.js'
import { named } from './bounds.js'
import type { CheckPorts } from './live.js'

export async function putBack(ports: Pick<CheckPorts, 'workspace'>, effect: Effect, who: string): Promise<Kept> {
  const stood = await ports.workspace.stand({ tree: effect.tree, iteration: effect.iteration }, `written by ${who}`)
  const said = saidOf(stood)
  const notices = said ? [...stood.notices, `${who} wrote into the tree; put back: ${said}`] : stood.notices
  return asItStands(effect, notices)
}

/** The tree of the effect, with nothing changed. */
export function asItStands({ tree }: Effect, notices: string[] = []): Kept {
  return { tree, failures: [], notices, changed: '', pins: null }
}

/** Which paths were put back and where they are kept, in one line; null when there were none. */
export function saidOf({ paths, more, salvage }: Stood): string | null {
  if (paths.length === 0) return null
  return `${named(paths, more)}${salvage ? ` (kept as ${salvage})` : ''}`
}
