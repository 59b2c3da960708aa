// What git tells of the differences of two trees, asked once: a tree is named by all that is in it, so the answer stays the same.
import type { Tree } from '../../core/types.js'
import { git } from '../../git/git.js'
import { bare, type Store } from './store.js'

const MOST_REMEMBERED = 8
const LONGEST_REMEMBERED = 10_000

const remembered = new Map<string, readonly string[]>()

/** The fields of `diff-tree -r -z` with these flags. */
export async function treeDiff(store: Store, flags: readonly string[], from: Tree, to: Tree): Promise<readonly string[]> {
  const question = [store.path, from, to, ...flags].join('\0')
  const known = remembered.get(question)
  if (known) return known
  const { fields } = await git(bare(store), ['diff-tree', '-r', '-z', ...flags, from, to])
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  if (fields.length <= LONGEST_REMEMBERED) remembered.set(question, fields)
  return fields
}
