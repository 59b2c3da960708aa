// Sessions of a repository that was moved or renamed: they are kept under the path it had, where nobody looks for them any more.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openJournal } from '../adapters/journal/files.js'
import { Refusal } from '../errors.js'
import { discover } from '../git/discover.js'
import { git } from '../git/git.js'
import { fold, sessionIds } from './catalogue.js'
import { systemClock } from './clock.js'
import type { Source } from './ground.js'

export type Moved = { from: string; sessions: number; room: string }

/** Told by a folder that is gone, and by a commit of it that is here. `store` has no sessions. */
export async function movedHere(store: string, cwd: string): Promise<Moved | null> {
  const here = discover(cwd)
  if (here.kind !== 'work tree') return null
  const own = dirname(store)
  const state = dirname(own)
  const rooms = existsSync(state) ? readdirSync(state).filter((name) => name !== basename(own)).map((name) => join(state, name)) : []
  for (const room of rooms) {
    const ids = sessionIds(join(room, 'sessions'))
    const source = ids[0] === undefined ? null : await sourceIn(join(room, 'sessions', ids[0]))
    if (source?.kind !== 'repository' || existsSync(source.top) || source.head === null) continue
    if (await isHere(here.gitDir, source.head)) return { from: source.top, sessions: ids.length, room }
  }
  return null
}

/** Null for one that cannot be read, or has no files. */
async function sourceIn(folder: string): Promise<Source | null> {
  try {
    for await (const { events } of openJournal({ folder, fold, clock: systemClock, writable: false }).records()) {
      const [first] = events
      return first?.type === 'opened' ? ((first.setup['source'] as Source | undefined) ?? null) : null
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return null
}

async function isHere(gitDir: string, commit: string): Promise<boolean> {
  return (await git({ gitDir, config: 'foreign' }, ['cat-file', '-e', `${commit}^{commit}`], { accepts: [1, 128] })).code === 0
}
