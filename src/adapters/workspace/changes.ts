// What differs between two trees of the store: by file, for people and for the scope guard, or as a patch.
import type { Tree } from '../../core/types.js'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import { bare, type Store } from './store.js'
import { treeDiff, treeDiffsAhead } from './tree-diff.js'

export type ChangeStatus = 'added' | 'deleted' | 'modified' | 'renamed' | 'type-changed' | 'mode'

type Lines = { added: number; removed: number }

export type Change = {
  status: ChangeStatus
  path: BytePath
  /** Where it was before, when it was renamed. */
  from?: BytePath
  /** In octal, as git writes them; `000000` where there is no file. */
  oldMode: string
  newMode: string
  lines: Lines | 'binary'
  /** For a binary file, what it counts as: a NUL in a text must not make it weigh nothing. */
  counted?: Lines
  submodule?: true
  symlink?: true
}

/** `lines` is the sum of all lines added and removed; a binary file counts as if it were replaced, with a line for each 80 bytes. */
export type Changes = { changes: Change[]; lines: number }

/** For people a rename is one change; for the scope guard it is a deletion and an addition. */
export type Renames = 'followed' | 'apart'

const BYTES_PER_LINE = 80
const SUBMODULE = '160000'
const SYMLINK = '120000'
const STATUS: Record<string, ChangeStatus> = { A: 'added', D: 'deleted', M: 'modified', R: 'renamed', T: 'type-changed' }

export async function changes(store: Store, from: Tree, to: Tree, renames: Renames): Promise<Changes> {
  if (from === to) return { changes: [], lines: 0 }
  const { found, rest } = readRaw(await treeDiff(store, countingFlags(renames), from, to))
  const counts = readCounts(rest)
  const binary = found.filter(({ path }) => counts.get(path) === 'binary')
  const sizes = await sizesOf(store, binary.flatMap(({ ids }) => ids))
  const list = found.map(({ ids, ...change }): Change => {
    const lines = counts.get(change.path) ?? { added: 0, removed: 0 }
    return lines === 'binary' ? { ...change, lines, counted: { removed: sizes.get(ids[0]) ?? 0, added: sizes.get(ids[1]) ?? 0 } } : { ...change, lines }
  })
  return { changes: list, lines: list.map(countOf).reduce((sum, { added, removed }) => sum + added + removed, 0) }
}

/** Before `changes` is asked about one tree against each of several others. */
export function changesAhead(store: Store, froms: readonly Tree[], to: Tree, renames: Renames): Promise<void> {
  return treeDiffsAhead(store, countingFlags(renames), froms, to)
}

function countingFlags(renames: Renames): string[] {
  return ['--raw', '--numstat', ...renameFlags(renames)]
}

/** How much was changed, for budgets. */
export function countOf({ lines, counted }: Pick<Change, 'lines' | 'counted'>): Lines {
  return lines === 'binary' ? (counted ?? { added: 0, removed: 0 }) : lines
}

/** In lines. What is not there has none. */
async function sizesOf(store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const there = [...new Set(ids)].filter((id) => !/^0+$/.test(id))
  if (there.length === 0) return new Map()
  const { text } = await git(bare(store), ['cat-file', '--batch-check=%(objectsize)'], { input: `${there.join('\n')}\n` })
  const lines = text.split('\n').map((size) => Math.ceil(Number(size) / BYTES_PER_LINE))
  return new Map(there.map((id, at) => [id, lines[at] ?? 0]))
}

/** Without its lines, which cost a look at every file. */
export async function changedEntries(store: Store, from: Tree, to: Tree): Promise<Omit<Change, 'lines' | 'counted'>[]> {
  return readRaw(await treeDiff(store, ['--raw', ...renameFlags('apart')], from, to)).found.map((entry) => {
    const { ids: _, ...change } = entry
    return change
  })
}

/** As bytes, since files need not be text; `paths` limits it to these files and folders, as far as their names are text. */
export async function patch(store: Store, from: Tree, to: Tree, paths: readonly BytePath[] = []): Promise<Buffer> {
  const args = ['diff-tree', '-r', '--patch', '--binary', '--full-index', ...renameFlags('followed'), from, to]
  const limits = paths.map(textOf)
  return (await git(bare(store), [...args, ...(limits.includes('') ? [] : ['--', ...limits])])).stdout
}

/** To be read, not to be applied. */
export async function readablePatch(store: Store, from: Tree, to: Tree): Promise<string> {
  return (await git(bare(store), ['diff-tree', '-r', '--patch', ...renameFlags('followed'), from, to])).stdout.toString('utf8')
}

/** A command line takes text alone: a name that is none gives way to the folder it lies in, and at last to everything. */
function textOf(path: BytePath): string {
  const text = rawPath(path).toString('utf8')
  if (bytePath(text) === path) return text
  return path.includes('/') ? textOf(path.slice(0, path.lastIndexOf('/'))) : ''
}

function renameFlags(renames: Renames): string[] {
  return renames === 'followed' ? ['--find-renames', '-l1000'] : ['--no-renames']
}

type Raw = Omit<Change, 'lines' | 'counted'> & { ids: [old: string, now: string] }

/** `:<old mode> <new mode> <old id> <new id> <status>`, then one path, or two for a rename. What follows are the counts. */
function readRaw(fields: readonly string[]): { found: Raw[]; rest: readonly string[] } {
  const found: Raw[] = []
  let at = 0
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = (fields[at] ?? '').slice(1).split(' ')
    const isRename = letter.startsWith('R')
    const [first = '', second = ''] = fields.slice(at + 1, at + 3)
    const status = oldId === newId && letter === 'M' ? 'mode' : (STATUS[letter.slice(0, 1)] ?? 'modified')
    const place = isRename ? { path: second, from: first } : { path: first }
    found.push({ status, ...place, oldMode, newMode, ...kindOf(oldMode, newMode), ids: [oldId, newId] })
    at += isRename ? 3 : 2
  }
  return { found, rest: fields.slice(at) }
}

function kindOf(...modes: readonly string[]): Pick<Change, 'submodule' | 'symlink'> {
  return { ...(modes.includes(SUBMODULE) && { submodule: true as const }), ...(modes.includes(SYMLINK) && { symlink: true as const }) }
}

/** `<added>\t<removed>\t<path>`; for a rename the path is empty and two fields follow. A dash stands for a binary file. */
function readCounts(fields: readonly string[]): Map<BytePath, Change['lines']> {
  const counts = new Map<BytePath, Change['lines']>()
  for (let at = 0; at < fields.length; at += 1) {
    const [added = '', removed = '', ...rest] = (fields[at] ?? '').split('\t')
    const path = rest.join('\t')
    const lines = added === '-' ? 'binary' : { added: Number(added), removed: Number(removed) }
    counts.set(path === '' ? (fields[(at += 2)] ?? '') : path, lines)
  }
  return counts
}
