// Makes a tree in which some paths are as they were in another: what is out of scope taken back, all else kept.
import { rmSync } from 'node:fs'
import type { Tree } from '../../core/types.js'
import { rawPath, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import type { Site } from './snapshot.js'
import { bare, type Store } from './store.js'

const MISSING = '000000'

export type Replacement = { in: Tree; from: Tree; paths: readonly BytePath[] }

export async function replacePaths(site: Pick<Site, 'store' | 'index'>, { in: tree, from, paths }: Replacement): Promise<Tree> {
  const before = await indexLines(site.store, from)
  return replaceEntries(site, tree, paths.map((path) => before.get(path) ?? missingLine(tree, path)))
}

/** The line by which an index takes a path away. */
export function missingLine(tree: Tree, path: BytePath): string {
  return `${MISSING} ${'0'.repeat(tree.length)}\t${path}`
}

/** `lines` are as an index takes them. Done on an index of its own, so that neither the folder nor its index notices. */
export async function replaceEntries({ store, index }: Pick<Site, 'store' | 'index'>, tree: Tree, lines: readonly string[]): Promise<Tree> {
  const own = `${index}.replace`
  const repository = { ...bare(store), index: own }
  rmSync(own, { force: true })
  try {
    await git(repository, ['read-tree', tree])
    // What goes makes room before what comes: a file may stand where a folder was.
    const sorted = lines.toSorted((a, b) => Number(b.startsWith(MISSING)) - Number(a.startsWith(MISSING)))
    await git(repository, ['update-index', '--replace', '-z', '--index-info'], { input: rawPath(sorted.map((line) => `${line}\0`).join('')) })
    return (await git(repository, ['write-tree'])).text
  } finally {
    rmSync(own, { force: true })
  }
}

/** Path → `<mode> <object>\t<path>`, as an index takes it. */
export async function indexLines(store: Store, tree: Tree): Promise<Map<BytePath, string>> {
  const { fields } = await git(bare(store), ['ls-tree', '-r', '-z', tree])
  return new Map(fields.map((field) => {
    const [head = '', path = ''] = [field.slice(0, field.indexOf('\t')), field.slice(field.indexOf('\t') + 1)]
    const [mode = '', , object = ''] = head.split(' ')
    return [path, `${mode} ${object}\t${path}`]
  }))
}
