// Tests of making a folder equal to a tree, on real files, with links planted and processes killed on the way.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundle, run } from '../../files/fixture.js'
import { plainGit, put, repositoryWith, stateOf } from '../../git/fixture.js'
import { changedEntries } from './changes.js'
import { restore, stand, type StandRequest } from './restore.js'
import { salvaged } from './salvage.js'
import { snapshot } from './snapshot.js'
import { asNobody, bench, filesOf, type Bench } from './store.fixture.js'

type Standing = Bench & { request: StandRequest }

/** A folder that stands on the tree it shall be put back to. */
async function standing(files: Readonly<Record<string, string>>): Promise<Standing> {
  const found = await bench(files)
  const { tree } = await snapshot(found.site)
  return { ...found, request: { ...found.site, base: tree, session: 's', tree, at: 5000, why: 'the work of a killed agent' } }
}

/** One line for each file and link: path, kind, mode, target, contents. */
function contents(folder: string): string {
  const show = `-printf '%P %y %m %l ' -exec sh -c 'test -L "$1" || cat "$1"' - {} \\; -printf '\\n'`
  return run(['sh', '-c', `cd '${folder}' && find . -path ./.git -prune -o \\( -type f -o -type l \\) ${show} | sort`])
}

describe('a folder that stands on the tree', () => {
  it('is not written to, nor is anything else', async () => {
    const { request, root, folder } = await standing({ a: 'a', 'd/b': 'b' })
    utimesSync(join(folder, 'a'), 1, 1)
    const before = stateOf(root)
    for (let n = 0; n < 2; n += 1) expect(await stand(request)).toEqual({ salvaged: null, changed: { paths: [], count: 0 }, notices: [] })
    expect(stateOf(root)).toEqual(before)
  })
})

describe('a folder whose restore was killed before it took the emptied folders away', () => {
  it('loses them when it is put back again, and no folder that holds something', async () => {
    const { request, folder } = await standing({ a: 'a', 'd/e/b': 'b', 'f/c': 'c' })
    rmSync(join(folder, 'd/e/b'))
    rmSync(join(folder, 'f/c'))
    put(folder, { 'f/.gitignore': '*', 'f/kept.log': 'mine' })
    const { tree } = await snapshot(request)
    await stand({ ...request, tree })
    expect(existsSync(join(folder, 'd'))).toBe(false)
    expect(readFileSync(join(folder, 'f/kept.log'), 'utf8')).toBe('mine')
  })
})

describe('a folder whose git was killed before it took the emptied folders away and wrote its index', () => {
  it('loses them as well', async () => {
    const { request, folder, site } = await standing({ a: 'a', 'd/e/b': 'b' })
    const { tree: before } = await snapshot(request)
    rmSync(join(folder, 'd/e/b'))
    const { tree } = await snapshot(request)
    put(folder, { 'd/e/b': 'b' })
    await stand({ ...request, tree: before, base: before })
    rmSync(join(folder, 'd/e/b'))
    rmSync(site.index, { force: true })
    await stand({ ...request, tree, base: before })
    expect(existsSync(join(folder, 'd'))).toBe(false)
  })

  it('loses them also when other files were still to be put back', async () => {
    const { request, folder } = await standing({ a: 'a', 'd/e/b': 'b' })
    const { tree: before } = await snapshot(request)
    rmSync(join(folder, 'd/e/b'))
    const { tree } = await snapshot(request)
    put(folder, { 'd/e/b': 'b', a: 'other' })
    const { tree: whole } = await snapshot({ ...request, base: before })
    rmSync(join(folder, 'd/e/b'))
    await stand({ ...request, tree, base: whole })
    expect([existsSync(join(folder, 'd')), readFileSync(join(folder, 'a'), 'utf8')]).toEqual([false, 'a'])
  })
})

