// A person's answer: to which ask, and how it gets there.
import { post } from '../adapters/inbox/files.js'
import type { Effect } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { isPerson, stateOf, type Entry } from './catalogue.js'
import { ownExisting } from './wire.js'
import { awaitedPath } from '../shell/ask-files.js'
import { askText } from '../text/waiting.js'

export async function handIn(entry: Entry, effect: Effect, text: string): Promise<void> {
  if (entry.standing === 'answered') throw answeredAlready(entry, effect)
  if (entry.standing === 'waiting') await answer(entry, effect, text)
  else post(entry.folder, { kind: 'reply', effect: effect.id, text })
}

export function askOfPerson({ id, session, standing }: Entry): Effect {
  const effect = session.outstanding
  const asked = effect?.kind === 'ask' && isPerson(session, effect.answers)
  if (effect && asked && (standing === 'waiting' || standing === 'answered' || standing === 'running')) return effect
  throw new Refusal(EXIT.usage, `session ${id} is ${stateOf(session, standing)} and waits for nobody`, `greenlatch status ${id}`)
}

export function answeredAlready({ id }: Entry, effect: Effect): Refusal {
  return new Refusal(EXIT.usage, `session ${id} has ${askText(effect)} already; it was not replaced`, `greenlatch resume ${id}`)
}

/** Nobody runs the session: the answer goes straight to where it is awaited, under the lock. */
async function answer(entry: Entry, effect: Effect, text: string): Promise<void> {
  const owned = await ownExisting(entry.folder, { notice: () => {} })
  try {
    const open = owned.session.outstanding?.id === effect.id && !owned.ports.folder.read(awaitedPath(effect))?.trim()
    if (!open) throw answeredAlready(entry, effect)
    owned.ports.folder.write(awaitedPath(effect), text)
  } finally {
    await owned.close()
  }
}
