// Holds the lock of the user's index, as any git would, under our name: one that a crash leaves behind is known to be ours.
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { errnoOf, stateRefusal } from '../../files/durable.js'
import { lockRefusal } from '../../git/policy.js'
import { lockIn } from '../../git/standing.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { HalfDone, type Landing } from './accept-room.js'
import { syncFile } from './sync-below.js'

type Hold = { release(): void }

const MARK = /^held by greenlatch session ([\w-]+)\n$/

function lockPath(gitDir: string): string {
  return join(gitDir, 'index.lock')
}

/** While it is held no other git writes the index, switches the branch or commits. Throws Refusal when one has it already. */
export async function whileHeld<T>({ gitDir, session }: Pick<Landing, 'gitDir' | 'session'>, work: () => Promise<T>): Promise<T> {
  const hold = holdIndex(gitDir, session)
  try {
    const result = await work()
    hold.release()
    return result
  } catch (error) {
    if (!(error instanceof HalfDone)) hold.release()
    throw error
  }
}

function holdIndex(gitDir: string, session: string): Hold {
  const path = lockPath(gitDir)
  const temporary = `${path}.greenlatch-${session}`
  try {
    // There with our name in it, or not at all, even after a power cut.
    writeFileSync(temporary, `held by greenlatch session ${session}\n`)
    syncFile(temporary)
    linkSync(temporary, path)
  } catch (error) {
    const lock = errnoOf(error) === 'EEXIST' ? lockIn(gitDir) : null
    throw lock ? (otherSession(gitDir, session) ?? lockRefusal(lock)) : stateRefusal(error, path, `ls -la ${quoteWord(gitDir)}`)
  } finally {
    rmSync(temporary, { force: true })
  }
  // Kept open, so that others can see who has it.
  const file = openSync(path, 'r')
  return {
    release() {
      closeSync(file)
      dropHold(gitDir, session)
    },
  }
}

/** The session that holds the index, or has left its lock there; null when it is free or another git's. */
export function holderOfIndex(gitDir: string): string | null {
  try {
    return MARK.exec(readFileSync(lockPath(gitDir), 'latin1'))?.[1] ?? null
  } catch {
    return null
  }
}

/** Takes away a lock of this session's own, and what making it may have left. */
export function dropHold(gitDir: string, session: string): void {
  rmSync(`${lockPath(gitDir)}.greenlatch-${session}`, { force: true })
  if (holderOfIndex(gitDir) === session) rmSync(lockPath(gitDir), { force: true })
}

function otherSession(gitDir: string, session: string): Refusal | null {
  const other = holderOfIndex(gitDir)
  if (other === null || other === session) return null
  return new Refusal(EXIT.locked, `the session ${other} is being accepted here, or was when it was killed`, `greenlatch accept ${other}`)
}
