// Whether the state folder is ours alone: what another user could put there would be run, written to or believed.
import { lstatSync, statSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { errnoOf, printable } from '../files/durable.js'
import { quoteWord } from '../text/prompt/quote.js'

const OTHERS_WRITE = 0o002
/** In such a folder others may add names, and change or take away none but their own. */
const STICKY = 0o1000

/** The state folder was chosen by the user and may be a link; the rooms in it were made by us. What is not there yet is no matter. */
export function requireOwnState(sessions: string): void {
  if (process.geteuid === undefined) return
  const room = dirname(sessions)
  const home = dirname(room)
  const rooms = [room, sessions, ...['store.git', 'checkouts', 'deps'].map((name) => join(room, name))]
  const chosen = thereAt(home, statSync)
  if (chosen && !chosen.isDirectory()) throw notAFolder(home)
  if (chosen) refuseForeign(home, chosen, (chosen.mode & STICKY) === 0)
  for (const path of rooms) {
    const entry = thereAt(path, lstatSync)
    if (entry?.isSymbolicLink()) throw refused(path, 'is a link, and we made none', `ls -la ${quoteWord(path)}`)
    if (entry) refuseForeign(path, entry, true)
  }
}

/** A path that leads through a file, or that we may not look at, is refused where it is used. */
function thereAt(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

function refuseForeign(path: string, { uid, mode }: Stats, isOpen: boolean): void {
  if (!owners().includes(uid)) throw refused(path, 'belongs to another user', 'greenlatch --state-dir <folder of your own>')
  if (isOpen && (mode & OTHERS_WRITE) !== 0) throw refused(path, 'can be written to by every user', `chmod o-w ${quoteWord(path)}`)
}

/** The system's own user may do everything anyway, and the user who called sudo is the same person. */
function owners(): number[] {
  const own = process.geteuid?.() ?? 0
  const sudo = Number(process.env['SUDO_UID'] ?? Number.NaN)
  return own === 0 && Number.isInteger(sudo) ? [0, sudo] : [0, own]
}

/** Nothing is said of rights: what is no folder is nothing of ours, and must stay as it is. */
function notAFolder(path: string): Refusal {
  return new Refusal(EXIT.state, `the state folder cannot be used: ${printable(path)} is not a folder`, `ls -ld ${quoteWord(path)}`)
}

function refused(path: string, what: string, next: string): Refusal {
  return new Refusal(EXIT.state, `the state folder cannot be trusted: ${printable(path)} ${what}`, next)
}
