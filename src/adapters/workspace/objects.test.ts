// Tests of copying trees into the store, out of real repositories.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { commitAll, plainGit, put, repositoryWith, stateOf } from '../../git/fixture.js'
import type { Repository } from '../../git/git.js'
import { filesOf } from './store.fixture.js'
import { importTree } from './objects.js'
import { keep } from './salvage.js'
import { openStore, type Store } from './store.js'

type Case = { root: string; user: string; from: Repository; store: Store }

async function userWith(files: Readonly<Record<string, string>>): Promise<Case> {
  const root = temporaryFolder()
  const user = join(root, "the user's: own")
  repositoryWith(user, files)
  return { root, user, from: { gitDir: join(user, '.git'), config: 'foreign' }, store: await openStore(join(root, 'store.git')) }
}

const start = (store: Store, session: string, tree: string) =>
  keep(store, { session, name: 'start', tree, parents: [], message: 'start', at: 1000 })

/** In packs, where an object that was copied twice counts twice. */
function objectCount({ path }: Store): number {
  return Number(/^in-pack: (\d+)$/m.exec(plainGit(path, 'count-objects', '-v'))?.[1])
}

describe('importing a tree', () => {
  it('copies all of it and no history, and survives the loss of the repository it came from', async () => {
    const { user, from, store } = await userWith({ 'old.txt': 'old' })
    rmSync(join(user, 'old.txt'))
    put(user, { 'a.txt': 'a', 'src/b.txt': 'b' })
    commitAll(user, 'second')
    const tree = await importTree(store, from, 'HEAD')
    rmSync(user, { recursive: true })
    expect(filesOf(store, tree)).toEqual({ 'a.txt': '100644 a', 'src/b.txt': '100644 b' })
    expect(objectCount(store)).toBe(4)
    expect(plainGit(store.path, 'fsck', '--strict')).not.toContain('error')
  })

  it('writes nothing to the repository it comes from', async () => {
    const { user, from, store } = await userWith({ a: 'a' })
    const before = stateOf(user)
    await importTree(store, from, 'HEAD')
    expect(stateOf(user)).toEqual(before)
  })

  it('adds only what has changed since an earlier start', async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`d${n % 5}/f${n}`, `${n}`]))
    const { user, from, store } = await userWith(files)
    await start(store, 'one', await importTree(store, from, 'HEAD'))
    const before = objectCount(store)
    put(user, { 'd1/f1': 'changed' })
    commitAll(user, 'second')
    const tree = await importTree(store, from, 'HEAD')
    expect(objectCount(store) - before).toBe(3)
    expect(plainGit(store.path, 'ls-tree', '-r', tree).split('\n')).toHaveLength(50)
  })

  it('does nothing the second time', async () => {
    const { from, store } = await userWith({ a: 'a' })
    const tree = await importTree(store, from, 'HEAD')
    await start(store, 'one', tree)
    const before = stateOf(store.path)
    expect(await importTree(store, from, 'HEAD^{tree}')).toBe(tree)
    expect(stateOf(store.path)).toEqual(before)
  })

  it('repairs a tree that is there without its files', async () => {
    const { user, from, store } = await userWith({ 'd/a': 'a' })
    const whole = await openStore(join(store.path, '..', 'whole.git'))
    await importTree(whole, from, 'HEAD')
    const tree = plainGit(user, 'rev-parse', 'HEAD^{tree}')
    plainGit(user, 'bundle', 'create', join(user, 'x'), 'HEAD')
    expect(await importTree(store, from, tree)).toBe(tree)
    for (const name of readdirSync(join(store.path, 'objects/pack'))) rmSync(join(store.path, 'objects/pack', name))
    await importTree(store, from, tree)
    expect(filesOf(store, tree)).toEqual({ 'd/a': '100644 a' })
  })

  it('keeps submodules as the names of commits', async () => {
    const { user, from, store } = await userWith({ a: 'a' })
    repositoryWith(join(user, 'sub'), { s: 's' })
    commitAll(user, 'with submodule')
    expect(filesOf(store, await importTree(store, from, 'HEAD'))).toEqual({ a: '100644 a', sub: '160000' })
  })

  it('reads from a linked worktree, and through objects that are borrowed twice', async () => {
    const { root, user, from, store } = await userWith({ a: 'a' })
    plainGit(user, 'worktree', 'add', '-q', join(root, 'linked'))
    put(join(root, 'linked'), { b: 'b' })
    commitAll(join(root, 'linked'), 'second')
    const linked = { ...from, gitDir: plainGit(join(root, 'linked'), 'rev-parse', '--absolute-git-dir') }
    expect(filesOf(store, await importTree(store, linked, 'HEAD'))).toEqual({ a: '100644 a', b: '100644 b' })
    plainGit(root, 'clone', '-q', '--shared', user, 'second')
    plainGit(root, 'clone', '-q', '--shared', 'second', 'third')
    const other = await openStore(join(root, 'other.git'))
    expect(filesOf(other, await importTree(other, { ...from, gitDir: join(root, 'third/.git') }, 'HEAD'))).toEqual({ a: '100644 a' })
  })

  it('takes in a tree of objects named by SHA-256', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '--object-format=sha256', 'user')
    put(root, { 'user/a': 'a' })
    commitAll(join(root, 'user'), 'first')
    const store = await openStore(join(root, 'store.git'), 'sha256')
    const tree = await importTree(store, { gitDir: join(root, 'user/.git'), config: 'foreign' }, 'HEAD')
    expect(filesOf(store, tree)).toEqual({ a: '100644 a' })
  })

  it('says that files are missing in a partial clone, asks nobody for them, and leaves nothing behind', async () => {
    const { root, user, store } = await userWith({ a: 'a', 'd/b': 'b' })
    plainGit(user, 'config', 'uploadpack.allowFilter', 'true')
    plainGit(root, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${user}`, 'partial')
    const from: Repository = { gitDir: join(root, 'partial/.git'), config: 'foreign' }
    const before = stateOf(join(root, 'partial'))
    const explanation = expect.stringContaining('partial clone')
    await expect(importTree(store, from, 'HEAD')).rejects.toMatchObject({ name: 'GitError', code: 10, explanation })
    expect(stateOf(join(root, 'partial'))).toEqual(before)
    expect(readdirSync(join(store.path, 'objects/pack')).filter((name) => /\.(pack|idx)$/.test(name))).toEqual([])
  })

  it('says that there is no such revision', async () => {
    const { from, store } = await userWith({ a: 'a' })
    await expect(importTree(store, from, 'nowhere')).rejects.toMatchObject({ name: 'GitError', code: 2 })
  })
})
