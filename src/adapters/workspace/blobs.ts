// Reads a tree of the store: the list of its files, and their contents, a bounded number at a time.
import type { Tree } from '../../core/types.js'
import { git } from '../../git/git.js'
import { bare, type Store } from './store.js'

/** Files are asked for in lots: one process for many, and never all contents in memory at once. */
const LOT = 200

/** As `git ls-tree -r -z -l` writes it. */
export async function listTree(store: Store, tree: Tree): Promise<Buffer> {
  return (await git(bare(store), ['ls-tree', '-r', '-z', '-l', tree])).stdout
}

export async function* readBlobs(store: Store, ids: readonly string[]): AsyncGenerator<readonly [id: string, bytes: Buffer]> {
  for (let at = 0; at < ids.length; at += LOT) {
    const lot = ids.slice(at, at + LOT)
    const { stdout } = await git(bare(store), ['cat-file', '--batch'], { input: lot.map((id) => `${id}\n`).join('') })
    yield* blobsIn(stdout)
  }
}

/** `<id> blob <size>`, a line break, the bytes, a line break; `<id> missing` for what is not there. */
function* blobsIn(output: Buffer): Generator<readonly [id: string, bytes: Buffer]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at)
    const [id = '', kind = '', size = ''] = output.toString('latin1', at, end).split(' ')
    at = end + 1
    if (kind !== 'blob') continue
    yield [id, output.subarray(at, at + Number(size))]
    at += Number(size) + 1
  }
}
