// A change between two trees in pieces, and the trees that hold only some of them.
import type { Tree } from '../../core/types.js'
import { pathText, rawPath, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import { readHunks, takeHunks, type Hunk } from '../../text/hunks.js'
import { changes } from './changes.js'
import { differing, type Differing } from './integrity-read.js'
import type { Site } from './snapshot.js'
import { bare, type Store } from './store.js'
import { missingLine, replaceEntries } from './take-back.js'

type Ground = Pick<Site, 'store' | 'index'>

/** `whole` is a file that is new, gone, moved, a link, binary or too much to be taken apart. */
export type Piece = {
  /** The path, or for a moved file the one it has now. */
  file: BytePath
  part: Hunk | 'mode' | 'whole'
  entries: readonly Differing[]
}

export type Span = { from: Tree; to: Tree }

const MISSING_MODE = '000000'
const FILE_MODES = new Set(['100644', '100755'])
/** Beyond so many changed files each is taken as a whole: every look into one is a process of its own. */
const MOST_LOOKED_INTO = 300

/** What `isHeld` names is no piece: it always stays. */
export async function piecesOf(store: Store, { from, to }: Span, isHeld: (path: string) => boolean): Promise<Piece[]> {
  const all = await differing(store, from, to)
  const groups = togetherMoved(all, await movesOf(store, { from, to })).filter(({ entries }) => !entries.some(({ path }) => isHeld(pathText(path))))
  const changed = groups.filter(({ entries }) => isText(entries))
  if (changed.length > MOST_LOOKED_INTO) return groups.map((group) => ({ ...group, part: 'whole' }))
  const pieces: Piece[] = []
  for (const group of groups) pieces.push(...(await partsOf(store, group)).map((part) => ({ ...group, part })))
  return pieces
}

type Group = Pick<Piece, 'file' | 'entries'>

/** New path → old one. */
async function movesOf(store: Store, { from, to }: Span): Promise<Map<BytePath, BytePath>> {
  const { changes: found } = await changes(store, from, to, 'followed')
  return new Map(found.flatMap(({ path, from: before }) => (before === undefined ? [] : [[path, before] as const])))
}

/** The two ends of a move stand or fall together. */
function togetherMoved(all: readonly Differing[], moves: ReadonlyMap<BytePath, BytePath>): Group[] {
  const left = new Set(moves.values())
  const byPath = new Map(all.map((entry) => [entry.path, entry]))
  return all.filter(({ path }) => !left.has(path)).map((entry) => {
    const before = byPath.get(moves.get(entry.path) ?? '')
    return { file: entry.path, entries: before ? [entry, before] : [entry] }
  })
}

function isText([entry, ...others]: readonly Differing[]): boolean {
  return entry !== undefined && others.length === 0 && FILE_MODES.has(entry.oldMode) && FILE_MODES.has(entry.newMode)
}

async function partsOf(store: Store, { entries }: Group): Promise<Piece['part'][]> {
  const [entry] = entries
  if (!entry || !isText(entries)) return ['whole']
  if (entry.oldId === entry.newId) return ['mode']
  const { stdout } = await git(bare(store), ['diff', '--unified=0', entry.oldId, entry.newId])
  const hunks = readHunks(stdout.toString('latin1'))
  if (hunks.length === 0) return ['whole']
  return entry.oldMode === entry.newMode ? hunks : ['mode', ...hunks]
}

// ───────────────────────────── trees ─────────────────────────────

/** Makes the tree `from` with some of the pieces, and with all that is no piece as it is in `to`. */
export function treeMaker(ground: Ground, { to }: Span, all: readonly Piece[]): (kept: readonly Piece[]) => Promise<Tree> {
  const byFile = new Map<BytePath, Piece[]>()
  for (const piece of all) byFile.set(piece.file, [...(byFile.get(piece.file) ?? []), piece])
  return async (kept) => {
    const chosen = new Set(kept)
    const lines: string[] = []
    for (const mine of byFile.values()) {
      const taken = mine.filter((piece) => chosen.has(piece))
      if (taken.length < mine.length) lines.push(...(await linesWith(ground.store, to, mine, taken)))
    }
    return lines.length === 0 ? to : replaceEntries(ground, to, lines)
  }
}

/** The lines of an index for one file of which only `taken` is there. */
async function linesWith(store: Store, tree: Tree, mine: readonly Piece[], taken: readonly Piece[]): Promise<string[]> {
  const [{ entries } = { entries: [] }] = mine
  const [entry] = entries
  if (!entry || taken.length === 0) return entries.map(({ path, oldMode, oldId }) => (oldMode === MISSING_MODE ? missingLine(tree, path) : `${oldMode} ${oldId}\t${path}`))
  const hunks = taken.flatMap(({ part }) => (typeof part === 'string' ? [] : [part]))
  const mode = taken.some(({ part }) => part === 'mode') || entry.oldMode === entry.newMode ? entry.newMode : entry.oldMode
  const isWhole = hunks.length === mine.filter(({ part }) => typeof part !== 'string').length
  const id = isWhole ? entry.newId : hunks.length === 0 ? entry.oldId : await blobWith(store, entry, hunks)
  return [`${mode} ${id}\t${entry.path}`]
}

async function blobWith(store: Store, { oldId, newId }: Differing, hunks: readonly Hunk[]): Promise<string> {
  const [before, after] = [await bytesOf(store, oldId), await bytesOf(store, newId)]
  return (await git(bare(store), ['hash-object', '-w', '--stdin'], { input: rawPath(takeHunks(before, after, hunks)) })).text
}

/** One character for each byte. */
async function bytesOf(store: Store, id: string): Promise<string> {
  return (await git(bare(store), ['cat-file', 'blob', id])).stdout.toString('latin1')
}
