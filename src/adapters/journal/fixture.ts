// For the tests of this folder: a journal with a few records, and handles that are closed afterwards.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Session } from '../../core/types.js'
import { temporaryFolder } from '../../files/fixture.js'
import type { Journal } from '../../ports.js'
import { createJournal, openJournal, type JournalOptions } from './files.js'
import { fold, hint, opened, stillClock } from './sample.js'

export { fold, hint, opened, stillClock }

export type Filled = {
  folder: string
  clock: ReturnType<typeof stillClock>
  journal: Journal
  session: Session
  add(...texts: string[]): Session
}

/** A session whose journal holds `opened` and one record per text. */
export function filled(texts: readonly string[], more: Partial<JournalOptions> = {}): Filled {
  const folder = more.folder ?? join(temporaryFolder(), 'one')
  const clock = stillClock()
  const { journal, loaded } = createJournal({ folder, fold, clock, ...more }, opened)
  onTestFinished(() => journal.close())
  const result: Filled = {
    folder,
    clock,
    journal,
    session: loaded.session,
    add(...added) {
      for (const text of added) {
        result.session = fold.apply(result.session, hint(text))
        journal.append([hint(text)], result.session)
      }
      return result.session
    },
  }
  result.add(...texts)
  return result
}

export function writable(folder: string, more: Partial<JournalOptions> = {}): Journal {
  const journal = openJournal({ folder, fold, clock: stillClock(), writable: true, ...more })
  onTestFinished(() => journal.close())
  return journal
}

export function readable(folder: string, more: Partial<JournalOptions> = {}): Journal {
  return openJournal({ folder, fold, clock: stillClock(), writable: false, ...more })
}
