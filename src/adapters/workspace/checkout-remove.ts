// Takes checkouts away: only what carries our mark, through no link, and so that what a crash leaves half done is found again.
import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf, printable, stateRefusal } from '../../files/durable.js'
import { quoteWord } from '../../text/quote.js'
import { excludesPath, markedIn, readMark, removeMark, temporaryPath, writeMark, type CheckoutState } from './checkout-mark.js'

export type FoundCheckout = { folder: string; session: string; state: CheckoutState }

/** All checkouts of ours below `room`, whole or not. */
export function checkoutsIn(room: string): FoundCheckout[] {
  return markedIn(room).flatMap((folder) => {
    const mark = readMark(folder)
    return mark ? [{ folder, ...mark }] : []
  })
}

/** The mark goes last: until then the next call finds what is left. Nothing happens when there is nothing of ours. */
export function removeCheckout(folder: string): void {
  const mark = readMark(folder)
  if (!mark) {
    if (!lstatSync(folder, { throwIfNoEntry: false })) return
    throw refused(folder, 'it carries no mark of Greenlatch')
  }
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) throw refused(folder, 'it is a link')
  writeMark(folder, { ...mark, state: 'going' })
  for (const path of [folder, temporaryPath(folder), excludesPath(folder)]) removeTree(path)
  removeMark(folder)
}

/** Links are taken away, never followed. Folders closed to us are opened when they are in the way. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes(errnoOf(error) ?? '')) throw stateRefusal(error, path, `ls -la ${quoteWord(path)}`)
    openAll(bytePath(path))
    removeOpened(path)
  }
}

function removeOpened(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    throw stateRefusal(error, path, `ls -la ${quoteWord(path)}`)
  }
}

function openAll(path: BytePath): void {
  if (!lstatSync(rawPath(path), { throwIfNoEntry: false })?.isDirectory()) return
  try {
    chmodSync(rawPath(path), 0o700)
    for (const name of readdirSync(rawPath(path), { encoding: 'latin1' })) openAll(`${path}/${name}`)
  } catch (error) {
    // What belongs to another user is named by the attempt to remove it.
    if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'ENOENT') throw error
  }
}

function refused(folder: string, why: string): Refusal {
  return new Refusal(EXIT.guard, `${printable(folder)} is left alone: ${why}`, `ls -la ${quoteWord(folder)}`)
}
