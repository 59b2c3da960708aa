// The ground of the tests with hostile paths: a folder with files of others all around it, and trees that git would never make.
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'vitest'
import { snapshot, type Site } from '../../src/adapters/workspace/snapshot.js'
import { emptyTree, openStore } from '../../src/adapters/workspace/store.js'
import type { BytePath } from '../../src/files/byte-path.js'
import { temporaryFolder } from '../../src/files/fixture.js'
import { put } from '../../src/git/fixture.js'

export type Ground = {
  root: string
  outside: string
  folder: string
  /** Neither what lies around the folder nor the repository in it. */
  unchanged: (what: string) => void
  /** The same without that repository, once the folder is gone. */
  unchangedAround: (what: string) => void
}

const FILES = { 'kept.txt': 'kept\n', 'tracked/a': 'a\n', 'tracked/b': 'b\n', 'deep/file': 'deep\n' }
const OUTSIDE = Object.fromEntries(['file', 'sub/file', 'tracked/a', 'tracked/b', 'node_modules/x', 'x'].map((path) => [path, 'outside\n']))

/** A folder to work in, with files of others all around it, and a repository in it that is nobody's business. */
export function ground(): Ground {
  const root = temporaryFolder()
  const [around, folder] = [join(root, 'around'), join(root, 'around/state/checkouts/s-1')]
  const outside = join(around, 'outside')
  put(outside, OUTSIDE)
  put(around, { x: 'above\n', 'state/x': 'above\n', 'state/checkouts/x': 'beside\n', 'state/checkouts/s-2/file': 'of another session\n' })
  put(folder, { ...FILES, '.git/config': '[core]\n', '.git/HEAD': 'ref: x\n' })
  const look = (): Record<string, string> => stateAround(around, 'state/checkouts/s-1')
  const lookInside = (): Record<string, string> => stateAround(join(folder, '.git'), '')
  const [before, inside] = [look(), lookInside()]
  const unchangedAround = (what: string): void => expect(look(), `what lies outside, after ${what}`).toEqual(before)
  const unchanged = (what: string): void => {
    unchangedAround(what)
    expect(lookInside(), `.git, after ${what}`).toEqual(inside)
  }
  return { root, outside, folder, unchanged, unchangedAround }
}

/** Path → mode, time and contents, without the session's own folder. Nothing is opened that is no file. */
function stateAround(root: string, own: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(root, below), { withFileTypes: true }).map(({ name }): Record<string, string> => {
    const path = below === '' ? name : `${below}/${name}`
    const full = join(root, path)
    const stat = lstatSync(full, { bigint: true })
    if (path === own) return {}
    if (stat.isDirectory()) return { [path]: `folder ${stat.mode}`, ...stateAround(root, own, path) }
    const bytes = stat.isSymbolicLink() ? readlinkSync(full) : stat.isFile() ? readFileSync(full) : ''
    return { [path]: `${stat.mode} ${stat.mtimeNs} ${createHash('sha1').update(bytes).digest('hex')}` }
  })
  return Object.assign({}, ...entries) as Record<string, string>
}

export async function siteOf({ root, folder }: Ground, strays: Site['strays'] = 'aside'): Promise<Site> {
  const store = await openStore(join(root, 'ours/store.git'))
  const site: Site = { store, folder, index: join(root, 'ours/index'), base: emptyTree(store), aside: join(root, 'ours/aside'), strays }
  return { ...site, base: (await snapshot(site)).tree }
}

// ───────────────────────────── trees ─────────────────────────────

type Node = { [name: BytePath]: Node } | 'file'

/** Writes a tree as it is, whatever git would say of its names. Returns its id. */
export function writeTree(gitDir: string, node: Exclude<Node, 'file'>): string {
  const blob = writeObject(gitDir, 'blob', Buffer.from('hostile\n'))
  const entries = Object.entries(node).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, inside]) => {
    const [mode, id] = inside === 'file' ? ['100644', blob] : ['40000', writeTree(gitDir, inside)]
    return Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name, 'latin1'), Buffer.from([0]), Buffer.from(id, 'hex')])
  })
  return writeObject(gitDir, 'tree', Buffer.concat(entries))
}

function writeObject(gitDir: string, kind: 'blob' | 'tree', body: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body])
  const id = createHash('sha1').update(bytes).digest('hex')
  const path = join(gitDir, 'objects', id.slice(0, 2), id.slice(2))
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) writeFileSync(path, deflateSync(bytes))
  return id
}

/** `a/b` as folders, or as one name with a slash in it. */
export function nodeOf(parts: readonly BytePath[]): Exclude<Node, 'file'> {
  const [first = '', ...rest] = parts
  return { [first]: rest.length === 0 ? 'file' : nodeOf(rest) }
}

/** Those that git itself takes stand in one tree, as far as no file stands where a folder belongs. */
export function gathered(paths: readonly BytePath[]): Exclude<Node, 'file'> {
  const root: Exclude<Node, 'file'> = {}
  for (const path of paths) {
    const parts = path.split('/')
    let node: Node = root
    for (const [at, part] of parts.entries()) {
      if (node === 'file') break
      node[part] ??= at === parts.length - 1 ? 'file' : {}
      node = node[part] ?? 'file'
    }
  }
  return root
}

/** Names that no index holds. */
export function isRefusedByGit(path: BytePath): boolean {
  const isDotGit = (name: BytePath): boolean => /^(\.git|git~1)[ .]*(:.*)?$/i.test(name)
  return path.split('/').some((part) => /^(|\.|\.\.)$/.test(part) || part.split('\\').some(isDotGit))
}
