// The aside for a word that is not known, when another one is near it.
import { nearest } from '../text/nearest.js'

/** Empty when nothing is near; else to be put behind the message. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === null ? '' : ` (did you mean "${meant}"?)`
}
