// Objects of git on their way to a remote: a small repository of our own that can be thrown away, written without starting git.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Repository } from '../../git/git.js'

export type Format = 'sha1' | 'sha256'

export type Outbox = { path: string; format: Format; store: string }

export type TreeEntry = { mode: '100644' | '40000'; name: string; id: string }

const CONFIG: Record<Format, string> = {
  sha1: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = 0\n',
  sha256: '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n[gc]\n\tauto = 0\n',
}
const WHO = 'Greenlatch <greenlatch@localhost>'

/** `store` holds the objects that are only named here. What an outbox held before is gone. */
export function makeOutbox(path: string, format: Format, store: string): Outbox {
  rmSync(path, { recursive: true, force: true })
  for (const folder of ['objects', 'refs']) mkdirSync(join(path, folder), { recursive: true, mode: 0o700 })
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(join(path, 'config'), CONFIG[format])
  return { path, format, store }
}

/** As git sees it when it pushes. */
export function repositoryOf({ path, store }: Outbox): Repository {
  return { gitDir: path, config: 'ours', alternates: [join(store, 'objects')], reaches: 'remotes' }
}

export function writeBlob(outbox: Outbox, bytes: Uint8Array): string {
  return writeObject(outbox, 'blob', bytes)
}

export function writeTree(outbox: Outbox, entries: readonly TreeEntry[]): string {
  const key = ({ mode, name }: TreeEntry): Buffer => Buffer.from(mode === '40000' ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => Buffer.compare(key(a), key(b)))
  return writeObject(outbox, 'tree', Buffer.concat(sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])))
}

export type Commit = { tree: string; parents: readonly string[]; message: string; at: number }

export function writeCommit(outbox: Outbox, { tree, parents, message, at }: Commit): string {
  const when = `${WHO} ${Math.floor(at / 1000)} +0000`
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${when}`, `committer ${when}`, '', message, '']
  return writeObject(outbox, 'commit', Buffer.from(lines.join('\n')))
}

function writeObject({ path, format }: Outbox, type: string, body: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const id = createHash(format).update(bytes).digest('hex')
  const folder = join(path, 'objects', id.slice(0, 2))
  const file = join(folder, id.slice(2))
  if (existsSync(file)) return id
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${file}.tmp`, deflateSync(bytes, { level: 1 }))
  renameSync(`${file}.tmp`, file)
  return id
}
