// What a page is told of a session on disk: its view, folded from the journal, and the few words that are not in it.
import { join } from 'node:path'
import { tailJournal } from '../../adapters/journal/tail.js'
import { raiseFlags } from '../../adapters/reporters/raise.js'
import { rebuild, type Session } from '../../core/index.js'
import { startDiagnosis, type Collector } from '../../text/diagnosis/diagnosis.js'
import { viewRecord, type Viewed } from '../../text/view/fold.js'
import { moneyText } from '../../text/who-answers.js'
import type { View } from '../../text/view/view.js'
import type { SessionPage } from '../../web/data.js'
import { readEntry, stateOf, type Entry } from '../catalogue.js'
import { setupOf, taskNow } from '../recorded.js'

/** Reads a session again and again; each time costs only what is new. */
export type Watcher = { read(): Promise<SessionPage> }

export function watchSession(store: string, id: string): Watcher {
  const tail = tailJournal(join(store, id))
  let so = nothingYet()
  let reading: Promise<unknown> = Promise.resolve()
  const read = async (): Promise<SessionPage> => {
    const entry = await readEntry(store, id)
    for await (const { record, again } of tail.next()) {
      if (again) so = nothingYet()
      so.session = rebuild(record.events, so.session)
      so.viewed = viewRecord(so.viewed, record, so.session)
      for (const event of record.events) so.diagnosis.take(event)
    }
    if (!so.viewed) throw new Error('a journal without records has no view')
    return pageOf(entry, so.viewed.view, so.diagnosis)
  }
  return {
    // One after the other: each goes on where the one before has come to.
    read() {
      const next = reading.then(read, read)
      reading = next.catch(() => {})
      return next
    },
  }
}

type SoFar = { session: Session | null; viewed: Viewed | null; diagnosis: Collector }

const nothingYet = (): SoFar => ({ session: null, viewed: null, diagnosis: startDiagnosis() })

function pageOf(entry: Entry, view: View, collector: Collector): SessionPage {
  const { session, standing, folder } = entry
  const { outcome, pattern, next } = collector.diagnosis(session, { standing, raise: raiseFlags(session) })
  const setup = setupOf(session)
  return {
    view,
    task: taskNow(session, folder),
    agents: agentsOf(session),
    money: moneyText(session),
    branch: setup.source.kind === 'repository' ? (setup.source.branch ?? '') : '',
    state: stateOf(session, standing),
    diffLimit: setup.scope.lines > 0 ? setup.scope.lines : null,
    diagnosis: standing === 'running' ? null : { sentence: outcome, pattern: pattern ?? '', next },
  }
}

function agentsOf({ roles }: Session): string[] {
  const names = [...new Set(Object.values(roles))]
  return names.length === 1 ? names : Object.entries(roles).map(([role, name]) => `${role}: ${name}`)
}
