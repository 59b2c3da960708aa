// What a session was made from, and where its rooms are: told by its first record and its folder alone, so that looking at it loads little.
import { dirname, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { openFolder } from '../adapters/journal/folder.js'
import type { Session } from '../core/index.js'
import type { Setup } from './setup.js'

export function setupOf(session: Session): Setup {
  return session.setup as unknown as Setup
}

/** Compared as a journal would hold them. */
export function sameRecorded(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
}

/** Where the task lies as it was given. */
export const TASK_FILE = 'task.md'

/** The task as it stands now, with what was added to it meanwhile; empty where there is none. `folder` is the session's. */
export function taskNow({ kept }: Pick<Session, 'kept'>, folder: string): string {
  return openFolder(folder).read(kept['task']?.path ?? TASK_FILE) ?? ''
}

/** The rooms of a repository's part of the state folder. */
export function roomsOf(sessions: string): { store: string; checkouts: string; dependencies: string } {
  const room = dirname(sessions)
  return { store: join(room, 'store.git'), checkouts: join(room, 'checkouts'), dependencies: join(room, 'deps') }
}

/** Where the agents of a session work. */
export function checkoutOf(setup: Setup, id: string, folder: string): string {
  return setup.place.inPlace ? setup.source.top : join(roomsOf(dirname(folder)).checkouts, id)
}

/** What is ours inside the user's folder and no part of their work: the settings, and a state folder that lies there. */
export function ownFiles(root: string, room: string): string[] {
  const state = relative(root, room)
  return ['greenlatch.yaml', ...(state === '' || state.startsWith('..') ? [] : [state])]
}
