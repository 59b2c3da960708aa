// What keeps the proof of a result from being a full one.
import type { Session } from '../core/types.js'

/** Of what would be handed over now; nothing where that is not proved. */
export function exceptionsOf({ finish, proof }: Pick<Session, 'finish' | 'proof'>): readonly string[] {
  return finish && proof?.tree === finish.delivers ? proof.exceptions : []
}
