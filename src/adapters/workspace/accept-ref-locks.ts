// Takes away locks in the user's repository that a git of ours has left because it was killed while it moved their branch.
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { intentTime, type CommitIntent, type Landing } from './accept-room.js'
import { dropStaleLock } from './snapshot-lock.js'

/** Two disks may have clocks of different fineness. */
const SLACK_MILLISECONDS = 2000

/** Only what cannot be another's: younger than our intent, with our commit in it or a part of it, and held by no process. */
export async function dropRefLocks({ gitDir, commonDir, room, say }: Landing, { branch, commit }: CommitIntent): Promise<void> {
  const since = intentTime(room) - SLACK_MILLISECONDS
  for (const path of [join(commonDir, 'refs', 'heads', ...branch.split('/')), join(gitDir, 'HEAD')]) {
    if (!isOurs(`${path}.lock`, since, commit)) continue
    const dropped = await dropStaleLock(path)
    if (dropped !== null) say(dropped)
  }
}

function isOurs(lock: string, since: number, commit: string | null): boolean {
  const entry = lstatSync(lock, { throwIfNoEntry: false })
  if (!entry?.isFile() || entry.mtimeMs < since) return false
  const text = readFileSync(lock, 'latin1')
  // It is written in pieces. What `git commit` was about to name is not known.
  return commit === null ? /^[0-9a-f]{0,64}\n?$/.test(text) : `${commit}\n`.startsWith(text)
}
