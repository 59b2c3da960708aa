// A session that nobody runs, owned for one small thing: neither its agents nor its checkout are needed for it.
import { openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { clearHalfWritten, renewArtifacts } from '../adapters/reporters/artifacts.js'
import { rebuild, type Event, type Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { insideGreenlatch } from '../process/environment.js'
import { endStrays } from '../process/tree.js'
import { acquireLock, type Lock } from '../shell/lock.js'
import { markBegun } from '../shell/meter.js'
import { counted } from '../text/amounts.js'
import { fold, type Entry } from './catalogue.js'
import { systemClock } from './clock.js'
import type { Output } from './output.js'
import { createHistory, hearAll } from './published.js'
import { viewOf } from './status-fields.js'

export type AtRest = {
  readonly id: string
  readonly folder: string
  session: Session
  /** Durable when it returns. */
  write(events: readonly Event[]): void
}

type Named = Pick<Entry, 'id' | 'folder'>

/** Refuses with 9 when somebody runs it. */
export async function whileOwned<T>({ id, folder }: Named, output: Pick<Output, 'say'>, work: (owned: AtRest) => Promise<T>): Promise<T> {
  const lock = await lockOf(id, folder)
  const history = createHistory()
  const onNotice = (text: string): void => output.say(`warning: ${text}`)
  const journal = openJournal({ folder, fold, clock: systemClock, view: viewOf(history), writable: true, onNotice })
  try {
    const { session, notices } = await journal.load()
    clearHalfWritten(openFolder(folder))
    await hearAll(history, journal)
    for (const text of [...notices, ...(await endLeftRunning(id))]) onNotice(text)
    const owned: AtRest = {
      id,
      folder,
      session,
      write(events) {
        const after = rebuild(events, owned.session)
        history.hear(journal.append(events, after))
        owned.session = after
      },
    }
    const result = await work(owned)
    if (owned.session !== session) {
      journal.settle()
      await renewArtifacts(owned.session, openFolder(folder), journal, systemClock.now())
    }
    return result
  } finally {
    journal.close()
    await lock.release()
  }
}

async function lockOf(id: string, folder: string): Promise<Lock> {
  const lock = await acquireLock(folder)
  if (lock.kind === 'lock') return lock
  throw beingRun(id, lock.pid)
}

export function beingRun(id: string, pid: number | null): Refusal {
  const by = pid === null ? 'another process' : `process ${pid}`
  return new Refusal(EXIT.locked, `session ${id} is being run by ${by}`, `greenlatch stop ${id}`)
}

/** Left by a process that was killed, it would go on writing beside us. */
async function endLeftRunning(id: string): Promise<string[]> {
  const { ended, left } = await endStrays('GREENLATCH_SESSION', id)
  const some = (amount: number): string => counted(amount, 'process', 'processes')
  if (left > 0) throw new Refusal(EXIT.locked, `${some(left)} of session ${id} cannot be ended`, `greenlatch status ${id}`)
  return ended > 0 ? [`the run before had left ${some(ended)} running; ended now`] : []
}

/** What an attempt had cost that was cut off without a word, for whoever is about to drop it. */
export function cutOff({ session, folder }: AtRest): Event[] {
  const begun = markBegun.read(openFolder(folder))
  if (!session.outstanding || begun?.effect !== session.outstanding.id || begun.cuts !== session.cuts) return []
  return [{ type: 'interrupted', cause: 'crash', note: 'its process ended without a word', spent: begun.spent }]
}

/** What a session brings about is judged by people: an agent inside one may look, and nothing else. */
export function refuseAgents(verb: string): void {
  if (insideGreenlatch(process.env) === null) return
  const text = `this is being run by a session of greenlatch, and an agent may not ${verb}`
  throw new Refusal(EXIT.guard, text, 'run it from a shell of your own')
}
