// What differs between two trees of the store, with the texts of the files that are small enough to be read.
import type { Tree } from '../../core/types.js'
import { pathText, type BytePath } from '../../files/byte-path.js'
import { git } from '../../git/git.js'
import { readBlobs } from './blobs.js'
import { bare, type Store } from './store.js'
import { treeDiff } from './tree-diff.js'

export type Differing = { path: BytePath; name: string; oldMode: string; newMode: string; oldId: string; newId: string }

const LARGEST_BYTES = 1024 * 1024
const MOST_BYTES = 64 * 1024 * 1024

/** A renamed file is gone under one name and new under the other. */
export async function differing(store: Store, from: Tree, to: Tree): Promise<Differing[]> {
  const fields = await treeDiff(store, ['--raw', '--no-renames'], from, to)
  const found: Differing[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[at] ?? '').slice(1).split(' ')
    const path = fields[at + 1] ?? ''
    found.push({ path, name: pathText(path), oldMode, newMode, oldId, newId })
  }
  return found
}

/** Id → text, without what is too large, no text, or more than fits in memory. */
export async function textsOf(store: Store, ids: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for await (const [id, bytes] of readBlobs(store, await smallOnes(store, [...new Set(ids)], LARGEST_BYTES))) {
    if (!bytes.includes(0)) texts.set(id, bytes.toString('utf8'))
  }
  return texts
}

/** Those of at most so many bytes, as long as all together fit in memory. */
export async function smallOnes(store: Store, ids: readonly string[], largestBytes: number): Promise<string[]> {
  if (ids.length === 0) return []
  const { text } = await git(bare(store), ['cat-file', '--batch-check'], { input: ids.map((id) => `${id}\n`).join('') })
  let left = MOST_BYTES
  return text.split('\n').flatMap((line) => {
    const [id = '', kind = '', size = ''] = line.split(' ')
    const bytes = Number(size)
    if (kind !== 'blob' || bytes > largestBytes || bytes > left) return []
    left -= bytes
    return [id]
  })
}
