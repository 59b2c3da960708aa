// The sessions of a repository on disk: finding them, and telling how each of them stands.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { apply, FOLD_VERSION, type Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { nearest } from '../text/nearest.js'
import { isHeld } from '../shell/lock.js'
import { markBegun } from '../shell/perform.js'
import { systemClock } from './clock.js'

export const fold = { version: FOLD_VERSION, apply }

/** `running` is told by the lock; a session nobody runs stands where its last record left it. */
export type Standing = 'running' | 'waiting' | 'paused' | 'stopped' | 'interrupted' | 'idle' | 'finished'

export type Entry = { id: string; folder: string; session: Session; standing: Standing; pid: number | null; notices: string[] }

export function sessionIds(store: string): string[] {
  if (!existsSync(store)) return []
  return readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(store, entry.name, 'journal.jsonl')))
    .map((entry) => entry.name)
    .toSorted()
}

export async function readEntry(store: string, id: string): Promise<Entry> {
  const folder = join(store, id)
  const { session, notices } = await openJournal({ folder, fold, clock: systemClock, writable: false }).load()
  const held = await isHeld(folder)
  const begun = markBegun.read(openFolder(folder))?.effect === session.outstanding?.id
  return { id, folder, session, standing: held ? 'running' : standingOf(session, begun), pid: held?.pid ?? null, notices }
}

function standingOf(session: Session, begun: boolean): Standing {
  if (session.finish) return 'finished'
  if (session.outstanding?.kind === 'ask' && isPerson(session, session.outstanding.answers)) return 'waiting'
  if (session.rest !== 'running') return session.rest
  // A session driven step by step rests between its steps; any other whose process is gone was cut off.
  return session.setup['drive'] === 'step' && !begun ? 'idle' : 'interrupted'
}

export function isPerson(session: Session, role: string): boolean {
  const agents = session.setup['agents'] as Record<string, object> | undefined
  const agent = agents?.[session.roles[role] ?? '']
  return agent !== undefined && 'paste' in agent
}

/** Entries newest first; a damaged session is passed over here and named by the command that touches it. */
export async function readEntries(store: string): Promise<{ entries: Entry[]; damaged: string[] }> {
  const entries: Entry[] = []
  const damaged: string[] = []
  for (const id of sessionIds(store).toReversed()) {
    try {
      entries.push(await readEntry(store, id))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      damaged.push(`${id}: ${error.message}`)
    }
  }
  return { entries, damaged }
}

/** By whole id or a part that only one has; without a name, the newest. */
export function findSession(store: string, named: string | undefined): string {
  const ids = sessionIds(store)
  const newest = ids.at(-1)
  if (newest === undefined) throw new Refusal(EXIT.usage, 'there is no session in this repository yet', 'greenlatch run --help')
  if (named === undefined) return newest
  if (ids.includes(named)) return named
  const [match, ...others] = ids.filter((id) => id.startsWith(named) || id.endsWith(named))
  if (match !== undefined && others.length === 0) return match
  if (match !== undefined) throw new Refusal(EXIT.usage, `"${named}" fits ${others.length + 1} sessions`, 'greenlatch sessions')
  const meant = nearest(named, ids)
  throw new Refusal(EXIT.usage, `there is no session "${named}"${meant === null ? '' : ` (did you mean "${meant}"?)`}`, 'greenlatch sessions')
}
