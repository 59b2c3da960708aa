// Reads a tree of the store: the list of its files, and their contents, a bounded number at a time.
import type { Tree } from '../../core/types.js'
import { blobsOf } from '../../git/blobs.js'
import { git } from '../../git/git.js'
import { bare, type Store } from './store.js'

/** As `git ls-tree -r -z -l` writes it. */
export async function listTree(store: Store, tree: Tree): Promise<Buffer> {
  return (await git(bare(store), ['ls-tree', '-r', '-z', '-l', tree])).stdout
}

export function readBlobs(store: Store, ids: readonly string[]): AsyncGenerator<readonly [id: string, bytes: Buffer]> {
  return blobsOf(bare(store), ids)
}
