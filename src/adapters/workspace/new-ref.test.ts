// Tests of names for commits that we write ourselves, held against what git makes of them.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainGit, put, stateOf, tryGit } from '../../git/fixture.js'
import { makeRef } from './new-ref.js'
import { keep } from './salvage.js'
import { bench } from './store.fixture.js'
import { emptyTree, type Store } from './store.js'

const REF = 'refs/greenlatch/s/checkpoints/2'

const commitIn = (store: Store) => keep(store, { session: 's', name: 'start', tree: emptyTree(store), parents: [], message: 'one', at: 0 })

const filesIn = (store: Store) => Object.entries(stateOf(store.path)).filter(([, what]) => !what.startsWith('folder'))

describe('a name for a commit', () => {
  it('is one that git knows, and git finds nothing wrong with it', async () => {
    const { store } = await bench()
    const commit = await commitIn(store)
    expect(makeRef(store, REF, commit)).toBe('made')
    expect(plainGit(store.path, 'for-each-ref', '--format=%(objectname)', REF)).toBe(commit)
    expect(tryGit(store.path, ['fsck', '--strict']).stderr).not.toMatch(/error|bad|invalid/)
    expect(tryGit(store.path, ['update-ref', REF, commit, '0'.repeat(commit.length)]).stderr).toContain('already exists')
  })

  it.each([['a file', []], ['a line of the packed list', [['pack-refs', '--all', '--prune']]]])('is taken when it stands as %s, and stays as it was', async (_where, packing) => {
    const { store } = await bench()
    const commit = await commitIn(store)
    makeRef(store, REF, commit)
    for (const args of packing) plainGit(store.path, ...args)
    const before = filesIn(store)
    expect(makeRef(store, REF, 'f'.repeat(commit.length))).toBe('taken')
    expect(filesIn(store)).toEqual(before)
  })

  it('is not taken by one in the packed list that only ends or begins like it', async () => {
    const { store } = await bench()
    const commit = await commitIn(store)
    for (const ref of [`${REF}0`, `refs/heads/${REF}`]) makeRef(store, ref, commit)
    plainGit(store.path, 'pack-refs', '--all', '--prune')
    expect(makeRef(store, REF, commit)).toBe('made')
  })

  it('is left to git while another holds its lock, which stays, and where a folder stands in its place', async () => {
    const { store } = await bench()
    const commit = await commitIn(store)
    put(store.path, { [`${REF}.lock`]: '' })
    expect(makeRef(store, REF, commit)).toBe('ask git')
    expect(existsSync(join(store.path, `${REF}.lock`))).toBe(true)
    put(store.path, { 'refs/greenlatch/s/x': `${commit}\n` })
    expect(makeRef(store, 'refs/greenlatch/s/x/y', commit)).toBe('ask git')
  })
})
