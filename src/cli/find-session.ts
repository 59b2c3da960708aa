// Which session is meant: by its name, or by being the newest that the command can be about.
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { isHeld } from '../shell/lock.js'
import { counted } from '../text/amounts.js'
import { quoteWord } from '../text/quote.js'
import { findSession as findAmong, sessionIds } from './catalogue.js'
import type { Context } from './context.js'
import { movedHere } from './moved.js'

type Room = Pick<Context, 'store' | 'cwd'>

/** By whole id or a part that only one has; without a name, the newest. Where there is none, those of a moved repository are named. */
export async function findSession(room: Room, named: string | undefined): Promise<string> {
  if (sessionIds(room.store).length === 0) throw await noSession(room)
  return findAmong(room.store, named)
}

/** The newest that a process is running, if any is. */
export async function newestRunning({ store }: Pick<Room, 'store'>): Promise<string | null> {
  for (const id of sessionIds(store).toReversed()) if (await isHeld(join(store, id))) return id
  return null
}

/** Copied and not moved: what is there stays as it is. */
export async function noSession({ store, cwd }: Room): Promise<Refusal> {
  const moved = await movedHere(store, cwd)
  const none = 'there is no session in this repository yet'
  if (!moved) return new Refusal(EXIT.usage, none, 'greenlatch run --help')
  const what = `${none}; ${counted(moved.sessions, 'session')} began in ${moved.from}, which is gone, with a commit of this repository`
  return new Refusal(EXIT.usage, what, `cp -a ${quoteWord(moved.room)}/. ${quoteWord(dirname(store))}`)
}
