// What git tells of the differences of two trees, asked once: a tree is named by all that is in it, so the answer stays the same.
import { randomUUID } from 'node:crypto'
import type { Tree } from '../../core/types.js'
import { fieldsOf, git } from '../../git/git.js'
import { bare, type Store } from './store.js'

const MOST_REMEMBERED = 8
const LONGEST_REMEMBERED = 10_000

const remembered = new Map<string, readonly string[]>()

/** The fields of `diff-tree -r -z` with these flags. */
export async function treeDiff(store: Store, flags: readonly string[], from: Tree, to: Tree): Promise<readonly string[]> {
  const known = remembered.get(keyOf(store, flags, from, to))
  if (known) return known
  const { fields } = await git(bare(store), ['diff-tree', '-r', '-z', ...flags, from, to])
  return remember(keyOf(store, flags, from, to), fields)
}

/** Has answers ready for several questions that are about to be asked: one process takes hardly longer for them than for one. */
export async function treeDiffsAhead(store: Store, flags: readonly string[], froms: readonly Tree[], to: Tree): Promise<void> {
  const unknown = [...new Set(froms)].filter((from) => from !== to && !remembered.has(keyOf(store, flags, from, to)))
  if (unknown.length < 2) return
  // A line that is no question comes back as it is, between the answers; no name of a file can be one that was made up just now.
  const mark = `end ${randomUUID()}\n`
  const input = unknown.map((from) => `${from} ${to}\n${mark}`).join('')
  const { stdout } = await git(bare(store), ['diff-tree', '--stdin', '-r', '-z', ...flags], { input })
  let rest = stdout
  for (const from of unknown) {
    const [question, end] = [`${from} ${to}\n`, rest.indexOf(mark)]
    // Decoded one by one: what is remembered of a short answer must not keep the text of a long one.
    const answer = rest.subarray(0, Math.max(0, end)).toString('latin1')
    if (answer.startsWith(question)) remember(keyOf(store, flags, from, to), fieldsOf(answer.slice(question.length)))
    rest = rest.subarray(end + mark.length)
  }
}

function keyOf({ path }: Store, flags: readonly string[], from: Tree, to: Tree): string {
  return [path, from, to, ...flags].join('\0')
}

function remember(key: string, fields: readonly string[]): readonly string[] {
  const [oldest] = remembered.keys()
  if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
  if (fields.length <= LONGEST_REMEMBERED) remembered.set(key, fields)
  return fields
}
