// Tests of checkpoints and salvage in a real store.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, temporaryFolder } from '../../files/fixture.js'
import { plainGit, put, stateOf, tryGit } from '../../git/fixture.js'
import { bench } from './store.fixture.js'
import { keep, refOf, salvage, salvaged } from './salvage.js'
import { setAside } from './salvage-aside.js'
import { snapshot } from './snapshot.js'
import { emptyTree, type Store } from './store.js'

const checkpoint = (store: Store, message = 'one') =>
  ({ session: 's-1', name: 'checkpoints/3', tree: emptyTree(store), parents: [], message, at: 1_700_000_000_999 }) as const

describe('keeping a checkpoint', () => {
  it('makes the same commit for the same checkpoint, in any store and at any time', async () => {
    const [one, other] = [await bench({ a: 'a' }), await bench({ a: 'a' })]
    const { tree } = await snapshot(one.site)
    await snapshot(other.site)
    const first = await keep(one.store, { ...checkpoint(one.store), tree })
    expect(await keep(other.store, { ...checkpoint(other.store), tree })).toBe(first)
    const next = await keep(one.store, { ...checkpoint(one.store, 'zwei ü\n\nlines'), name: 'checkpoints/4', tree, parents: [first] })
    const shown = plainGit(one.store.path, 'log', '--format=%an %ae %at %ct %B', next)
    expect(shown).toContain('Greenlatch greenlatch@localhost 1700000000 1700000000 zwei ü\n\nlines')
    expect(plainGit(one.store.path, 'rev-list', next)).toBe(`${next}\n${first}`)
    expect(plainGit(one.store.path, 'rev-parse', 'refs/greenlatch/s-1/checkpoints/3')).toBe(first)
    expect(plainGit(one.store.path, 'fsck', '--strict')).not.toMatch(/error|missing|warning/)
  })

  it('leaves nothing among the objects that git would call damage when it is killed while it writes', async () => {
    const { store } = await bench()
    const child = bundle(`
      import { keep } from './adapters/workspace/salvage.js'
      await keep(JSON.parse(process.argv[2]), JSON.parse(process.argv[3]))`)
    for (const when of [1, 2, 3]) {
      const inject = ['-e', 'trace=fsync', '-e', `inject=fsync:signal=SIGKILL:when=${when}`]
      const args = ['node', child, JSON.stringify(store), JSON.stringify(checkpoint(store, `${when}`))]
      expect(spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', ...inject, ...args]).status).not.toBe(0)
      expect(tryGit(store.path, ['fsck', '--strict']).stderr).not.toMatch(/bad|error/)
    }
    const commit = await keep(store, checkpoint(store))
    expect(plainGit(store.path, 'rev-parse', refOf('s-1', 'checkpoints/3'))).toBe(commit)
  })

  it('changes nothing when it is repeated', async () => {
    const { store } = await bench()
    const commit = await keep(store, checkpoint(store))
    const before = Object.keys(stateOf(store.path))
    expect(await keep(store, checkpoint(store))).toBe(commit)
    expect(Object.keys(stateOf(store.path))).toEqual(before)
    expect(await salvaged(store, 's-1')).toEqual([])
  })

  it('writes a commit again of which a power cut has left only the name', async () => {
    const { store } = await bench()
    const commit = await keep(store, checkpoint(store))
    const object = join(store.path, 'objects', commit.slice(0, 2), commit.slice(2))
    rmSync(object)
    writeFileSync(object, '')
    expect(await keep(store, { ...checkpoint(store), name: 'checkpoints/4' })).toBe(commit)
    expect(plainGit(store.path, 'cat-file', '-t', commit)).toBe('commit')
  })

  it('keeps what stood under the name before it is given to another commit', async () => {
    const { store } = await bench()
    const first = await keep(store, checkpoint(store))
    const second = await keep(store, checkpoint(store, 'two'))
    expect(plainGit(store.path, 'rev-parse', refOf('s-1', 'checkpoints/3'))).toBe(second)
    expect((await salvaged(store, 's-1')).map(({ commit }) => commit)).toEqual([first])
    await keep(store, checkpoint(store))
    await keep(store, checkpoint(store, 'two'))
    expect((await salvaged(store, 's-1')).map(({ commit }) => commit)).toEqual([first, second])
  })

  it('takes away the lock that a killed git left on the name', async () => {
    const { store } = await bench()
    put(store.path, { 'refs/greenlatch/s-1/checkpoints/3.lock': '' })
    const commit = await keep(store, checkpoint(store))
    expect(plainGit(store.path, 'rev-parse', refOf('s-1', 'checkpoints/3'))).toBe(commit)
  })

  it.each(['../x', 'a b', 'x.lock', '.hidden', 'a//b', 'x/', 'a\nb', ''])('refuses the name %j, which is a bug', async (name) => {
    const { store } = await bench()
    await expect(keep(store, { ...checkpoint(store), name })).rejects.toThrow('is no name for a ref')
  })

  it('syncs every object and the ref with its folders before it returns', async () => {
    const { root, store, site } = await bench({ a: 'a' })
    const child = bundle(`
      import { snapshot } from './adapters/workspace/snapshot.js'
      import { keep } from './adapters/workspace/salvage.js'
      const { site } = JSON.parse(process.argv[2])
      const { tree } = await snapshot(site)
      await keep(site.store, { session: 's', name: 'checkpoints/1', tree, parents: [], message: 'm', at: 1000 })`)
    const trace = join(root, 'trace')
    execFileSync('strace', ['-f', '-y', '-qq', '-o', trace, '-e', 'trace=fsync', 'node', child, JSON.stringify({ site })])
    const synced = readFileSync(trace, 'utf8')
    const refs = ['/s/checkpoints/1.lock', '/s/checkpoints>', '/s>', '>'].map((path) => `refs/greenlatch${path}`)
    for (const path of [...refs, 'refs>']) expect(synced).toContain(`<${store.path}/${path}`)
    const commit = plainGit(store.path, 'rev-parse', 'refs/greenlatch/s/checkpoints/1')
    expect(synced).toContain(`<${store.path}/drafts/s/.${commit}.tmp`)
    expect(synced).toContain(`<${store.path}/objects/${commit.slice(0, 2)}>`)
    expect(synced.match(/objects\/[^>]*tmp_(obj|pack|idx)/g)?.length).toBeGreaterThanOrEqual(3)
  })
})

describe('salvage', () => {
  it('is numbered, oldest first, beyond nine', async () => {
    const { store, site, folder } = await bench()
    for (let n = 1; n <= 11; n += 1) {
      put(folder, { a: `${n}` })
      const { tree } = await snapshot(site)
      expect(await salvage(store, { session: 's', tree, message: 'why', at: n })).toBe(`refs/greenlatch/s/salvage/${n}`)
    }
    expect((await salvaged(store, 's')).map(({ ref }) => ref.split('/').at(-1)).join(' ')).toBe('1 2 3 4 5 6 7 8 9 10 11')
    expect(await salvaged(store, 'other')).toEqual([])
  })

  it('is not doubled when the same tree is salvaged again at once', async () => {
    const { store } = await bench()
    const one = await salvage(store, { session: 's', tree: emptyTree(store), message: 'why', at: 1 })
    expect(await salvage(store, { session: 's', tree: emptyTree(store), message: 'why', at: 99_000 })).toBe(one)
  })
})

describe('setting aside', () => {
  it('keeps a thing under its own path, and gives each its own number', () => {
    const root = temporaryFolder()
    put(root, { 'folder/a/b': '1' })
    const places = { folder: join(root, 'folder'), aside: join(root, 'deep/aside') }
    expect(setAside(places, 'a/b', 'because')).toBe(`"a/b" was moved to ${JSON.stringify(join(root, 'deep/aside/1/a/b'))}: because`)
    put(root, { 'folder/a/b': '2', 'deep/aside/3/x': 'x' })
    setAside(places, 'a/b', 'because')
    expect(readFileSync(join(root, 'deep/aside/4/a/b'), 'utf8')).toBe('2')
    expect(existsSync(join(root, 'folder/a/b'))).toBe(false)
  })

  it('copies to another disk with links, modes and odd names, and only then takes the thing away', () => {
    const root = temporaryFolder()
    const other = temporaryFolder('/dev/shm')
    expect(lstatSync(root).dev).not.toBe(lstatSync(other).dev)
    put(root, { 'folder/x/run': 'x', 'outside/kept': 'k' })
    writeFileSync(Buffer.concat([Buffer.from(join(root, 'folder/x/')), Buffer.from([0xff])]), 'odd')
    spawnSync('sh', ['-c', 'chmod 750 x x/run && ln -s ../../outside x/link && mkfifo x/pipe'], { cwd: join(root, 'folder') })
    setAside({ folder: join(root, 'folder'), aside: other }, 'x', 'because')
    const found = execFileSync('find', [join(other, '1'), '-printf', '%P %y %m %l\n'], { encoding: 'latin1' }).split('\n').toSorted()
    expect(found).toEqual(['', ' d 700 ', 'x d 750 ', 'x/link l 777 ../../outside', 'x/run f 750 ', 'x/\xff f 644 '])
    expect(existsSync(join(root, 'folder/x'))).toBe(false)
    expect(existsSync(join(root, 'outside/kept'))).toBe(true)
  })
})
