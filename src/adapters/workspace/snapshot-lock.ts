// Takes away lock files of git in places that are ours alone, once no process holds them any more.
import { lstatSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import { holderOf } from '../../git/standing.js'
import { quoteWord } from '../../text/prompt/quote.js'

/** Between closing the file and renaming it, a git that lives has a lock that nobody holds open. */
const SETTLED_MILLISECONDS = 300
const PATIENCE_MILLISECONDS = 60_000
const PAUSE_MILLISECONDS = 50

/** A line saying that the lock of `path` was taken away; null when there was none. A git that still works is waited for. */
export async function dropStaleLock(path: string): Promise<string | null> {
  const lock = `${path}.lock`
  const until = Date.now() + PATIENCE_MILLISECONDS
  for (;;) {
    const entry = lstatSync(lock, { throwIfNoEntry: false })
    if (!entry) return null
    const isYoung = Math.abs(Date.now() - entry.mtimeMs) < SETTLED_MILLISECONDS
    // A holder may have let go of it, or another taken it, while we looked.
    const isSame = (): boolean => lstatSync(lock, { throwIfNoEntry: false })?.ino === entry.ino
    if (!isYoung && !isHeld(lock) && isSame()) break
    if (Date.now() > until) throw new Refusal(EXIT.locked, `another git still holds ${printable(lock)}`, `fuser -v ${quoteWord(lock)}`)
    await sleep(PAUSE_MILLISECONDS)
  }
  rmSync(lock, { force: true })
  return `${printable(lock)} was left by a git that was killed, and was removed`
}

/** Where the system does not tell, nobody has it: only we lock there, one after another. */
function isHeld(path: string): boolean {
  return holderOf(path) !== null
}
