// What the checks have said of the tree that would be handed over, and the words for it.
import type { Failure, Session } from '../../core/types.js'
import { failingWords, rememberedOn } from '../../text/failures/failing-words.js'

const MOST_NAMED = 3

/** Null where nobody has checked it. */
export function knownFailures(session: Session): readonly Failure[] | null {
  const { finish, tree, best, judged, outstanding, facing } = session
  const delivered = finish?.delivers ?? tree
  const remembered = rememberedOn(session, delivered)
  if (remembered) return remembered
  // The last failures told are those of the tree at hand, unless it is a candidate that is yet to be checked.
  const isAtHand = delivered === tree && best !== null && (judged || outstanding?.kind === 'ask')
  return isAtHand ? facing : null
}

/** What still fails at an end: of the tree that is handed over, and where nobody has checked that one, what was last told. */
export function leftFailing(session: Session): readonly Failure[] {
  return knownFailures(session) ?? session.facing
}

export function failingText(failing: readonly Failure[] | null): string {
  if (failing === null) return 'not checked'
  return failing.length === 0 ? 'nothing failing' : failingWords(failing)
}

/** The first few by name. */
export function namedFailures(failing: readonly Failure[]): string {
  const more = failing.length - MOST_NAMED
  return `${failing.slice(0, MOST_NAMED).map(({ subject }) => subject).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
