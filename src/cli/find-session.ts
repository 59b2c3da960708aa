// Which session is meant: by its name, or by being the newest that the command can be about.
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { isHeld } from '../shell/lock.js'
import { counted } from '../text/amounts.js'
import { nearest } from '../text/nearest.js'
import { quoteWord } from '../text/prompt/quote.js'
import { sessionIds } from './catalogue.js'
import type { Context } from './context.js'
import { didYouMean } from './meant.js'
import { movedHere } from './moved.js'

type Room = Pick<Context, 'store' | 'cwd'>

/** By whole id or a part that only one has; without a name, the newest. Where there is none, those of a moved repository are named. */
export async function findSession(room: Room, named: string | undefined): Promise<string> {
  const ids = sessionIds(room.store)
  const newest = ids.at(-1)
  if (newest === undefined) throw await noSession(room)
  return named === undefined ? newest : idMeant(ids, named)
}

function idMeant(ids: readonly string[], named: string): string {
  if (ids.includes(named)) return named
  const [match, ...others] = ids.filter((id) => id.startsWith(named) || id.endsWith(named))
  if (match !== undefined && others.length === 0) return match
  if (match !== undefined) throw new Refusal(EXIT.usage, `"${named}" fits ${others.length + 1} sessions`, 'greenlatch sessions')
  throw new Refusal(EXIT.usage, `there is no session "${named}"${didYouMean(named, ids)}`, 'greenlatch sessions')
}

/** Whether a word can be a session's name, or a slip of one. */
export function mayName({ store }: Pick<Room, 'store'>, word: string): boolean {
  const ids = sessionIds(store)
  return ids.length === 0 || ids.some((id) => id.startsWith(word) || id.endsWith(word)) || nearest(word, ids) !== null
}

/** The newest that a process is running, if any is. */
export async function newestRunning({ store }: Pick<Room, 'store'>): Promise<string | null> {
  for (const id of sessionIds(store).toReversed()) if (await isHeld(join(store, id))) return id
  return null
}

/** Copied and not moved: what is there stays as it is. */
export async function noSession({ store, cwd }: Room): Promise<Refusal> {
  const moved = await movedHere(store, cwd)
  const none = 'there is no session here yet'
  if (!moved) return new Refusal(EXIT.usage, none, 'greenlatch run --help')
  const what = `${none}; ${counted(moved.sessions, 'session')} began in ${moved.from}, which is gone, with a commit of this repository`
  return new Refusal(EXIT.usage, what, `cp -a ${quoteWord(moved.room)}/. ${quoteWord(dirname(store))}`)
}
