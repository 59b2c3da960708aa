// The command that takes an accepted result back, out of wherever it was brought to.
import { quoteWord } from '../text/prompt/quote.js'
import { nameOf, wordOf, type Places } from './places.js'

/** `top` is the folder that the session began in. */
export function takeBackCommand(places: Places, accepted: NonNullable<Places['accepted']>, top: string): string {
  const { note, tree } = accepted
  const branch = /^branch (\S+),/.exec(note)?.[1]
  if (branch !== undefined) return `git branch -D ${branch}`
  const commit = commitIn(note)
  if (commit !== undefined) return `git revert ${note.startsWith('merge ') ? '-m 1 ' : ''}${commit}`
  // Nothing was committed: what the result changed is changed back, and what stands there since then stays.
  const place = wordOf(nameOf(places, { tree, iteration: 0 }))
  return `greenlatch diff ${places.session} --iter ${place}..start | git -C ${quoteWord(top)} apply`
}

export function commitIn(note: string): string | undefined {
  return /\bcommit ([0-9a-f]{40,64})\b/.exec(note)?.[1]
}
