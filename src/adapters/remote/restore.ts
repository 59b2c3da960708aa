// Brings a session back from its remote: checkpoints into the store, journal and files into its folder, which is there whole or not at all.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, replaceFile, syncFolder, writeDurable } from '../../files/durable.js'
import { inside } from '../../files/guard.js'
import { blobsOf } from '../../git/blobs.js'
import { git, type Repository } from '../../git/git.js'
import { fetchFrom, type RemoteRef } from '../../git/remote.js'
import type { TreeEntry } from './outbox.js'
import { nothingKnown, staysHere, type Known } from './state.js'

type To = { store: string; folder: string; session: string; signal?: AbortSignal }

/** Fetches the commit into the store, where it stays under a name of the session. */
export async function fetchState(from: RemoteRef, { store, session, signal }: Pick<To, 'store' | 'session' | 'signal'>): Promise<void> {
  await fetchFrom(ours(store), from.url, [`+${from.ref}:refs/greenlatch/${session}/remote`], signal ? { signal } : {})
}

/** The folder must not be there. What it returns is what the next commit is made on. */
export async function restoreState(commit: string, to: To): Promise<Known> {
  const { store, folder, session } = to
  const repository = ours(store)
  const draft = join(dirname(folder), `.${session}.restoring`)
  rmSync(draft, { recursive: true, force: true })
  makeFolder(draft)
  const pieces = await entriesOf(repository, `${commit}:journal`)
  const files = await filesOf(repository, `${commit}:files`)
  const contents = await contentsOf(repository, [...pieces, ...files])
  const journal = joined(pieces, contents)
  writeDurable(join(draft, 'journal.jsonl'), journal)
  for (const { path, id } of files) {
    const file = inside(draft, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    replaceFile(file, contents.get(id) ?? '')
  }
  const refs = await restoreRefs(repository, commit, session)
  renameSync(draft, folder)
  syncFolder(dirname(folder))
  return { ...nothingKnown(), commit, pieces: pieces.map(({ name, id }): TreeEntry => ({ mode: '100644', name, id })), bytes: journal.length, refs }
}

/** The journal of a commit that was fetched, as it is written. */
export async function journalOf(store: string, commit: string): Promise<string> {
  const pieces = await entriesOf(ours(store), `${commit}:journal`)
  return joined(pieces, await contentsOf(ours(store), pieces)).toString('utf8')
}

function ours(store: string): Repository {
  return { gitDir: store, config: 'ours', durable: true }
}

async function restoreRefs(repository: Repository, commit: string, session: string): Promise<Record<string, string>> {
  const { text } = await git(repository, ['cat-file', 'blob', `${commit}:refs`])
  const refs = Object.fromEntries(text.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{40,64}) ([\w./-]+)$/.exec(line) ?? []
    return id === undefined || name === undefined || name.includes('..') ? [] : [[name, id]]
  }))
  const input = Object.entries(refs).map(([name, id]) => `update refs/greenlatch/${session}/${name}\0${id}\0\0`).join('')
  await git(repository, ['update-ref', '--stdin', '-z'], { input })
  return refs
}

async function entriesOf(repository: Repository, tree: string): Promise<{ name: string; id: string }[]> {
  const { fields } = await git(repository, ['ls-tree', '-z', tree])
  return fields.map((field) => {
    const [, id = '', name = ''] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(field) ?? []
    return { name, id }
  })
}

async function filesOf(repository: Repository, tree: string): Promise<{ path: string; id: string }[]> {
  const { fields } = await git(repository, ['ls-tree', '-r', '-z', tree])
  return fields.flatMap((field) => {
    const [, id, path] = /^100644 blob ([0-9a-f]+)\t(.+)$/s.exec(Buffer.from(field, 'latin1').toString('utf8')) ?? []
    return id === undefined || path === undefined || staysHere(path) ? [] : [{ path, id }]
  })
}

async function contentsOf(repository: Repository, entries: readonly { id: string }[]): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  for await (const [id, bytes] of blobsOf(repository, [...new Set(entries.map(({ id }) => id))])) contents.set(id, bytes)
  return contents
}

function joined(pieces: readonly { id: string }[], contents: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.concat(pieces.map(({ id }) => contents.get(id) ?? Buffer.alloc(0)))
}
