// Brings a result into a folder's files alone, where the session began with more than a commit: what stood there is kept first.
import type { Tree } from '../../core/types.js'
import type { BytePath } from '../../files/byte-path.js'
import type { WorkTreeFacts } from '../../git/inspect.js'
import { mergeTrees } from './accept-merge.js'
import { closeRoom, openRoom, writeIntent, type FilesIntent, type Room } from './accept-room.js'
import { changedEntries } from './changes.js'
import type { Store } from './store.js'
import { replacePaths } from './take-back.js'

/** The user's files as trees of the store: taken in as they were when the session began, and changed from one tree to another. */
export type Files = {
  take(): Promise<Tree>
  /** What stands there goes to salvage unless it is `known`; its name, or null. */
  change(from: Tree, to: Tree, known: Tree): Promise<string | null>
}

export type FilesRequest = {
  files: Files
  store: Store
  room: Room
  base: Tree
  result: Tree
  /** The repository that the folder is the top of, for its attributes. */
  facts: WorkTreeFacts | null
}

export type Landed =
  | { kind: 'landed'; salvage: string | null; count: number }
  | { kind: 'nothing' }
  | { kind: 'conflict'; paths: BytePath[] }

/** The room stays open for the caller when it has landed. */
export async function landFiles({ files, store, room, base, result, facts }: FilesRequest): Promise<Landed> {
  openRoom(room)
  const before = await files.take()
  const merged = await mergeTrees(store, { base, ours: before, theirs: result }, facts)
  if (merged.kind === 'conflict' || merged.tree === before) {
    closeRoom(room)
    return merged.kind === 'conflict' ? merged : { kind: 'nothing' }
  }
  writeIntent(room, { kind: 'files', result, before, to: merged.tree })
  const count = (await changedEntries(store, before, merged.tree)).length
  try {
    return { kind: 'landed', salvage: await files.change(before, merged.tree, base), count }
  } catch (error) {
    // Half done, the intent is still needed; what stood there is in salvage.
    if ((await files.take()) === before) closeRoom(room)
    throw error
  }
}

/** Only the files that were to change are made whole; what else has changed meanwhile is the user's. */
export async function finishFiles({ files, store, room }: FilesRequest, { before, to }: FilesIntent): Promise<Landed> {
  const now = await files.take()
  const paths = (await changedEntries(store, before, to)).map(({ path }) => path)
  const whole = await replacePaths({ store, index: room.index }, { in: now, from: to, paths })
  return { kind: 'landed', salvage: now === whole ? null : await files.change(now, whole, before), count: paths.length }
}
