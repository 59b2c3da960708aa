// Takes checkouts away: only what carries our mark, through no link, and so that what a crash leaves half done is found again.
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { EXIT, Refusal } from '../../errors.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { clearTemporary, errnoOf, printable, stateRefusal } from '../../files/durable.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { excludesPath, markedIn, readMark, removeMark, temporaryPath, writeMark, type CheckoutState } from './checkout-mark.js'

/** Well below what a system takes as one path. */
const MOST_PATH_BYTES = 1500

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
  writeMark(folder, { ...mark, state: 'going' })
  for (const path of [folder, temporaryPath(folder), excludesPath(folder)]) removeTree(path)
  clearTemporary(excludesPath(folder))
  removeMark(folder)
}

/** Links are taken away, never followed. Folders that are closed to us or lie too deep for a path are opened or moved up when need be. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    const mayHelp = ['EACCES', 'EPERM', 'ENOTEMPTY', 'ENAMETOOLONG'].includes(errnoOf(error) ?? '')
    if (!mayHelp) throw stateRefusal(error, path, `ls -la ${quoteWord(path)}`)
    flatten(bytePath(path))
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

/** Opens every folder, and moves those up that lie deep, until each path is short enough to be used. */
function flatten(root: BytePath): void {
  const waiting = [root]
  let moved = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const path of openedFoldersIn(folder)) {
      const isDeep = path.length > root.length + MOST_PATH_BYTES
      if (isDeep) moved += 1
      waiting.push(isDeep ? raised(path, `${root}/.greenlatch-deep-${moved}`) : path)
    }
  }
}

function raised(path: BytePath, to: BytePath): BytePath {
  chmodSync(rawPath(path), 0o700)
  renameSync(rawPath(path), rawPath(to))
  return to
}

function openedFoldersIn(folder: BytePath): BytePath[] {
  try {
    if (!lstatSync(rawPath(folder)).isDirectory()) return []
    chmodSync(rawPath(folder), 0o700)
    const entries = readdirSync(rawPath(folder), { encoding: 'latin1', withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`)
  } catch (error) {
    // What belongs to another user is named by the attempt to remove it.
    if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'ENOENT') throw error
    return []
  }
}

function refused(folder: string, why: string): Refusal {
  return new Refusal(EXIT.guard, `${printable(folder)} is left alone: ${why}`, `ls -la ${quoteWord(folder)}`)
}
