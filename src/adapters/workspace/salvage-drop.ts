// Forgets a session that never came to be: the name of its start in the store and its drafts, and nothing else.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dropDrafts, refOf } from './salvage.js'

const BEFORE_THE_FIRST_RECORD = new Set(['start', 'start.lock'])

/** Where anything else is kept under the session's name, nothing is done. */
export function dropUnborn(storePath: string, session: string): void {
  dropDrafts({ path: storePath }, session)
  const folder = dirname(join(storePath, refOf(session, 'start')))
  if (!existsSync(folder) || readdirSync(folder).some((name) => !BEFORE_THE_FIRST_RECORD.has(name))) return
  rmSync(folder, { recursive: true })
}
