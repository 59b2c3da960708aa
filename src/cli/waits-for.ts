// What a running session waits for: only its mark can tell.
import { openFolder } from '../adapters/journal/folder.js'
import { markBegun, type Waiting } from '../shell/meter.js'
import { openInbox } from '../adapters/inbox/files.js'
import type { Entry } from './catalogue.js'

/** A limit that is to be over, or a person who is to permit something; null where it waits for neither. */
export function waitingIn({ standing, session, folder }: Pick<Entry, 'standing' | 'session' | 'folder'>): Waiting | null {
  const begun = standing === 'running' ? markBegun.read(openFolder(folder)) : null
  return begun?.effect === session.outstanding?.id ? (begun?.waiting ?? null) : null
}

/** What a running session was told and has not come to yet: it goes on to the end of its phase. Empty where nothing is. */
export function toldIn({ standing, folder }: Pick<Entry, 'standing' | 'folder'>): '' | 'stops' | 'pauses' {
  const kinds = standing === 'running' ? openInbox(folder).peek().map(({ kind }) => kind) : []
  return kinds.includes('stop') ? 'stops' : kinds.includes('pause') ? 'pauses' : ''
}
