// Merges two trees that come from a third, in the store: nothing of the user's is written, and their attributes count.
import type { Tree } from '../../core/types.js'
import type { BytePath } from '../../files/byte-path.js'
import { git, type Repository } from '../../git/git.js'
import type { WorkTreeFacts } from '../../git/inspect.js'
import { bare, objectsOf, type Store } from './store.js'

export type Merged = { kind: 'clean'; tree: Tree } | { kind: 'conflict'; paths: BytePath[] }

export type Merge = { base: Tree; ours: Tree; theirs: Tree }

/** Where the attributes come from that say how files are merged; drivers that are programs count as a conflict. */
type Rules = Pick<WorkTreeFacts, 'topLevel' | 'gitDir' | 'objects'> | null

/** All three trees are in the store, and so is what comes of them. */
export async function mergeTrees(store: Store, { base, ours, theirs }: Merge, rules: Rules): Promise<Merged> {
  if (ours === base || ours === theirs) return { kind: 'clean', tree: theirs }
  if (theirs === base) return { kind: 'clean', tree: ours }
  const first = await commitOf(store, base, [])
  const [one, other] = [await commitOf(store, ours, [first]), await commitOf(store, theirs, [first])]
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', one, other]
  const { code, fields } = await git(mergingIn(store, rules), args, { accepts: [1] })
  const [tree = '', ...paths] = fields
  return code === 0 ? { kind: 'clean', tree } : { kind: 'conflict', paths: [...new Set(paths)] }
}

function mergingIn(store: Store, rules: Rules): Repository {
  if (rules === null) return bare(store)
  const { topLevel, gitDir, objects } = rules
  return { gitDir, workTree: topLevel, config: 'foreign', objects: objectsOf(store), alternates: objects.folders, durable: true }
}

/** Only for git to find the base by: always the same for the same trees. */
async function commitOf(store: Store, tree: Tree, parents: readonly string[]): Promise<string> {
  const who = 'Greenlatch <greenlatch@localhost> 0 +0000'
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`, '', 'merge', '']
  return (await git(bare(store), ['hash-object', '-w', '-t', 'commit', '--stdin'], { input: lines.join('\n') })).text
}
