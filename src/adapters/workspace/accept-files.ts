// Brings a result into a folder's files alone, where the session began with more than a commit: what stood there is kept first.
import type { Tree } from '../../core/types.js'
import { shownPath, type BytePath } from '../../files/byte-path.js'
import { mergeTrees, type Merge } from './accept-merge.js'
import { closeRoom, openRoom, writeIntent, type FilesIntent, type Room } from './accept-room.js'
import { changedEntries } from './changes.js'
import { stand } from './restore.js'
import { snapshot, type Site } from './snapshot.js'
import { replacePaths } from './take-back.js'
import type { WorkTreeFacts } from '../../git/inspect.js'

export type FilesRequest = {
  /** The user's folder, with an index of our own. */
  site: Site
  session: string
  room: Room
  base: Tree
  result: Tree
  /** The repository that the folder is the top of, for its attributes. */
  facts: WorkTreeFacts | null
  at: number
  say: (text: string) => void
}

export type Landed = { kind: 'landed'; salvage: string | null; paths: string[]; more: number } | { kind: 'nothing' } | { kind: 'conflict'; paths: BytePath[] }

/** The room stays open for the caller when it has landed. */
export async function landFiles(request: FilesRequest): Promise<Landed> {
  const { site, room, base, result, facts } = request
  const found = await snapshot(site)
  for (const notice of found.notices) request.say(notice)
  const merged = await mergeTrees(site.store, { base, ours: found.tree, theirs: result } satisfies Merge, facts)
  if (merged.kind === 'conflict') return merged
  if (merged.tree === found.tree) return { kind: 'nothing' }
  openRoom(room)
  writeIntent(room, { kind: 'files', result, before: found.tree, to: merged.tree })
  try {
    return await standOn(request, base, merged.tree)
  } catch (error) {
    // Refused before anything was written, or half done and kept in salvage: then the intent is still needed.
    if ((await snapshot(site)).tree === found.tree) closeRoom(room)
    throw error
  }
}

/** Only the files that were to change are made whole; what else has changed meanwhile is the user's. */
export async function finishFiles(request: FilesRequest, { before, to }: FilesIntent): Promise<Landed> {
  const { site } = request
  const { tree: now } = await snapshot(site)
  const paths = (await changedEntries(site.store, before, to)).map(({ path }) => path)
  return standOn(request, before, await replacePaths(site, { in: now, from: to, paths }))
}

async function standOn({ site, session, at, say }: FilesRequest, base: Tree, tree: Tree): Promise<Landed> {
  const { salvaged, changed, notices } = await stand({ ...site, base, session, tree, at, why: 'before accept' })
  for (const notice of notices) say(notice)
  const paths = changed.paths.map(shownPath)
  return { kind: 'landed', salvage: salvaged === null ? null : salvaged.split('/').slice(-2).join('/'), paths, more: changed.count - paths.length }
}
