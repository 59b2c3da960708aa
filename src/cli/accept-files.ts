// Brings the result of a session into the user's files alone: where it began with changes that were in no commit, or without git.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { finishFiles, landFiles, type Files, type FilesRequest, type Landed } from '../adapters/workspace/accept-files.js'
import { filesOfFolder, filesOfRepository } from '../adapters/workspace/accept-files-of.js'
import { roomOf, type FilesIntent } from '../adapters/workspace/accept-room.js'
import type { Tree } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { BytePath } from '../files/byte-path.js'
import { printable } from '../files/durable.js'
import type { WorkTreeFacts } from '../git/inspect.js'
import { refusalOf } from '../git/policy.js'
import { counted } from '../text/amounts.js'
import { landingFor, named, type Delivery } from './accept-repository.js'
import type { Wish } from './accept-wish.js'
import type { AtRest } from './at-rest.js'
import { setupOf } from './recorded.js'

export type AcceptedFiles = { kind: 'files'; note: string; result: Tree; salvage: string | null; files: number }

export async function acceptFiles(delivery: Delivery, facts: WorkTreeFacts | null, wish: Wish): Promise<AcceptedFiles> {
  refuseFlags(wish)
  const refusal = facts && refusalOf(facts, { dirty: 'include' })
  if (refusal) throw refusal
  const landed = await landFiles(requestOf(delivery, facts))
  return toldOf(delivery, landed, delivery.result)
}

export async function finishAcceptedFiles(delivery: Delivery, facts: WorkTreeFacts | null, intent: FilesIntent): Promise<AcceptedFiles> {
  return toldOf(delivery, await finishFiles(requestOf(delivery, facts), intent), intent.result)
}

/** Lays a tree over the user's files, where they hold `base` or what became of it. Nothing to do is no fault. */
export async function layFiles(delivery: Delivery, facts: WorkTreeFacts): Promise<void> {
  const refusal = refusalOf(facts, { dirty: 'include' })
  if (refusal) throw refusal
  const landed = await landFiles(requestOf(delivery, facts))
  if (landed.kind === 'conflict') throw conflictIn(delivery.owned.id, landed.paths)
}

/** The same, after it was cut off. */
export async function finishLaying(delivery: Delivery, facts: WorkTreeFacts, intent: FilesIntent): Promise<void> {
  await finishFiles(requestOf(delivery, facts), intent)
}

function refuseFlags({ kind, message }: Wish): void {
  const flag = kind === 'squash' ? (message === undefined ? null : '--message') : `--${kind}`
  if (flag === null) return
  const why = 'this session did not begin with a commit, so its result goes into your files and is not committed'
  throw new Refusal(EXIT.usage, `${flag}: ${why}`, 'greenlatch accept')
}

function requestOf(delivery: Delivery, facts: WorkTreeFacts | null): FilesRequest {
  const { owned, store, base, result } = delivery
  return { files: filesOf(delivery, facts), store, room: roomOf(owned.folder), base, result, facts }
}

/** As the start tree was taken, of which an index tells that was made then. */
function filesOf({ owned, store, say }: Delivery, facts: WorkTreeFacts | null): Files {
  const { folder, session, id } = owned
  const naming = { session: id, at: session.openedAt, say }
  const index = join(folder, 'start-index')
  if (facts && !existsSync(index)) return filesOfRepository(landingFor(owned, store, facts, say), naming)
  const site = { store, folder: setupOf(session).source.top, index, base: session.start, aside: join(folder, 'aside') }
  return filesOfFolder({ ...site, strays: 'refuse', excludes: join(folder, 'excludes') }, naming)
}

function toldOf({ owned }: Delivery, landed: Landed, result: Tree): AcceptedFiles {
  const { top } = setupOf(owned.session).source
  switch (landed.kind) {
    case 'conflict':
      throw conflictIn(owned.id, landed.paths)
    case 'nothing':
      throw new Refusal(EXIT.usage, neededNot(owned, result, printable(top)), `greenlatch diff ${owned.id}`)
    case 'landed':
      return { kind: 'files', note: `the files of ${printable(top)}`, result, salvage: landed.salvage, files: landed.count }
  }
}

function neededNot({ id, session }: AtRest, result: Tree, top: string): string {
  return session.accepted === result ? `session ${id} was accepted already: the files of ${top}` : `${top} holds all of it already`
}

function conflictIn(id: string, paths: readonly BytePath[]): Refusal {
  const what = `${counted(paths.length, 'file')} cannot be merged by itself: ${named(paths)}`
  const text = `your files have changed since the session began, and ${what}`
  return new Refusal(EXIT.usage, text, `greenlatch diff ${id}`)
}
