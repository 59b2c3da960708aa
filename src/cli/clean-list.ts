// What `clean` may take away: only what we made, carry a mark for, and can make again.
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckoutState } from '../adapters/workspace/checkout-mark.js'
import { checkoutsIn, type FoundCheckout } from '../adapters/workspace/checkout-remove.js'
import { keysIn, usersOf } from '../adapters/workspace/dependencies-kept.js'
import type { Session } from '../core/index.js'
import { Refusal } from '../errors.js'
import { isHeld } from '../shell/lock.js'
import { readEntry, sessionIds, type Entry } from './catalogue.js'
import { sizeOf } from './sizes.js'
import { roomsOf, setupOf } from './recorded.js'

/** `orphan`: a checkout whose session is gone. `dependencies`: a copy kept for the next checkout. `leftover`: half made by a killed process. */
export type Item = { path: string; bytes: number } & (
  | { kind: 'checkout'; session: string; state: CheckoutState; entry: Entry }
  | { kind: 'orphan'; session: string; state: CheckoutState }
  | { kind: 'dependencies' | 'leftover' }
)

export type Kept = { path: string; why: string }

export type CleanList = { items: Item[]; kept: Kept[] }

/** Younger ones may belong to a process that is at it. */
const STALE_MILLISECONDS = 3_600_000

/** `ids` limits it to the checkouts of these sessions. */
export async function cleanList(sessions: string, ids: readonly string[]): Promise<CleanList> {
  const list: CleanList = { items: [], kept: [] }
  for (const found of checkoutsIn(roomsOf(sessions).checkouts)) {
    if (ids.length === 0 || ids.includes(found.session)) await addCheckout(list, sessions, found)
  }
  if (ids.length > 0) return list
  const paths = [...leftoversIn(sessions).map((path) => ({ kind: 'leftover' as const, path })), ...(await dependenciesIn(sessions, list))]
  return { ...list, items: [...list.items, ...paths.map((item) => ({ ...item, bytes: sizeOf(item.path) }))] }
}

async function addCheckout({ items, kept }: CleanList, sessions: string, { folder: path, session, state }: FoundCheckout): Promise<void> {
  const own = join(sessions, session)
  const common = { path, session, state, bytes: sizeOf(path) }
  if (!existsSync(join(own, 'journal.jsonl'))) {
    if (existsSync(own) && (await isHeld(own))) kept.push({ path, why: `session ${session} is being made` })
    else items.push({ kind: 'orphan', ...common })
    return
  }
  try {
    const entry = await readEntry(sessions, session)
    const why = whyKept(entry, state)
    if (why === null) items.push({ kind: 'checkout', entry, ...common })
    else kept.push({ path, why })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    kept.push({ path, why: `its session cannot be read: ${error.message}` })
  }
}

/** One that is `going`, such as a clean copy that a killed process left, holds nothing that anyone needs. */
function whyKept({ id, standing, session }: Entry, state: CheckoutState): string | null {
  if (standing === 'running') return `session ${id} is running`
  const isNeeded = state !== 'going' && goesOn(session) && setupOf(session).prepare !== null
  return isNeeded ? `session ${id} can go on, and its setup would have to be run again` : null
}

function goesOn({ finish }: Session): boolean {
  return finish === null || finish.resumesAt !== null
}

/** Stores and copies of dependencies that a process was killed over while it made them. */
function leftoversIn(sessions: string): string[] {
  const stores = pathsIn(join(sessions, '..'), /^\.store\.git\.making-/)
  const copies = pathsIn(roomsOf(sessions).dependencies, /^\.[0-9a-f]{32}\.making-/)
  return [...stores, ...copies].filter((path) => Date.now() - lstatSync(path).mtimeMs > STALE_MILLISECONDS)
}

function pathsIn(room: string, name: RegExp): string[] {
  return (existsSync(room) ? readdirSync(room) : []).filter((found) => name.test(found)).map((found) => join(room, found))
}

/** A session that is running may just be taking a copy. */
async function dependenciesIn(sessions: string, { kept }: CleanList): Promise<{ kind: 'dependencies'; path: string }[]> {
  const room = roomsOf(sessions).dependencies
  const keys = keysIn(room)
  if (keys.length === 0) return []
  const free: { kind: 'dependencies'; path: string }[] = []
  for (const id of sessionIds(sessions)) {
    if (!(await isHeld(join(sessions, id)))) continue
    kept.push({ path: room, why: `session ${id} is running and may need it` })
    return []
  }
  for (const key of keys) {
    const id = await neededBy(sessions, usersOf(room, key))
    if (id === null) free.push({ kind: 'dependencies', path: join(room, key) })
    else kept.push({ path: join(room, key), why: `session ${id} is not over, and agents have worked where it was copied from` })
  }
  return free
}

/** The others can be copied or made again. */
async function neededBy(sessions: string, ids: readonly string[]): Promise<string | null> {
  for (const id of ids) {
    const entry = await readEntry(sessions, id).catch(() => null)
    if (entry?.session.finish === null && setupOf(entry.session).place.inPlace) return id
  }
  return null
}
