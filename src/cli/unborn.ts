// Clears away what a run leaves that was killed before its session had a first record: nobody has worked in it, and it is listed nowhere.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { removeHalfMark } from '../adapters/workspace/checkout-mark.js'
import { removeCheckout } from '../adapters/workspace/checkout-remove.js'
import { dropUnborn } from '../adapters/workspace/salvage-drop.js'
import { acquireLock } from '../shell/lock.js'
import { roomsOf } from './recorded.js'

/** A session that is just being made must not be taken for one that never came to be. */
const LONGEST_BIRTH_SECONDS = 60
/** What may lie there before the first record. A folder with anything else in it is not touched. */
const BEFORE_THE_FIRST_RECORD = /^(\..+\.tmp|owner\.json|task\.md|excludes|start-objects|(start-)?index(\.lock)?)$/

/** Must not throw: it is housekeeping, and the next run tries again. */
export async function removeUnborn(store: string, now: number): Promise<void> {
  for (const name of foldersIn(store)) await removeWhenUnborn(join(store, name), now).catch(() => {})
}

function foldersIn(store: string): string[] {
  if (!existsSync(store)) return []
  const folders = readdirSync(store, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name)
}

async function removeWhenUnborn(folder: string, now: number): Promise<void> {
  if (!isUnborn(folder) || now - statSync(folder).mtimeMs < LONGEST_BIRTH_SECONDS * 1000) return
  const lock = await acquireLock(folder)
  if (lock.kind === 'held') return
  try {
    if (isUnborn(folder)) remove(folder)
  } finally {
    await lock.release()
  }
}

/** The folder goes last: until then the next run finds what is left. */
function remove(folder: string): void {
  const { store, checkouts } = roomsOf(dirname(folder))
  removeCheckout(join(checkouts, basename(folder)))
  removeHalfMark(join(checkouts, basename(folder)))
  dropUnborn(store, basename(folder))
  rmSync(folder, { recursive: true })
}

function isUnborn(folder: string): boolean {
  return !existsSync(join(folder, 'journal.jsonl')) && readdirSync(folder).every((name) => BEFORE_THE_FIRST_RECORD.test(name))
}
