// What a running session waits for: only its mark can tell.
import { openFolder } from '../adapters/journal/folder.js'
import { markBegun, type Waiting } from '../shell/meter.js'
import type { Entry } from './catalogue.js'

/** A limit that is to be over, or a person who is to permit something; null where it waits for neither. */
export function waitingIn({ standing, session, folder }: Pick<Entry, 'standing' | 'session' | 'folder'>): Waiting | null {
  const begun = standing === 'running' ? markBegun.read(openFolder(folder)) : null
  return begun?.effect === session.outstanding?.id ? (begun?.waiting ?? null) : null
}
