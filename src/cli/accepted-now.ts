// What the user has of a session: the journal knows what was brought to them, only their repository whether they have taken it back since.
import { existsSync } from 'node:fs'
import { Refusal } from '../errors.js'
import type { Entry } from './catalogue.js'
import type { Places } from './places.js'
import { setupOf } from './recorded.js'
import { acceptedOf } from './stand.js'

export type AcceptedNow = NonNullable<Places['accepted']> & { isTakenBack: boolean }

type Read = Pick<Entry, 'id' | 'session' | 'folder'>

/** Null where nothing was ever accepted. */
export async function acceptedNow(entry: Read): Promise<AcceptedNow | null> {
  const accepted = await acceptedOf(entry)
  const { source } = setupOf(entry.session)
  if (!accepted || source.kind !== 'repository' || !existsSync(source.gitDir)) return accepted && { ...accepted, isTakenBack: false }
  const { isInHand } = await import('./in-hand.js')
  // A repository that cannot be read must not keep anyone from being told the rest.
  const isThere = await isInHand(accepted, source).catch((error: unknown) => {
    if (error instanceof Refusal) return true
    throw error
  })
  return { ...accepted, isTakenBack: !isThere }
}

/** The same entry, as one that was never accepted where the user has taken it back: so it can be accepted again. */
export async function asInHand<T extends Read>(entry: T): Promise<T> {
  return inHand(entry, await acceptedNow(entry))
}

export function inHand<T extends Read>(entry: T, accepted: AcceptedNow | null): T {
  return accepted?.isTakenBack ? { ...entry, session: { ...entry.session, accepted: null } } : entry
}