describe('a folder that stands elsewhere', () => {
  it('is put back after every kind of change, and what stood there is in salvage', async () => {
    const { request, folder, store } = await standing({ a: 'a', b: 'b', 'd/e': 'e', 'd/f': 'f', 'g/h': 'h', i: 'i' })
    chmodSync(join(folder, 'i'), 0o755)
    symlinkSync('a', join(folder, 'link'))
    const { tree } = await snapshot(request)
    const before = contents(folder)
    for (const name of ['b', 'd']) rmSync(join(folder, name), { recursive: true })
    put(folder, { a: 'changed', new: 'n', 'b/c': 'a folder now', 'x/y/z': 'z' })
    rmSync(join(folder, 'g'), { recursive: true })
    put(folder, { g: 'a file now' })
    chmodSync(join(folder, 'i'), 0o644)
    rmSync(join(folder, 'link'))
    symlinkSync('elsewhere', join(folder, 'link'))
    const stood = await stand({ ...request, tree })
    expect(contents(folder)).toBe(before)
    // The mode of `i` was last known as it stands.
    expect([stood.changed.count, stood.changed.paths.some((path) => path === 'i')]).toEqual([10, false])
    expect(stood.changed.paths).toContain('x/y/z')
    expect(stood.salvaged).toBe('refs/greenlatch/s/salvage/1')
    const kept = filesOf(store, `${stood.salvaged}^{tree}`)
    expect(kept).toMatchObject({ a: '100644 changed', 'b/c': '100644 a folder now', g: '100644 a file now', i: '100644 i' })
    expect(kept['link']).toBe('120000 elsewhere')
    expect(plainGit(store.path, 'log', '-1', '--format=%s %ct', stood.salvaged ?? '')).toBe('the work of a killed agent 5')
    expect(await stand({ ...request, tree, base: tree })).toEqual({ salvaged: null, changed: { paths: [], count: 0 }, notices: [] })
  })

  it('has only those files written that differ', async () => {
    const { request, folder } = await standing({ a: 'a', b: 'b' })
    const before = lstatSync(join(folder, 'b'), { bigint: true })
    put(folder, { a: 'changed' })
    await stand(request)
    const after = lstatSync(join(folder, 'b'), { bigint: true })
    expect([after.ino, after.mtimeNs, after.ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs])
  })

  it('keeps its ignored files', async () => {
    const { request, folder } = await standing({ '.gitignore': '*.o\n', 'd/a': 'a' })
    put(folder, { 'd/a.o': 'object', 'new/b': 'b', 'new/b.o': 'object' })
    await stand(request)
    expect(contents(folder)).toContain('d/a.o')
    expect(contents(folder)).toContain('new/b.o')
    expect(existsSync(join(folder, 'new/b'))).toBe(false)
  })

  it('has ignored files moved aside, and said, that stand where files of the tree belong', async () => {
    const { request, folder, root } = await standing({ build: 'a file', 'out/x': 'x', log: 'l', 'p/q': 'q' })
    for (const name of ['build', 'out', 'log', 'p']) rmSync(join(folder, name), { recursive: true })
    put(folder, { '.gitignore': 'build/\nout\nlog\n*.o\n', 'build/deep/precious': '1', out: '2', log: '3', 'p/q/r': 'r', 'p/q/s.o': '4' })
    const { salvaged: ref, notices } = await stand(request)
    expect(contents(folder)).toBe('build f 644  a file\nlog f 644  l\nout/x f 644  x\np/q f 644  q\n')
    expect(notices).toHaveLength(3)
    expect(run(['sh', '-c', `cat $(find '${join(root, 'aside')}' -type f | sort)`])).toBe('12r4')
    expect(filesOf(request.store, `${ref}^{tree}`)).toMatchObject({ 'p/q/r': '100644 r', log: '100644 3' })
  })

  it('names at most a hundred of the paths, and how many there are', async () => {
    const { request, folder } = await standing({})
    put(folder, Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}`, ''])))
    const { changed } = await stand(request)
    expect([changed.paths.length, changed.count]).toEqual([100, 120])
  })

  it('with a repository inside is put back too', async () => {
    const { request, folder, store } = await standing({ a: 'a' })
    repositoryWith(join(folder, 'inner'), { b: 'b' })
    const stood = await stand(request)
    expect(contents(folder)).toBe('a f 644  a\n')
    expect(filesOf(store, `${stood.salvaged}^{tree}`)).toEqual({ a: '100644 a', 'inner/b': '100644 b' })
    expect(stood.notices).toEqual([expect.stringContaining('"inner/.git" was moved')])
  })

  it('has what lies in a submodule kept and taken away, since only its commit is known', async () => {
    const { request, folder, store } = await standing({ a: 'a' })
    repositoryWith(join(folder, 'sub'), { s: 's' })
    const { tree } = await snapshot({ ...request, strays: 'leave' })
    const stood = await stand({ ...request, base: tree })
    expect(existsSync(join(folder, 'sub'))).toBe(false)
    expect(stood.notices.join('\n')).toContain('"sub/.git" was moved')
    expect(filesOf(store, `${stood.salvaged}^{tree}`)).toEqual({ a: '100644 a', 'sub/s': '100644 s' })
    await stand({ ...request, base: request.tree, tree })
    expect(lstatSync(join(folder, 'sub')).isDirectory()).toBe(true)
    expect(await stand({ ...request, base: tree, tree })).toMatchObject({ salvaged: null })
  })

  it.each(['aside', 'leave'] as const)('has files taken out of the folder of a submodule, and they are in salvage (strays: %s)', async (strays) => {
    const { request, folder, store } = await standing({ a: 'a' })
    repositoryWith(join(folder, 'sub'), { s: 's' })
    const { tree } = await snapshot({ ...request, strays: 'leave' })
    rmSync(join(folder, 'sub'), { recursive: true })
    put(folder, { 'sub/by/agent': 'x' })
    const stood = await stand({ ...request, base: tree, tree, strays })
    expect(contents(folder)).toBe('a f 644  a\n')
    expect(filesOf(store, `${stood.salvaged}^{tree}`)).toEqual({ a: '100644 a', 'sub/by/agent': '100644 x' })
    expect(lstatSync(join(folder, 'sub')).isDirectory()).toBe(true)
  })

  it('that the user works in too is left alone when something of theirs stands in the way', async () => {
    const { request, folder } = await standing({ build: 'a file' })
    rmSync(join(folder, 'build'))
    put(folder, { '.gitignore': 'build/\n', 'build/precious': '1' })
    await expect(stand({ ...request, strays: 'leave' })).rejects.toMatchObject({ code: 6, message: expect.stringContaining('"build"') })
    expect(readFileSync(join(folder, 'build/precious'), 'utf8')).toBe('1')
  })

  it('is put back where folders were made read-only', async () => {
    const { request, folder, root } = await standing({ 'd/e/a': 'a', 'd/b': 'b' })
    put(folder, { 'd/e/a': 'changed', 'd/new': 'n', 'made/by/agent': 'x' })
    rmSync(join(folder, 'd/b'))
    run(['chown', '-R', '65534', root])
    for (const path of ['d/e', 'd', 'made/by', 'made', '.']) chmodSync(join(folder, path), 0o555)
    const { notices } = await asNobody(() => stand(request))
    expect(contents(folder)).toBe('d/b f 644  b\nd/e/a f 644  a\n')
    expect(notices.length).toBeGreaterThan(0)
  })

  it('is named when a folder of another user does not let it be put back, and what stood there is safe', async () => {
    const { request, folder, root, store } = await standing({ 'd/a': 'a' })
    put(folder, { 'd/new': 'n' })
    run(['chown', '-R', '65534', root])
    run(['chown', '0', join(folder, 'd')])
    await expect(asNobody(() => stand(request))).rejects.toMatchObject({ code: 10, message: expect.stringContaining('cannot be put back') })
    run(['chown', '-R', '0', store.path])
    expect(filesOf(store, `${(await salvaged(store, 's'))[0]?.ref}^{tree}`)).toMatchObject({ 'd/new': '100644 n' })
  })

  it('is put back once nobody writes to it any more, and until then at most refused', async () => {
    const { request, folder } = await standing({ a: 'a' })
    const script = `import { writeFileSync } from 'node:fs'
      const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
      for (let n = 0; ; n++, rest()) writeFileSync(process.argv[2] + '/a', 'x' + n)`
    const writer = spawn('node', [bundle(script), folder])
    while (readFileSync(join(folder, 'a'), 'utf8') === 'a') await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await stand(request).then(() => 'put back', (error: Error) => error.message)).toContain('put back')
    writer.kill('SIGKILL')
    await new Promise((resolve) => writer.once('exit', resolve))
    await stand(request)
    expect(contents(folder)).toBe('a f 644  a\n')
  })
})

describe('links', () => {
  it('in place of a folder are replaced, and nothing changes where they lead', async () => {
    const { request, folder, root } = await standing({ 'd/e/f': 'tracked', 'd/g': 'g' })
    put(root, { 'outside/e/f': 'theirs', 'outside/g': 'theirs', 'outside/more': 'theirs' })
    rmSync(join(folder, 'd'), { recursive: true })
    symlinkSync(join(root, 'outside'), join(folder, 'd'))
    const before = stateOf(join(root, 'outside'))
    await stand(request)
    expect(contents(folder)).toBe('d/e/f f 644  tracked\nd/g f 644  g\n')
    expect(stateOf(join(root, 'outside'))).toEqual(before)
  })

  it.each([
    ['that is changed', { 'd/e/f': 'changed' }],
    ['that is new', { 'd/e/new': 'n' }],
    ['beside a new one', { 'd/e/f': 'changed', 'd/e/new': 'n', 'd/h': 'h' }],
  ])('planted on the way to a file %s, after the look and before the writing, lead nowhere', async (_what, change) => {
    const { request, folder, root, site } = await standing({ 'd/e/f': 'tracked', 'd/g': 'g' })
    put(root, { 'outside/e/f': 'theirs', 'outside/e/new': 'theirs', 'outside/g': 'theirs', 'outside/h': 'theirs' })
    put(folder, change)
    const found = await snapshot(site)
    renameSync(join(folder, 'd'), join(root, 'away'))
    symlinkSync(join(root, 'outside'), join(folder, 'd'))
    const before = stateOf(join(root, 'outside'))
    await restore(request, request.tree, await changedEntries(request.store, found.tree, request.tree), [])
    expect(stateOf(join(root, 'outside'))).toEqual(before)
    expect(contents(folder)).toBe('d/e/f f 644  tracked\nd/g f 644  g\n')
  })

  it('that are ignored and stand in the way are moved, not followed', async () => {
    const { request, folder, root } = await standing({ 'd/f': 'tracked' })
    put(root, { 'outside/f': 'theirs' })
    rmSync(join(folder, 'd'), { recursive: true })
    put(folder, { '.gitignore': '/d\n' })
    symlinkSync(join(root, 'outside'), join(folder, 'd'))
    const before = stateOf(join(root, 'outside'))
    const { notices } = await stand(request)
    expect(stateOf(join(root, 'outside'))).toEqual(before)
    expect(contents(folder)).toBe('d/f f 644  tracked\n')
    expect(notices).toEqual([expect.stringContaining('"d" was moved')])
  })
})

describe('a process killed on the way', () => {
  const CHILD = `import { stand } from './adapters/workspace/restore.js'\nawait stand(JSON.parse(process.argv[2]))`

  it('at any point leaves a folder that the next one puts back, with what stood there in salvage', async () => {
    const child = bundle(CHILD)
    let died = 0
    for (const point of ['fsync:4', 'unlink:1', 'unlink:3', 'symlink:1']) {
      const { request, folder, store } = await standing({ a: 'a', 'd/b': 'b', c: 'c' })
      symlinkSync('a', join(folder, 'link'))
      const { tree } = await snapshot(request)
      const before = contents(folder)
      for (const name of ['link', 'd']) rmSync(join(folder, name), { recursive: true })
      put(folder, { a: 'changed', 'new/one': '1', 'new/two': '2' })
      const again = { ...request, tree, base: tree }
      const [call = '', when = ''] = point.split(':')
      const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${when}`]
      const { status } = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', ...inject, 'node', child, JSON.stringify(again)])
      died += status === 0 ? 0 : 1
      await stand(again)
      expect(contents(folder), point).toBe(before)
      const kept = (await salvaged(store, 's')).map(({ ref }) => filesOf(store, `${ref}^{tree}`))
      expect(kept, point).toContainEqual({ a: '100644 changed', c: '100644 c', 'new/one': '100644 1', 'new/two': '100644 2' })
      expect(plainGit(store.path, 'fsck'), point).not.toMatch(/error|missing/)
      expect(await stand(again), point).toMatchObject({ salvaged: null })
    }
    expect(died).toBeGreaterThanOrEqual(3)
  })
})
