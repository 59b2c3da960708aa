// Tests of names for commits that we write ourselves, held against what git makes of them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle } from '../../files/fixture.js'
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

  it('is left to git where a folder has its name, which git takes away when nothing is in it, and beside one that lies below it', async () => {
    const { store } = await bench()
    const commit = await commitIn(store)
    mkdirSync(join(store.path, REF), { recursive: true })
    expect(makeRef(store, REF, commit)).toBe('ask git')
    expect(existsSync(join(store.path, `${REF}.lock`))).toBe(false)
    makeRef(store, 'refs/greenlatch/s/x/y', commit)
    plainGit(store.path, 'pack-refs', '--all', '--prune')
    expect(makeRef(store, 'refs/greenlatch/s/x', commit)).toBe('ask git')
  })

  it('is refused, and not tried once more by git, when it was written and cannot be synced', async () => {
    const { store } = await bench()
    const commit = await commitIn(store)
    const child = bundle(`
      import { makeRef } from './adapters/workspace/new-ref.js'
      try { console.log(makeRef(JSON.parse(process.argv[2]), process.argv[3], process.argv[4])) } catch (error) { console.log(error.name, error.message) }`)
    const inject = ['-e', 'trace=fsync,unlink', '-e', 'inject=fsync:error=EIO', '-e', 'inject=unlink:error=EROFS']
    const { stdout } = spawnSync('strace', ['-qq', '-o', '/dev/null', ...inject, 'node', child, JSON.stringify(store), REF, commit], { encoding: 'utf8' })
    expect(stdout).toMatch(/^Refusal .*(EIO|i\/o error)/i)
    expect(existsSync(join(store.path, REF))).toBe(false)
  })
})
