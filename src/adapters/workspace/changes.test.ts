// Tests of telling two trees apart, with real trees.
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainGit, put, repositoryWith } from '../../git/fixture.js'
import { changedEntries, changes, changesAhead, patch } from './changes.js'
import { importTree } from './objects.js'
import { snapshot } from './snapshot.js'
import { bench, type Bench } from './store.fixture.js'
import { openStore } from './store.js'

const LONG = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('')

type Changed = Bench & { from: string; to: string }

async function changed(files: Readonly<Record<string, string>>, change: (folder: string) => void): Promise<Changed> {
  const found = await bench(files)
  const from = (await snapshot(found.site)).tree
  change(found.folder)
  return { ...found, from, to: (await snapshot({ ...found.site, base: from, strays: 'leave' })).tree }
}

describe('the changes between two trees', () => {
  it('tell additions, deletions, changes, modes, kinds and lines apart', async () => {
    const files = { deleted: '1\n2\n', 'm/odd': '1\n2\n', mode: 'm', kind: 'k\n', binary: 'a', same: 's' }
    const { store, from, to } = await changed(files, (folder) => {
      put(folder, { 'new/file': 'a\nb\nc', 'm/odd': '1\n3\n4\n', binary: 'a\0b' })
      rmSync(join(folder, 'deleted'))
      chmodSync(join(folder, 'mode'), 0o755)
      rmSync(join(folder, 'kind'))
      symlinkSync('same', join(folder, 'kind'))
    })
    const { changes: list, lines } = await changes(store, from, to, 'apart')
    const none = { oldMode: '100644', newMode: '100644' }
    expect(list).toEqual([
      { status: 'modified', path: 'binary', ...none, lines: 'binary', counted: { added: 1, removed: 1 } },
      { status: 'deleted', path: 'deleted', oldMode: '100644', newMode: '000000', lines: { added: 0, removed: 2 } },
      { status: 'type-changed', path: 'kind', oldMode: '100644', newMode: '120000', lines: { added: 1, removed: 1 }, symlink: true },
      { status: 'modified', path: 'm/odd', ...none, lines: { added: 2, removed: 1 } },
      { status: 'mode', path: 'mode', oldMode: '100644', newMode: '100755', lines: { added: 0, removed: 0 } },
      { status: 'added', path: 'new/file', oldMode: '000000', newMode: '100644', lines: { added: 3, removed: 0 } },
    ])
    expect(lines).toBe(12)
    expect((await changedEntries(store, from, to)).map(({ path }) => path)).toEqual(list.map(({ path }) => path))
  })

  it('are the same when they were asked for ahead, several at once, whatever files are called', async () => {
    const { store, site, folder, from, to } = await changed({ a: LONG, gone: 'x' }, (inside) => put(inside, { a: `${LONG}more\n` }))
    put(folder, { 'b\nend x\n': 'b', [`${from} ${to}\n`]: 'd' })
    rmSync(join(folder, 'gone'))
    const last = (await snapshot({ ...site, base: to, strays: 'leave' })).tree
    const other = await openStore(join(folder, '..', 'other.git'))
    for (const tree of [from, to, last]) await importTree(other, { gitDir: store.path, config: 'ours' }, tree)
    await changesAhead(store, [from, to, to, last], last, 'apart')
    const moved = `${store.path}.away`
    renameSync(store.path, moved)
    const ahead = [await changes(store, from, last, 'apart'), await changes(store, to, last, 'apart')]
    renameSync(moved, store.path)
    expect(ahead).toEqual([await changes(other, from, last, 'apart'), await changes(other, to, last, 'apart')])
    expect(ahead.map(({ changes: list }) => list.length)).toEqual([4, 3])
  })

  it('count a binary file by its size, so that a single NUL does not hide a rewritten text', async () => {
    const { store, from, to } = await changed({ a: LONG }, (folder) => put(folder, { a: `${LONG}\0`, new: `\0${'x'.repeat(8000)}` }))
    const { lines, changes: list } = await changes(store, from, to, 'apart')
    expect(list.map(({ counted }) => counted)).toEqual([{ added: 3, removed: 3 }, { added: 101, removed: 0 }])
    expect(lines).toBe(107)
  })

  it('show a rename as one change for people and as two for the scope guard', async () => {
    const { store, from, to } = await changed({ 'a/old': LONG }, (folder) => {
      mkdirSync(join(folder, 'b'))
      renameSync(join(folder, 'a/old'), join(folder, 'b/new'))
      put(folder, { 'b/new': `${LONG}more\n` })
    })
    expect((await changes(store, from, to, 'followed')).changes).toEqual([
      { status: 'renamed', from: 'a/old', path: 'b/new', oldMode: '100644', newMode: '100644', lines: { added: 1, removed: 0 } },
    ])
    const { changes: apart } = await changes(store, from, to, 'apart')
    expect(apart.map(({ status, path }) => `${status} ${path}`)).toEqual(['deleted a/old', 'added b/new'])
  })

  it('name submodules', async () => {
    const { store, from, to } = await changed({ a: 'a' }, (folder) => void repositoryWith(join(folder, 'sub'), { s: 's' }))
    expect((await changes(store, from, to, 'followed')).changes).toEqual([
      { status: 'added', path: 'sub', oldMode: '000000', newMode: '160000', lines: { added: 1, removed: 0 }, submodule: true },
    ])
  })

  it('keep names of any bytes apart, with their counts', async () => {
    const { store, from, to } = await changed({ ':1 2\t3': 'x\n' }, (folder) => {
      put(folder, { ':1 2\t3': 'y\nz\n', '\n': '1\n', 'a\tb': '1\n2\n' })
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff])]), 'f\n')
    })
    const { changes: list, lines } = await changes(store, from, to, 'apart')
    expect(list.map(({ path, lines }) => [path, lines])).toEqual([
      ['\n', { added: 1, removed: 0 }],
      [':1 2\t3', { added: 2, removed: 1 }],
      ['a\tb', { added: 2, removed: 0 }],
      ['\xff', { added: 1, removed: 0 }],
    ])
    expect(lines).toBe(7)
  })

  it('are none between a tree and itself', async () => {
    const { store, from } = await changed({ a: 'a' }, () => {})
    expect(await changes(store, from, from, 'followed')).toEqual({ changes: [], lines: 0 })
  })
})

