// Iterations for people: how many there are, and which of them made a tree.
import type { Session, Tree } from '../core/types.js'
import { counted } from './amounts.js'

/** An iteration counts from when it is begun; how many of them are finished is said where that is another number. */
export function iterationsText({ iteration, finished }: Pick<Session, 'iteration' | 'finished'>): string {
  return `${counted(iteration, 'iteration')}${finished < iteration ? `, ${finished} finished` : ''}`
}

/** The iteration that people know a tree of the session by, as far as the session itself tells; 0 for the start. */
export function iterationOf({ start, best, made }: Pick<Session, 'start' | 'best' | 'made'>, tree: Tree): number {
  if (tree === start) return 0
  return best?.tree === tree ? best.iteration : made
}
