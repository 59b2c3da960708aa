// The names of the files of an ask, in the session's folder.
import type { Effect } from '../core/index.js'

export function promptPath(effect: Effect): string {
  return `${effect.base}-prompt.md`
}

export function awaitedPath(effect: Effect): string {
  return `${effect.base}-response.md`
}

/** Where the answer of one that was cut off lies when somebody else is asked instead. */
export function cutOffPath(effect: Effect): string {
  return `${effect.base}-cut-off.md`
}