describe('a patch', () => {
  it('makes one tree of the other when it is applied, whatever the files hold', async () => {
    const files = { 'old name': LONG, text: 'a\r\nb', '.gitattributes': '* -diff filter=x\n' }
    const { store, from, to, root } = await changed(files, (folder) => {
      renameSync(join(folder, 'old name'), join(folder, 'new name'))
      put(folder, { binary: '\0\x01\xff', 'ü\n': 'x', text: 'a\r\nc' })
      symlinkSync('text', join(folder, 'link'))
    })
    writeFileSync(join(root, 'patch'), await patch(store, from, to))
    const other = await openStore(join(root, 'other.git'))
    await importTree(other, { gitDir: store.path, config: 'ours' }, from)
    plainGit(other.path, 'read-tree', from)
    plainGit(other.path, 'apply', '--cached', join(root, 'patch'))
    expect(plainGit(other.path, 'write-tree')).toBe(to)
  })

  it('shows the lines of a text file even where its attributes say it is none', async () => {
    const { store, from, to } = await changed({ a: 'one\n', '.gitattributes': '* -diff\n' }, (folder) => put(folder, { a: 'two\n' }))
    expect((await patch(store, from, to)).toString()).toContain('-one\n+two\n')
  })

  it('is limited to the given files and folders, taken as they are written', async () => {
    const { store, from, to } = await changed({}, (folder) => {
      put(folder, { '*': '1', ab: '2', 'd/e': '3', 'd/f': '4', ':(top)': '5' })
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/d/`), Buffer.from([0xff])]), '6')
    })
    const names = async (...paths: string[]) => {
      const text = (await patch(store, from, to, paths)).toString('latin1')
      return text.match(/(?<=^\+\+\+ "?b\/)[^"\n]+/gm)
    }
    expect(await names('*')).toEqual(['*'])
    expect(await names('d', ':(top)')).toEqual([':(top)', 'd/e', 'd/f', 'd/\xff'])
    expect(await names('d/\xff')).toEqual(['d/e', 'd/f', 'd/\xff'])
    expect(await names()).toHaveLength(6)
  })
})
