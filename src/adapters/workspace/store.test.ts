// Tests of the store with real repositories.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, run, temporaryFolder } from '../../files/fixture.js'
import { plainGit, put } from '../../git/fixture.js'
import { emptyTree, openStore, over } from './store.js'
import { git } from '../../git/git.js'

describe('opening a store', () => {
  it('makes a bare repository that is private to the user and whole', async () => {
    const path = join(temporaryFolder(), 'deep', 'store.git')
    const store = await openStore(path)
    expect(store).toEqual({ path, format: 'sha1' })
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(plainGit(path, 'rev-parse', '--is-bare-repository')).toBe('true')
    expect(plainGit(path, 'fsck', '--strict')).toBe('')
    expect(readdirSync(join(path, '..'))).toEqual(['store.git'])
    expect(await openStore(path)).toEqual(store)
  })

  it('uses the names of objects that the repository uses, and refuses to mix them', async () => {
    const path = join(temporaryFolder(), 'store.git')
    const store = await openStore(path, 'sha256')
    expect(plainGit(path, 'hash-object', '-t', 'tree', '/dev/null')).toBe(emptyTree(store))
    await expect(openStore(path, 'sha1')).rejects.toMatchObject({ code: 10, message: expect.stringContaining('sha256') })
  })

  it('leaves one store when several processes make it at once', async () => {
    const path = join(temporaryFolder(), 'store.git')
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(path)))
    expect(new Set(stores.map((store) => store.path))).toEqual(new Set([path]))
    expect(readdirSync(join(path, '..'))).toEqual(['store.git'])
    const child = bundle(`import { openStore } from './adapters/workspace/store.js'; await openStore(process.argv[2]); console.log('open')`)
    expect(run(['node', child, path])).toBe('open\n')
  })

  it('takes away what a process that is no more left of a store, however young, and nothing of one that lives', async () => {
    const room = temporaryFolder()
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
    const gone = spawnSync('true').pid
    const [dead, alive, elsewhere] = [`${boot}.${gone}-a`, `${boot}.${process.ppid}-b`, `00000000.${gone}-c`].map((name) => `.store.git.making-${name}`)
    for (const name of [dead, alive, elsewhere]) mkdirSync(join(room, name ?? ''))
    await openStore(join(room, 'store.git'))
    expect(readdirSync(room).toSorted()).toEqual([elsewhere, alive, 'store.git'].toSorted())
  })

  it('takes away what a killed process left of a store long ago, and leaves a young one to whoever makes it', async () => {
    const room = temporaryFolder()
    for (const name of ['.store.git.making-old', '.store.git.making-young']) mkdirSync(join(room, name))
    utimesSync(join(room, '.store.git.making-old'), 1, 1)
    await openStore(join(room, 'store.git'))
    expect(readdirSync(room).toSorted()).toEqual(['.store.git.making-young', 'store.git'])
  })

  it.each([
    ['a file in its place', (path: string) => { rmSync(path, { recursive: true }); writeFileSync(path, '') }, 'no folder'],
    ['a link in its place', (path: string) => { rmSync(path, { recursive: true }); symlinkSync('/', path) }, 'no folder'],
    ['its mark missing', (path: string) => rmSync(join(path, 'greenlatch.json')), 'half made'],
    ['a mark that is no mark', (path: string) => writeFileSync(join(path, 'greenlatch.json'), '{"store":'), 'half made'],
    ['a mark of a newer form', (path: string) => put(path, { 'greenlatch.json': '{"store":9,"format":"sha1","sum":""}' }), 'newer'],
    ['its refs missing', (path: string) => rmSync(join(path, 'refs'), { recursive: true }), 'refs is missing'],
    ['its HEAD missing', (path: string) => rmSync(join(path, 'HEAD')), 'HEAD is missing'],
    ['a foreign setting', (path: string) => appendFileSync(join(path, 'config'), '[core]\n\tfsmonitor = /bin/true\n'), 'no longer what'],
    ['foreign attributes', (path: string) => appendFileSync(join(path, 'info', 'attributes'), '* filter=x\n'), 'no longer what'],
    ['borrowed objects', (path: string) => put(path, { 'objects/info/alternates': '/tmp\n' }), 'borrows'],
  ])('refuses, naming it, a store with %s', async (_what, damage, named) => {
    const path = join(temporaryFolder(), 'store.git')
    await openStore(path)
    damage(path)
    await expect(openStore(path)).rejects.toMatchObject({ name: 'Refusal', code: 10, message: expect.stringContaining(named) })
    expect(existsSync(path)).toBe(true)
  })

  it('refuses a folder that is none of ours and leaves it as it is', async () => {
    const path = join(temporaryFolder(), 'store.git')
    put(path, { mine: 'x' })
    await expect(openStore(path)).rejects.toMatchObject({ code: 10, message: expect.stringContaining('none of ours') })
    expect(readdirSync(path)).toEqual(['mine'])
  })
})

describe('the bytes in a store', () => {
  it('are those that stood in the folder, whatever attributes the folder gives its files', async () => {
    const root = temporaryFolder()
    const store = await openStore(join(root, 'store.git'))
    const rules = '* text eol=crlf ident working-tree-encoding=UTF-16 filter=evil diff=evil merge=evil\n[attr]binary filter=evil\n'
    put(join(root, 'folder'), { '.gitattributes': rules, 'a.txt': 'one\r\ntwo\n$Id$\n', 'b.bin': '\u0000\r\n' })
    const repository = over(store, join(root, 'folder'), join(root, 'index'))
    await git(repository, ['add', '--all'])
    const tree = (await git(repository, ['write-tree'])).text
    rmSync(join(root, 'folder'), { recursive: true })
    mkdirSync(join(root, 'folder'))
    expect(plainGit(store.path, 'cat-file', 'blob', `${tree}:a.txt`)).toBe('one\r\ntwo\n$Id$')
    await git(repository, ['read-tree', '--reset', '-u', tree])
    expect(run(['cat', join(root, 'folder', 'a.txt')])).toBe('one\r\ntwo\n$Id$\n')
    expect(run(['cat', join(root, 'folder', 'b.bin')])).toBe('\u0000\r\n')
  })
})
