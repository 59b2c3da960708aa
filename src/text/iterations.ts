// Iterations for people: which of them made a tree.
import type { Session, Tree } from '../core/types.js'

/** The iteration that people know a tree of the session by, as far as the session itself tells; 0 for the start. */
export function iterationOf({ start, best, made }: Pick<Session, 'start' | 'best' | 'made'>, tree: Tree): number {
  if (tree === start) return 0
  return best?.tree === tree ? best.iteration : made
}
