// Tests of copies that checks have run in: put back for the next gate, and used again only where they are as clean as new ones.
import {
  appendFileSync, chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../files/fixture.js'
import { plainGit, put } from '../../git/fixture.js'
import { withRepository } from './checkout.fixture.js'
import { contentsOf, copiesIn, textAt, withCopies, writeUnseen, type Bench } from './copy.fixture.js'
import { createCopies } from './copy.js'
import { asNobody } from './store.fixture.js'

const FILES = {
  'a.txt': 'one\n', 'src/b.txt': 'two\n', 'src/deep/c.txt': 'three\n', 'pkg/d.txt': 'four\n',
  '.gitignore': 'node_modules\n.env\nout\n.venv\n*.log\n',
}

async function bench(): Promise<Bench> {
  const made = await withRepository(FILES)
  put(made.user, { 'node_modules/left/index.js': 'left', 'node_modules/left/lib/x.js': 'x' })
  put(made.user, { 'pkg/node_modules/y/index.js': 'y', '.venv/bin/tool': '#!/bin/sh\n' })
  mkdirSync(join(made.user, 'node_modules/.bin'))
  symlinkSync('../left/index.js', join(made.user, 'node_modules/.bin/left'))
  return withCopies(made)
}

/** What checks do to the folder they run in. */
const DEEDS: Readonly<Record<string, (cwd: string) => void>> = {
  'a file is written': (cwd) => appendFileSync(join(cwd, 'a.txt'), 'more'),
  'a file is written with the size and time it had': (cwd) => writeUnseen(join(cwd, 'src/b.txt'), 'TWO\n'),
  'a file is removed': (cwd) => rmSync(join(cwd, 'src/deep/c.txt')),
  'a file gets other rights': (cwd) => chmodSync(join(cwd, 'a.txt'), 0o755),
  'a folder gets other rights': (cwd) => chmodSync(join(cwd, 'pkg'), 0o500),
  'a folder becomes a link that leads out': (cwd) => {
    renameSync(join(cwd, 'src'), join(cwd, 'out'))
    symlinkSync(join(cwd, '../../user-like'), join(cwd, 'src'))
  },
  'a folder with dependencies is removed': (cwd) => rmSync(join(cwd, 'pkg'), { recursive: true }),
  'a file becomes a folder': (cwd) => {
    rmSync(join(cwd, 'a.txt'))
    put(cwd, { 'a.txt/x': 'x' })
  },
  'a file gets a second name outside': (cwd) => linkSync(join(cwd, 'a.txt'), join(cwd, `../../second-${Math.random()}`)),
  'new files are written': (cwd) => put(cwd, { 'new/x.txt': 'x', 'src/report.xml': 'x', 'src/deep/x.log': 'ignored', '.env': 'ignored' }),
  'a name of odd bytes is written': (cwd) => writeFileSync(Buffer.from(`${cwd}/\xff.txt`, 'latin1'), 'x'),
  'a repository is made inside': (cwd) => {
    mkdirSync(join(cwd, 'inner'))
    plainGit(join(cwd, 'inner'), 'init', '-q')
  },
  'a dependency is written': (cwd) => appendFileSync(join(cwd, 'node_modules/left/index.js'), 'more'),
  'a dependency is written with the size and time it had': (cwd) => writeUnseen(join(cwd, 'node_modules/left/index.js'), 'LEFT'),
  'a program of dependencies leads elsewhere': (cwd) => {
    rmSync(join(cwd, 'node_modules/.bin/left'))
    symlinkSync('/bin/true', join(cwd, 'node_modules/.bin/left'))
  },
  'a cache is written beside dependencies': (cwd) => put(cwd, { 'node_modules/.vite/x': '{}', 'pkg/node_modules/new/y': 'x' }),
  'dependencies are removed': (cwd) => rmSync(join(cwd, 'node_modules/left'), { recursive: true }),
  'git is asked': (cwd) => void plainGit(cwd, 'status'),
  'something is staged': (cwd) => void plainGit(cwd, 'add', '-A'),
  'something is committed': (cwd) => void plainGit(cwd, 'commit', '-qam', 'x', '--allow-empty'),
}

describe('a copy that is used again', () => {
  it('is the same folder, and what nobody touched in it is the same file', async () => {
    const { copies, request, take } = await bench()
    const first = await copies.copy(request.start, 'a test')
    const inode = statSync(join(first.top, 'src/b.txt')).ino
    await first.remove()
    const second = await copies.copy(await take({ 'a.txt': 'changed\n' }), 'a test')
    expect([second.top, statSync(join(second.top, 'src/b.txt')).ino, textAt(second.top, 'a.txt')]).toEqual([first.top, inode, 'changed\n'])
    expect(plainGit(second.top, 'status', '--porcelain')).toBe(' M a.txt')
  })

  it('is as one that is made afresh, whatever was done in it', { timeout: 120_000 }, async () => {
    const { copies, plan, request, take, root } = await bench()
    put(root, { 'state/user-like/b.txt': 'outside' })
    const tree = await take({ 'a.txt': 'changed\n', 'src/new.txt': 'new\n' })
    const looks = (cwd: string): unknown => [contentsOf(cwd), plainGit(cwd, 'status', '--porcelain'), plainGit(cwd, 'log', '--format=%H')]
    const afresh = looks((await createCopies({ ...plan, session: 's-2' }).copy(tree, 'a test')).top)
    for (const [deed, act] of Object.entries(DEEDS)) {
      const first = await copies.copy(request.start, 'a test')
      act(first.top)
      await first.remove()
      const again = await copies.copy(tree, 'a test')
      expect(looks(again.top), deed).toEqual(afresh)
      await again.remove()
    }
    expect(textAt(root, 'state/user-like/b.txt')).toBe('outside')
  })

  it('is as one that is made afresh after any deeds, between gates and between copies', { timeout: 120_000 }, async () => {
    const { copies, plan, request, take, root } = await bench()
    put(root, { 'state/user-like/b.txt': 'outside' })
    const second = await take({ 'a.txt': 'changed\n', 'src/new.txt': 'new\n' })
    const trees = [request.start, second, await take({ 'pkg/e/f.txt': 'x\n', 'src/new.txt': 'newer\n' })]
    const madeAfresh = (tree: string, at: number) => createCopies({ ...plan, session: `s-${at + 2}` }).copy(tree, 'a test')
    // One after another: sessions that share a folder for their indexes, as these do, never run at once.
    const afresh: ReturnType<typeof contentsOf>[] = []
    for (const [at, tree] of trees.entries()) afresh.push(contentsOf((await madeAfresh(tree, at)).top))
    let seed = 7
    const chance = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most
    for (let round = 0; round < 8; round += 1) {
      const at = chance(trees.length)
      const copy = await copies.copy(trees[at] ?? '', 'a test')
      expect(contentsOf(copy.top)).toEqual(afresh[at])
      for (let gate = 0; gate < 2; gate += 1) {
        const names = Object.keys(DEEDS).filter(() => chance(4) === 0)
        for (const name of names) tryDeed(name, copy.top)
        await copy.putBack()
        const tracked = Object.entries(contentsOf(copy.top)).filter(([path]) => Object.hasOwn(afresh[at] ?? {}, path))
        expect(Object.fromEntries(tracked), names.join('; ')).toEqual(afresh[at])
      }
      await copy.remove()
    }
  })
})

/** One deed may leave nothing for the next to do. */
function tryDeed(name: string, cwd: string): void {
  try {
    DEEDS[name]?.(cwd)
  } catch (error) {
    if (!/ENOENT|EPERM|ENOTDIR|EEXIST|EISDIR|ENOTEMPTY|exit 1/.test(String(error))) throw error
  }
}

describe('a copy that is put back for the next gate', () => {
  it('has its tree and its dependencies as they were; what it ignores stays, and what was put back is named once', async () => {
    const { copies, request } = await bench()
    const { top: cwd, putBack } = await copies.copy(request.start, 'a test')
    const before = contentsOf(cwd)
    put(cwd, { 'a.txt': 'by a gate', 'src/report.xml': 'x', 'out/build.js': 'built', '.env': 'x' })
    put(cwd, { 'node_modules/.vite/x': 'x', 'node_modules/left/index.js': 'patched' })
    rmSync(join(cwd, 'src/deep'), { recursive: true })
    expect((await putBack()).toSorted()).toEqual(['a.txt', 'node_modules/left/index.js', 'src/deep', 'src/report.xml'])
    expect(Object.keys(contentsOf(cwd)).filter((path) => !(path in before))).toEqual(['.env', 'out', 'out/build.js'])
    expect(contentsOf(cwd)).toMatchObject(before)
    expect(await putBack()).toEqual([])
  })

  it('goes through no link that a gate has put in its way', async () => {
    const { copies, request, root } = await bench()
    put(root, { 'state/user-like/b.txt': 'outside', 'state/user-like/deep/c.txt': 'outside' })
    const { top: cwd, putBack } = await copies.copy(request.start, 'a test')
    DEEDS['a folder becomes a link that leads out']?.(cwd)
    rmSync(join(cwd, 'node_modules'), { recursive: true })
    symlinkSync(join(root, 'state/user-like'), join(cwd, 'node_modules'))
    await putBack()
    expect([lstatSync(join(cwd, 'src')).isDirectory(), textAt(cwd, 'node_modules/left/index.js')]).toEqual([true, 'left'])
    expect(readdirSync(join(root, 'state/user-like'), { recursive: true }).toSorted()).toEqual(['b.txt', 'deep', 'deep/c.txt'])
  })

  it('is opened again where a gate has closed folders, as their owner', async () => {
    const { copies, request, root } = await bench()
    run(['chown', '-R', '65534', root])
    await asNobody(async () => {
      const { top: cwd, putBack } = await copies.copy(request.start, 'a test')
      const before = contentsOf(cwd)
      for (const path of ['src/deep', 'src', 'node_modules/left']) chmodSync(join(cwd, path), 0)
      await putBack()
      expect(contentsOf(cwd)).toEqual(before)
    })
  })

  it('is refused when the folder itself was replaced, and made afresh for the next copy', async () => {
    const { copies, request, root } = await bench()
    const { top: cwd, putBack, remove } = await copies.copy(request.start, 'a test')
    renameSync(cwd, join(root, 'moved'))
    symlinkSync(join(root, 'moved'), cwd)
    await expect(putBack()).rejects.toMatchObject({ name: 'Refusal', code: 10 })
    await remove()
    const again = await copies.copy(request.start, 'a test')
    expect([lstatSync(again.top).isDirectory(), existsSync(join(root, 'moved/a.txt'))]).toEqual([true, true])
  })

  it('is refused when its dependencies were changed and the copy they came from is no longer whole', async () => {
    const { copies, request, plan } = await bench()
    const { top: cwd, putBack } = await copies.copy(request.start, 'a test')
    const { room } = plan.dependencies
    for (const key of readdirSync(room)) writeFileSync(join(room, key, 'files/node_modules/left/index.js'), 'by an agent')
    appendFileSync(join(cwd, 'node_modules/left/index.js'), 'by a gate')
    await expect(putBack()).rejects.toMatchObject({ name: 'Refusal', code: 10 })
  })
})

describe('a spare copy', () => {
  it('is kept once, for the next copy, and goes when the session comes to rest', async () => {
    const { copies, request, room } = await bench()
    const all = [await copies.copy(request.start, 'a test'), await copies.copy(request.start, 'a test')]
    for (const copy of all) await copy.remove()
    expect(copiesIn(room).filter((name) => /copy-\d+$/.test(name))).toHaveLength(1)
    await copies.close()
    expect(copiesIn(room)).toEqual([])
  })
})
