// After an accept that was cut off: finds out whether it has landed, and finishes it or puts everything back.
import { existsSync } from 'node:fs'
import { holdSame, indexOf, installIndex } from './accept-index.js'
import { dropHold, holderOfIndex, whileHeld } from './accept-lock.js'
import { putBack } from './accept-put-back.js'
import { dropRefLocks } from './accept-ref-locks.js'
import { closeRoom, gitFor, repositoryOf, type CommitIntent, type Landing } from './accept-room.js'
import { trailerOf } from './accept-trailer.js'

/** The commit when it has landed, and the room is then left to the caller; null when all is as it was before. */
export async function recover(landing: Landing, intent: CommitIntent): Promise<string | null> {
  const { gitDir, session, room } = landing
  const isHeld = holderOfIndex(gitDir) === session
  await dropRefLocks(landing, intent)
  const commit = await landedCommit(landing, intent)
  if (commit !== null) await finish(landing, intent)
  else if (existsSync(room.before)) await backOut(landing, intent, isHeld ? 'held' : 'free')
  dropHold(gitDir, session)
  if (isHeld) landing.say('an accept that was cut off had left its lock on your index; it is taken away')
  if (commit === null) closeRoom(room)
  return commit
}

/** A commit of `git commit` is known by what its message says of the session. */
export async function landedCommit(landing: Landing, { commit, head }: CommitIntent): Promise<string | null> {
  const own = repositoryOf(landing)
  if (commit !== null) {
    const { code } = await gitFor(landing, own, ['merge-base', '--is-ancestor', commit, 'HEAD'], { accepts: [1] })
    return code === 0 ? commit : null
  }
  const args = ['log', '--format=%H', '--fixed-strings', `--grep=${trailerOf(landing.session)}`, `${head}..HEAD`]
  const { text } = await gitFor(landing, own, args)
  return text.split('\n').at(-1) || null
}

/** The index comes last where `git commit` made the commit. */
async function finish(landing: Landing, { head }: CommitIntent): Promise<void> {
  const { code } = await gitFor(landing, repositoryOf(landing), ['diff-index', '--cached', '--quiet', head], { accepts: [1] })
  if (code === 0 && existsSync(landing.room.index)) installIndex(landing, landing.room.index)
}

/** Whoever took our lock away may have done more since; then the files are theirs, and the next attempt looks at them as such. */
async function backOut(landing: Landing, intent: CommitIntent, lock: 'held' | 'free'): Promise<void> {
  if (lock === 'held') return putBack(landing, intent)
  if (await holdSame(landing, indexOf(landing), landing.room.before)) await whileHeld(landing, () => putBack(landing, intent))
}
