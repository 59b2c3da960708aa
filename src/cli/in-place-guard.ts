// The guard over the user's own repository, for a session that works in place.
import { dirname, join, sep } from 'node:path'
import { openFolder } from '../adapters/journal/folder.js'
import { guardRepository, type RepositoryGuard } from '../adapters/workspace/repository-guard.js'
import type { Session } from '../core/index.js'
import { markBegun } from '../shell/meter.js'

type Place = { source: { top: string; gitDir: string }; folder: string; aside: string }

/** What the user has done to their repository since the last run is theirs, unless an attempt was cut off that may have done it. */
export function guardOf({ outstanding }: Pick<Session, 'outstanding'>, { source: { top, gitDir }, folder, aside }: Place): RepositoryGuard {
  const room = dirname(dirname(folder))
  const leaves = [dirname(room), room].filter((path) => path.startsWith(`${top}${sep}`))
  const wasCutOff = outstanding !== null && markBegun.read(openFolder(folder))?.effect === outstanding.id
  return guardRepository({ top, gitDir, leaves, aside, memory: join(folder, 'watched.json'), since: wasCutOff ? 'kept' : 'now' })
}
