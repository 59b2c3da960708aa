// The state of a session as one commit: its journal in pieces, its files, the trees it began with and stands on, and its checkpoints.
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../core/types.js'
import { git } from '../../git/git.js'
import { writeBlob, writeCommit, writeTree, type Outbox, type TreeEntry } from './outbox.js'

/** What is known to be in the last commit that was made, so that the next one holds only what is new. */
export type Known = {
  commit: string | null
  /** Pieces of the journal, in order. */
  pieces: TreeEntry[]
  /** How much of the journal they hold. */
  bytes: number
  /** Ref below the session → commit. */
  refs: Readonly<Record<string, string>>
  /** Path → what the file looked like, and its object. */
  files: Map<string, { stamp: string; id: string }>
}

export type From = { folder: string; outbox: Outbox; session: Session }

/** Caches, locks, values of secrets and what belongs to one machine alone. */
const LOCAL = /^(session\.json|status\.json|underway\.json|journal\.jsonl|index|start-index|start-objects|excludes|owner.*\.json|inbox|aside|agents-env\.json|detached\.log|fleet\.json|.*\.lock)$/
/** Neither pushed nor, where somebody else has put it there, brought back: what a session is told must come from its own machine. */
export function staysHere(path: string): boolean {
  const parts = path.split('/')
  return parts.some((part) => part.startsWith('.')) || LOCAL.test(parts[0] ?? '')
}

/** Longer outputs stay where they were made. */
const MOST_BYTES = 4 * 1024 * 1024

export function nothingKnown(): Known {
  return { commit: null, pieces: [], bytes: 0, refs: {}, files: new Map() }
}

/** Writes the commit into the outbox; what it returns counts once the remote has taken it. */
export async function writeState({ folder, outbox, session }: From, known: Known, message: string): Promise<Known & { commit: string }> {
  const pieces = [...known.pieces]
  const fresh = readFrom(join(folder, 'journal.jsonl'), known.bytes)
  if (fresh.length > 0) pieces.push({ mode: '100644', name: String(pieces.length + 1).padStart(8, '0'), id: writeBlob(outbox, fresh) })
  const refs = await refsOf(outbox.store, session.id)
  const files = new Map<string, { stamp: string; id: string }>()
  const tree = writeTree(outbox, [
    { mode: '40000', name: 'journal', id: writeTree(outbox, pieces) },
    { mode: '40000', name: 'files', id: folderTree(outbox, folder, '', { before: known.files, files }) },
    { mode: '100644', name: 'refs', id: writeBlob(outbox, Buffer.from(Object.entries(refs).map(([name, commit]) => `${commit} ${name}\n`).join(''))) },
    { mode: '40000', name: 'start', id: session.start },
    { mode: '40000', name: 'result', id: session.finish?.delivers ?? session.tree },
  ])
  const added = Object.entries(refs).flatMap(([name, commit]) => (known.refs[name] === commit ? [] : [commit]))
  const parents = [...(known.commit === null ? [] : [known.commit]), ...new Set(added)]
  const commit = writeCommit(outbox, { tree, parents, message, at: Date.now() })
  return { commit, pieces, bytes: known.bytes + fresh.length, refs, files }
}

/** Only whole lines: one that is being written comes with the next commit. */
function readFrom(path: string, offset: number): Buffer {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - offset))
    const read = readSync(fd, bytes, 0, bytes.length, offset)
    return bytes.subarray(0, bytes.lastIndexOf('\n', read - 1) + 1)
  } finally {
    closeSync(fd)
  }
}

type Seen = { before: Known['files']; files: Known['files'] }

function folderTree(outbox: Outbox, folder: string, below: string, seen: Seen): string {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): TreeEntry[] => {
    const path = join(below, entry.name)
    if (staysHere(path)) return []
    if (entry.isDirectory()) return [{ mode: '40000', name: entry.name, id: folderTree(outbox, folder, path, seen) }]
    const id = entry.isFile() ? fileBlob(outbox, folder, path, seen) : null
    return id === null ? [] : [{ mode: '100644', name: entry.name, id }]
  })
  return writeTree(outbox, entries)
}

function fileBlob(outbox: Outbox, folder: string, path: string, { before, files }: Seen): string | null {
  const { size, mtimeMs, ino } = lstatSync(join(folder, path))
  if (size > MOST_BYTES) return null
  const stamp = `${ino}:${size}:${mtimeMs}`
  const known = before.get(path)
  const id = known?.stamp === stamp ? known.id : writeBlob(outbox, readFileSync(join(folder, path)))
  files.set(path, { stamp, id })
  return id
}

async function refsOf(store: string, session: string): Promise<Record<string, string>> {
  const prefix = `refs/greenlatch/${session}/`
  const { text } = await git({ gitDir: store, config: 'ours' }, ['for-each-ref', '--format=%(objectname) %(refname)', prefix])
  const lines = text.split('\n').filter((line) => line !== '').map((line) => line.split(' '))
  return Object.fromEntries(lines.map(([commit = '', ref = '']) => [ref.slice(prefix.length), commit] as const).filter(([name]) => name !== 'remote'))
}
