// The sessions of a repository on disk: finding them, and telling how each of them stands.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openInbox } from '../adapters/inbox/files.js'
import { openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { apply, FOLD_VERSION, type Effect, type Outcome, type Session } from '../core/index.js'
import { Refusal } from '../errors.js'
import { isHeld } from '../shell/lock.js'
import { markBegun } from '../shell/meter.js'
import { systemClock } from './clock.js'
import { awaitedPath, promptPath } from '../shell/ask-files.js'

export const fold = { version: FOLD_VERSION, apply }

/**
 * `running` is told by the lock; a session nobody runs stands where its last record left it. `waiting` is for a person's answer,
 * `answered` has it; `idle` is between two steps.
 */
export type Standing = 'running' | 'waiting' | 'answered' | 'paused' | 'stopped' | 'interrupted' | 'idle' | 'finished'

/** The one word for where a session stands, in all that is printed: of one that has ended, its outcome. */
export type State = Exclude<Standing, 'finished'> | Outcome

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
  return { id, folder, session, standing: held ? 'running' : standingOf(session, folder), pid: held?.pid ?? null, notices }
}

/** Of a session that nobody runs. */
export function standingOf(session: Session, folder: string): Standing {
  const effect = session.outstanding
  if (session.finish) return 'finished'
  if (effect?.kind === 'ask' && isPerson(session, effect.answers)) return standingAt(effect, folder)
  if (session.rest !== 'running') return session.rest
  // A session driven step by step rests between its steps; any other whose process is gone was cut off.
  const begun = effect !== null && markBegun.read(openFolder(folder))?.effect === effect.id
  return session.setup['drive'] === 'step' && !begun ? 'idle' : 'interrupted'
}

/** What a person is asked. A prompt that only the next step writes cannot be answered yet. */
function standingAt(effect: Effect, folder: string): Standing {
  if (isAnswered(effect, folder)) return 'answered'
  return openFolder(folder).has(promptPath(effect)) ? 'waiting' : 'idle'
}

function isAnswered(effect: Effect, folder: string): boolean {
  if (openFolder(folder).read(awaitedPath(effect))?.trim()) return true
  return openInbox(folder).peek().some((message) => message.kind === 'reply' && message.effect === effect.id)
}

export function stateOf(session: Session, standing: Standing): State {
  return session.finish?.outcome ?? (standing as Exclude<Standing, 'finished'>)
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
