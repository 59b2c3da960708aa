// Moves the user's files, index and branch onto a result, together: whatever cuts it off, the next accept finishes it or puts all back.
import type { Tree } from '../../core/types.js'
import { EXIT } from '../../errors.js'
import { GitError, type Repository } from '../../git/git.js'
import { clearTheWay, type Way } from './accept-check.js'
import { bringObjects, writeCommit, type CommitRequest } from './accept-commit.js'
import { commitWithHooks } from './accept-hooks.js'
import { installIndex } from './accept-index.js'
import { whileHeld } from './accept-lock.js'
import { putBack } from './accept-put-back.js'
import { landedCommit } from './accept-recover.js'
import { dropRefLocks } from './accept-ref-locks.js'
import { closeRoom, gitFor, HalfDone, repositoryOf, writeIntent, type CommitIntent, type Landing } from './accept-room.js'
import { changedEntries } from './changes.js'
import { syncPaths } from './sync-below.js'

export type LandRequest = Way & {
  branch: string
  /** What the session delivered, which `to` may be more than. */
  result: Tree
  message: string
  at: Date
  /** `squash`: one commit. `merge`: one with a second parent, made of the result alone. `hooks`: one by `git commit`, which runs them. */
  how: { kind: 'squash' } | { kind: 'merge'; parents: CommitRequest['parents'] } | { kind: 'hooks'; signal: AbortSignal }
}

/** The commit that the branch stands on afterwards; the open room is left to the caller. Throws Refusal, and all is then as it was. */
export async function land(landing: Landing, request: LandRequest): Promise<string> {
  const { branch, head, from, to, result } = request
  const intent: CommitIntent = { kind: 'commit', result, branch, head, from, to, commit: null, newFolders: [] }
  writeIntent(landing.room, intent)
  try {
    return await whileHeld(landing, () => move(landing, request, intent))
  } catch (error) {
    if (!(error instanceof HalfDone)) closeRoom(landing.room)
    throw error
  }
}

async function move(landing: Landing, request: LandRequest, intent: CommitIntent): Promise<string> {
  const { head, to, how } = request
  const newFolders = await clearTheWay(landing, request)
  const commit = how.kind === 'hooks' ? null : await commitFor(landing, request)
  const sure: CommitIntent = { ...intent, commit, newFolders }
  writeIntent(landing.room, sure)
  await bringObjects(landing, commit ?? to, [head, ...(how.kind === 'merge' ? how.parents : [])])
  const own: Repository = { ...repositoryOf(landing), index: landing.room.index }
  try {
    await gitFor(landing, own, ['read-tree', '-m', '-u', head, to])
    await syncChanged(landing, request)
    if (commit !== null) {
      installIndex(landing, landing.room.index)
      await pointBranch(landing, request, commit)
      return commit
    }
    if (how.kind === 'hooks') await commitWithHooks(landing, { ...request, signal: how.signal })
  } catch (error) {
    const landed = await orHalfDone(landing, () => backOut(landing, sure, error))
    if (landed === null) throw error
    if (commit !== null) return commit
  }
  return orHalfDone(landing, async () => {
    installIndex(landing, landing.room.index)
    return (await gitFor(landing, own, ['rev-parse', '--verify', 'HEAD'])).text
  })
}

/** A git that was killed may have moved the branch before: then it is done, and the commit comes back. Else all is put back. */
async function backOut(landing: Landing, intent: CommitIntent, error: unknown): Promise<string | null> {
  const mayHaveLanded = intent.commit === null || (error instanceof GitError && error.status === null)
  if (mayHaveLanded) await dropRefLocks(landing, intent)
  const landed = mayHaveLanded ? await landedCommit(landing, intent) : null
  if (landed === null) await putBack(landing, intent)
  return landed
}

/** Git syncs objects, index and branch, but not the files: after a power cut they would be empty, and no commit would say so. */
async function syncChanged({ store, topLevel }: Landing, { from, to }: Way): Promise<void> {
  syncPaths(topLevel, (await changedEntries(store, from, to)).map(({ path }) => path))
}

async function commitFor(landing: Landing, { how, head, to, result, message, at }: LandRequest): Promise<string> {
  const second = how.kind === 'merge' ? [await writeCommit(landing, { tree: result, parents: how.parents, message, at })] : []
  return writeCommit(landing, { tree: to, parents: [head, ...second], message, at })
}

async function orHalfDone<T>({ session }: Landing, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const next = `greenlatch accept ${session}, once that is put right`
    throw new HalfDone(EXIT.state, `accept is half done, and nothing is lost: ${why}`, next)
  }
}

/** From the old commit to the new one, or not at all. */
async function pointBranch(landing: Landing, { branch, head, message }: LandRequest, commit: string): Promise<void> {
  const reason = `greenlatch accept: ${message.split('\n')[0] ?? ''}`
  await gitFor(landing, repositoryOf(landing), ['update-ref', '-m', reason, `refs/heads/${branch}`, commit, head])
}
