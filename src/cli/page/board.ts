// All sessions of a repository for a dashboard: looked at again and again, and read only where something has changed.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { knownFailures } from '../../adapters/reporters/known-failures.js'
import { Refusal } from '../../errors.js'
import type { Source } from '../../serve/types.js'
import type { Group, SessionLine } from '../../web/data.js'
import { readEntry, sessionIds, stateOf, type Entry, type State } from '../catalogue.js'
import type { Context } from '../context.js'
import { taskNow } from '../recorded.js'
import { actOn } from './act.js'
import { detailOf } from './details.js'
import type { FleetBoard } from './fleet-board.js'
import { watchSession, type Watcher } from './session-page.js'

const LOOK_MILLISECONDS = 400
/** Nothing is written when a process is killed: sessions that were open are read again this often all the same. */
const LOOKS_PER_READING = 8
const TASK_CHARS = 200
const NO_SESSION: ReadonlySet<string> = new Set()

export type Board = Source & { close(): void }

type Tell = (ids: ReadonlySet<string>) => void

type Known = { mark: string; line: SessionLine; isOpen: boolean }

/** `fleet`: null where none is configured. */
export async function openBoard(context: Context, fleet: FleetBoard | null): Promise<Board> {
  const { store } = context
  const known = new Map<string, Known>()
  const listeners = new Set<Tell>()
  const tell: Tell = (ids) => listeners.forEach((hear) => hear(ids))
  let looks = 0
  const look = async (): Promise<void> => {
    const changed = await lookAround(store, known, looks++ % LOOKS_PER_READING === 0)
    if (changed.size > 0) tell(changed)
  }
  const page = pagesOf(store, known, tell)
  await look()
  const stop = repeat(look)
  return {
    sessions: () => [...known.values()].map(({ line }) => line).toSorted((a, b) => b.at - a.at),
    fleet: () => fleet?.now() ?? null,
    page,
    detail: async (id, iteration) => {
      const row = (await page(id))?.view.rows.find((one) => one.iteration === iteration)
      return row ? orNull(async () => detailOf(await readEntry(store, id), row)) : null
    },
    // Only a name of the list is one: any other could lead out of the repository's sessions.
    act: async (id, action, text) => (known.has(id) ? actOn(context, id, action, text) : null),
    onChange(hear) {
      listeners.add(hear)
      const unhear = fleet?.onChange(() => hear(NO_SESSION))
      return () => {
        listeners.delete(hear)
        unhear?.()
      }
    },
    close: stop,
  }
}

/** Null for a session that is not in the list, or cannot be read. */
function pagesOf(store: string, known: Map<string, Known>, tell: Tell): Board['page'] {
  const watchers = new Map<string, Watcher>()
  return async (id) => {
    for (const gone of watchers.keys()) if (!known.has(gone)) watchers.delete(gone)
    const before = known.get(id)
    if (!before) return null
    const watcher = watchers.get(id) ?? watchSession(store, id)
    watchers.set(id, watcher)
    try {
      return await watcher.read()
    } catch (error) {
      // The list is read by its end alone, so damage further up is found here first. It holds until the journal is another.
      if (known.get(id) === before && before.line.group !== 'damaged') {
        known.set(id, { ...before, line: damagedLine(id, error, before.line), isOpen: false })
        tell(new Set([id]))
      }
      return null
    }
  }
}

/** One look after the other, never two at a time. */
function repeat(look: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout
  let isOver = false
  const later = (): void => {
    // A folder that cannot be read now may be readable at the next look.
    timer = setTimeout(() => void look().catch(() => {}).then(() => isOver || later()), LOOK_MILLISECONDS)
  }
  later()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

async function lookAround(store: string, known: Map<string, Known>, isReading: boolean): Promise<Set<string>> {
  const changed = new Set<string>()
  const ids = sessionIds(store)
  for (const id of known.keys()) if (!ids.includes(id) && known.delete(id)) changed.add(id)
  for (const id of ids) {
    const before = known.get(id)
    const mark = markOf(store, id)
    if (before && before.mark === mark && !(isReading && before.isOpen)) continue
    const { line, isOpen } = await readLine(store, id, before?.line)
    known.set(id, { mark, line, isOpen })
    if (before?.mark !== mark || JSON.stringify(before.line) !== JSON.stringify(line)) changed.add(id)
  }
  return changed
}

/** Changes with the journal. */
function markOf(store: string, id: string): string {
  const { size = 0, mtimeMs = 0 } = statSync(join(store, id, 'journal.jsonl'), { throwIfNoEntry: false }) ?? {}
  return `${size}:${mtimeMs}`
}

/** One session that cannot be read must not keep the others from being shown; it may be mended without a change of its journal. */
async function readLine(store: string, id: string, before: SessionLine | undefined): Promise<Omit<Known, 'mark'>> {
  try {
    const entry = await readEntry(store, id)
    return { line: lineOf(entry), isOpen: entry.session.finish === null }
  } catch (error) {
    return { line: damagedLine(id, error, before), isOpen: true }
  }
}

function damagedLine(id: string, error: unknown, before: SessionLine | undefined): SessionLine {
  const task = error instanceof Refusal ? `${error.message}; next: ${error.next}` : `it cannot be read; next: greenlatch repair ${id}`
  return { id, procedure: '', task, state: 'damaged', group: 'damaged', iteration: 0, failing: null, seconds: 0, at: before?.at ?? 0 }
}

/** What is gone in the meantime is just not there. */
async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

function lineOf({ id, session, standing, folder }: Entry): SessionLine {
  const task = taskNow(session, folder).trim().split('\n', 1)[0] ?? ''
  const state = stateOf(session, standing)
  return {
    id,
    procedure: session.procedure.name,
    task: task.slice(0, TASK_CHARS),
    state,
    group: groupOf(state),
    iteration: session.iteration,
    failing: knownFailures(session)?.length ?? null,
    seconds: session.spent.seconds,
    at: session.reportedAt ?? session.openedAt,
  }
}

function groupOf(state: State): Group {
  switch (state) {
    case 'waiting':
      return 'needs you'
    case 'running':
    case 'answered':
      return 'running'
    case 'stalled':
    case 'exhausted':
      return 'stalled'
    case 'converged':
    case 'completed':
      return 'converged'
    case 'refused':
    case 'failed':
      return 'failed'
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'idle':
    case 'cancelled':
      return 'resting'
  }
}
