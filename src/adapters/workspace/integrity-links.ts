// Where links of the start tree lead: a gate that is started through one is worth what it leads to, and the link itself.
import { posix } from 'node:path'
import type { Tree } from '../../core/types.js'
import { git } from '../../git/git.js'
import { readBlobs } from './blobs.js'
import { bare, type Store } from './store.js'

const LINK = '120000'
/** A link may lead to another. */
const MOST_ROUNDS = 8
/** Names that git would take for a pattern, or that cannot be asked for. */
const ODD = /[*?[\]\\\n\r]|^:/

/** Links on the way to these files, and the files that they lead to, as paths from the root; a folder ends in a slash. */
export async function throughLinks(store: Store, start: Tree, files: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  let open = files.filter((path) => !ODD.test(path))
  for (let round = 0; round < MOST_ROUNDS && open.length > 0; round++) {
    const links = await linksAmong(store, start, open.flatMap(waysTo))
    const next = open.flatMap((path) => leadingFrom(path, links))
    for (const link of links.keys()) found.add(link)
    open = next.filter((path) => !found.has(path) && !files.includes(path))
    for (const path of next) found.add(path)
  }
  return [...found]
}

/** The path of a file and of every folder above it. */
function waysTo(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '')
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}

async function linksAmong(store: Store, start: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  // Asked for a folder and for something in it, git tells of all that lies in it.
  const asked = new Set(paths)
  const { stdout } = await git(bare(store), ['ls-tree', '-z', start, '--', ...asked])
  const entries = stdout.toString('utf8').split('\0').flatMap((line) => {
    const [, mode, id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t([^]*)$/.exec(line) ?? []
    return mode === LINK && asked.has(path) ? [{ id, path }] : []
  })
  const targets = new Map<string, string>()
  if (entries.length === 0) return targets
  for await (const [id, bytes] of readBlobs(store, [...new Set(entries.map((entry) => entry.id))])) targets.set(id, bytes.toString('utf8'))
  return new Map(entries.map(({ id, path }) => [path, targets.get(id) ?? '']))
}

/** One step: what leads out of the tree leads nowhere that an agent could write to. */
function leadingFrom(path: string, links: ReadonlyMap<string, string>): string[] {
  const link = waysTo(path).find((way) => links.has(way))
  const target = link === undefined ? undefined : links.get(link)
  if (link === undefined || target === undefined || target.startsWith('/')) return []
  const led = posix.join(posix.dirname(link), target, path.slice(link.length))
  return led === '.' || led === '..' || led.startsWith('../') ? [] : [led]
}
