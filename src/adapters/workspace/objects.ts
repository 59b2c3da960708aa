// Copies the objects of trees from one repository to another: whole, without history, and only what is not there yet.
import { join } from 'node:path'
import type { Tree } from '../../core/types.js'
import { syncFolder } from '../../files/durable.js'
import { git, GitError, type Repository } from '../../git/git.js'
import { commonDirOf } from '../../git/keys.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { bare, objectsOf, type Store } from './store.js'

/** How many earlier trees are held against a new one: each costs a look at its folders. */
const MOST_EARLIER = 4

/** Durable when it returns. After the first tree its cost follows what has changed. Submodules stay as the names of commits. */
export async function importTree(store: Store, from: Repository, treeish: string): Promise<Tree> {
  const tree = (await git(from, ['rev-parse', '--verify', '--end-of-options', `${treeish}^{tree}`])).text
  const known = await startTrees(store)
  if (known.includes(tree)) return tree
  const sources = [from.objects ?? join(commonDirOf(from.gitDir), 'objects'), ...(from.alternates ?? [])]
  try {
    await copyTree({ ...bare(store), alternates: sources }, tree, known)
  } catch (error) {
    throw error instanceof GitError ? explained(error, from, treeish) : error
  }
  syncFolder(join(objectsOf(store), 'pack'))
  return tree
}

/**
 * Packs what `tree` reaches and `known` trees do not. It runs where the objects go and reads the others' object folders, so that nothing is
 * written to, and nothing configured is read from, the repository they come from.
 */
export async function copyTree(to: Repository, tree: Tree, known: readonly Tree[]): Promise<void> {
  const input = [tree, ...known.map((other) => `^${other}`), ''].join('\n')
  const args = ['pack-objects', '--quiet', '--revs', '--non-empty', '--delta-base-offset', join(to.gitDir, 'objects', 'pack', 'pack')]
  await git(to, args, { input })
}

/** The latest trees that sessions started from: those are in the store whole. */
async function startTrees(store: Store): Promise<Tree[]> {
  const args = ['for-each-ref', '--sort=-committerdate', `--count=${MOST_EARLIER}`, '--format=%(tree)', 'refs/greenlatch/*/start']
  const { text } = await git(bare(store), args)
  return [...new Set(text.split('\n').filter((line) => line !== ''))]
}

function explained(error: GitError, { gitDir }: Repository, treeish: string): Error {
  if (!/missing|unable to read|bad object|not found|Could not read|lacks/i.test(error.stderr)) return error
  const { code, command, status, stderr } = error
  const explanation = `some files of ${treeish} are not in the repository: a partial clone, or a damaged one`
  const next = `git --git-dir=${quoteWord(gitDir)} fetch --refetch --no-filter`
  return new GitError({ code, command, status, stderr, explanation, next })
}
