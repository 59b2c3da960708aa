// Tests of taking a folder into the store, on real files.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundle, run } from '../../files/fixture.js'
import { plainGit, put, repositoryWith, stateOf } from '../../git/fixture.js'
import { asNobody, bench, filesOf, known } from './store.fixture.js'
import { snapshot, standsOn, type Site } from './snapshot.js'
import { emptyTree } from './store.js'

const held = async (site: Site): Promise<Record<string, string>> => filesOf(site.store, (await snapshot(site)).tree)

describe('the tree of a folder', () => {
  it('holds files with their mode, and links as links', async () => {
    const { site, folder } = await bench({ 'a.txt': 'a', 'src/run.sh': '#!/bin/sh' })
    chmodSync(join(folder, 'src/run.sh'), 0o755)
    symlinkSync('/nowhere', join(folder, 'link'))
    mkdirSync(join(folder, 'empty/deeper'), { recursive: true })
    expect(await held(site)).toEqual({ 'a.txt': '100644 a', 'src/run.sh': '100755 #!/bin/sh', link: '120000 /nowhere' })
    expect(plainGit(site.store.path, 'fsck', '--strict')).not.toContain('error')
  })

  it('of an empty folder is the empty tree', async () => {
    const { site, store } = await bench()
    expect((await snapshot(site)).tree).toBe(emptyTree(store))
    put(site.folder, { a: 'a' })
    rmSync(join(site.folder, 'a'))
    expect((await snapshot(site)).tree).toBe(emptyTree(store))
  })

  it('leaves out what is ignored, unless it is part of the tree already', async () => {
    const { site, folder } = await known({ 'kept.log': '1' })
    put(folder, { '.gitignore': '*.log\nbuild/\n', 'new.log': 'x', 'build/out': 'x', 'kept.log': '2' })
    put(folder, { 'src/.gitignore': '!new.log\n', 'src/new.log': 'y' })
    const rules = { '.gitignore': '100644 *.log\nbuild/', 'src/.gitignore': '100644 !new.log' }
    expect(await held(site)).toEqual({ ...rules, 'kept.log': '100644 2', 'src/new.log': '100644 y' })
  })

  it('leaves out what the given patterns say, where no .gitignore says otherwise', async () => {
    const { site, root, folder } = await bench({ 'node_modules/x': 'x', 'venv/y': 'y', a: 'a' })
    writeFileSync(join(root, "it's.excludes"), 'node_modules/\nvenv/\n')
    put(folder, { '.gitignore': '!venv/\n' })
    expect(Object.keys(await held({ ...site, excludes: join(root, "it's.excludes") }))).toEqual(['.gitignore', 'a', 'venv/y'])
  })

  it('holds names of any bytes', async () => {
    const { site, folder, store } = await bench({ ' -x\ny': '1', '*': '2', 'ünï/😀': '3', ':(top)z': '4', "q'/'": '5' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x0a, 0xfe])]), '6')
    const { tree, notices } = await snapshot(site)
    expect(plainGit(store.path, 'ls-tree', '-r', '--name-only', tree).split('\n')).toHaveLength(6)
    expect(notices).toEqual([])
    expect(await standsOn(site, tree)).toBe(true)
  })

  it('follows every kind of change', async () => {
    const { site, folder } = await known({ a: 'a', b: 'b', 'd/e': 'e', f: 'f' })
    put(folder, { a: 'changed' })
    chmodSync(join(folder, 'b'), 0o755)
    rmSync(join(folder, 'd'), { recursive: true })
    symlinkSync('f', join(folder, 'd'))
    rmSync(join(folder, 'f'))
    put(folder, { 'f/g': 'g' })
    expect(await held(site)).toEqual({ a: '100644 changed', b: '100755 b', d: '120000 f', 'f/g': '100644 g' })
  })

  it('leaves out pipes and sockets, and takes a pipe in place of a file for its deletion', async () => {
    const { site, folder } = await known({ a: 'a', 'b/c': 'c' })
    rmSync(join(folder, 'a'))
    run(['mkfifo', join(folder, 'a'), join(folder, 'pipe')])
    const server = createServer().listen(join(folder, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    expect(await held(site)).toEqual({ 'b/c': '100644 c' })
  })

  it('does not look at the repository that the folder itself is', async () => {
    const { site, folder } = await bench({ a: 'a' })
    repositoryWith(folder, {})
    put(folder, { '.git/info/exclude': 'b\n', b: 'b' })
    plainGit(folder, 'config', 'core.fsmonitor', 'touch ran')
    expect(await held(site)).toEqual({ a: '100644 a', b: '100644 b' })
    expect(existsSync(join(folder, '.git'))).toBe(true)
  })
})

describe('repositories inside a folder', () => {
  it('have their .git moved aside and named, and their files are taken in', async () => {
    const { site, folder, root } = await bench({ a: 'a' })
    repositoryWith(join(folder, 'with commit'), { one: '1' })
    repositoryWith(join(folder, 'with commit', 'deeper'), { two: '2' })
    plainGit(root, 'init', '-q', join(folder, 'without\ncommit'))
    put(folder, { 'without\ncommit/three': '3' })
    const { tree, notices } = await snapshot(site)
    expect(Object.values(filesOf(site.store, tree)).toSorted()).toEqual(['100644 1', '100644 2', '100644 3', '100644 a'])
    expect(notices).toHaveLength(3)
    expect(notices.join('\n')).toContain('"with commit/deeper/.git" was moved to')
    const moved = /^"with commit\/.git" was moved to "(.*?)":/m.exec(notices.join('\n'))?.[1]
    expect(plainGit(moved ?? '', 'log', '--format=%s')).toBe('first')
  })

  it('are found in a folder that is part of the tree, and where they are only a file', async () => {
    const { site, folder } = await known({ 'src/a': 'a', 'lib/b': 'b' })
    plainGit(folder, 'init', '-q', 'src')
    put(folder, { 'src/new': 'n', 'lib/.git': 'gitdir: /nowhere\n' })
    const { tree, notices } = await snapshot(site)
    expect(Object.keys(filesOf(site.store, tree))).toEqual(['lib/b', 'src/a', 'src/new'])
    expect(notices).toHaveLength(2)
    expect(existsSync(join(folder, 'src/.git')) || existsSync(join(folder, 'lib/.git'))).toBe(false)
  })

  it('stay as they are where they are ignored, and beyond a link', async () => {
    const { site, folder, root } = await known({ 'd/a': 'a', '.gitignore': 'vendor/\n' })
    repositoryWith(join(root, 'outside'), { a: 'a' })
    repositoryWith(join(folder, 'vendor'), { v: 'v' })
    rmSync(join(folder, 'd'), { recursive: true })
    symlinkSync(join(root, 'outside'), join(folder, 'd'))
    const before = stateOf(join(root, 'outside'))
    const { tree, notices } = await snapshot(site)
    expect(notices).toEqual([])
    expect(filesOf(site.store, tree)['d']).toBe(`120000 ${join(root, 'outside')}`)
    expect(stateOf(join(root, 'outside'))).toEqual(before)
    expect(existsSync(join(folder, 'vendor/.git/HEAD'))).toBe(true)
  })

  it('that are bare are folders like any other', async () => {
    const { site, folder } = await bench()
    plainGit(folder, 'init', '-q', '--bare', '--template=', 'mirror.git')
    const { tree, notices } = await snapshot(site)
    expect(filesOf(site.store, tree)['mirror.git/HEAD']).toBeDefined()
    expect(notices).toEqual([])
  })

  it('are refused by name in a folder that is only read, and left as they are', async () => {
    const { site, folder } = await bench({ a: 'a' })
    repositoryWith(join(folder, 'inner'), { b: 'b' })
    const before = stateOf(folder)
    await expect(snapshot({ ...site, strays: 'refuse' })).rejects.toMatchObject({ code: 2, message: expect.stringContaining('"inner"') })
    expect(stateOf(folder)).toEqual(before)
  })
})

describe('what git cannot take in', () => {
  it('is moved aside and named when no index holds its name', async () => {
    const { site, folder, root } = await bench({ a: 'a', '.GIT/config': 'x', 'src/.Git': 'y', 'git~1': 'z', '.git:a\nb': 'n' })
    const { tree, notices } = await snapshot(site)
    expect(filesOf(site.store, tree)).toEqual({ a: '100644 a' })
    expect(notices).toHaveLength(4)
    expect(run(['find', join(root, 'aside'), '-type', 'f', '-printf', '.'])).toHaveLength(4)
    expect(existsSync(join(folder, '.GIT'))).toBe(false)
  })

  it('is moved aside and named when it is a link where git looks for the list of submodules', async () => {
    const { site, folder, store, root } = await bench({ a: 'a', 'd/b': 'b' })
    for (const name of ['.gitmodules', 'd/.GITMODULES', 'd/gitmod~1', 'd/.gitmodules:x\ny']) symlinkSync('a', join(folder, name))
    const { tree, notices } = await snapshot(site)
    expect(Object.keys(filesOf(store, tree))).toEqual(['a', 'd/b'])
    expect(notices).toHaveLength(4)
    expect(run(['find', join(root, 'aside'), '-type', 'l', '-printf', '.'])).toHaveLength(4)
  })

  it.each(['a', 'new/c'])('is refused by name where the user works too when it cannot be read, and nothing is lost: %s', async (path) => {
    const { site: ours, folder, root } = await known({ a: 'a', b: 'b' })
    const site = { ...ours, strays: 'leave' } as const
    put(folder, { a: 'changed', 'new/c': 'c' })
    run(['chown', '-R', '65534', root])
    chmodSync(join(folder, path), 0o000)
    const message = expect.stringContaining(`"${path}" (EACCES)`)
    await expect(asNobody(() => snapshot(site))).rejects.toMatchObject({ code: 10, message })
    chmodSync(join(folder, path), 0o644)
    const { tree } = await asNobody(() => snapshot(site))
    expect(filesOf(site.store, tree)).toEqual({ a: '100644 changed', b: '100644 b', 'new/c': '100644 c' })
  })

  it('is seen again when a folder was closed', async () => {
    const { site, folder, root, tree } = await known({ 'd/e/a': 'a' })
    put(folder, { 'd/e/a': 'changed' })
    run(['chown', '-R', '65534', root])
    for (const path of ['d/e', 'd']) chmodSync(join(folder, path), 0o000)
    expect(await asNobody(() => standsOn(site, tree))).toBe(false)
    const taken = await asNobody(() => snapshot(site))
    expect(filesOf(site.store, taken.tree)).toEqual({ 'd/e/a': '100644 changed' })
    expect(taken.notices).toEqual([expect.stringContaining('"d" was closed'), expect.stringContaining('"d/e" was closed')])
  })

  it('does not hold git up when it is a pipe where git reads rules', async () => {
    const { site, folder } = await known({ 'd/a': 'a' })
    run(['mkfifo', join(folder, 'd/.gitignore')])
    const { tree, notices } = await snapshot(site)
    expect(filesOf(site.store, tree)).toEqual({ 'd/a': '100644 a' })
    expect(notices).toEqual([expect.stringContaining('"d/.gitignore" was moved')])
  })

  it('does not matter when it comes and goes meanwhile', async () => {
    const { site, folder } = await known({ a: 'a' })
    const script = `import { rmSync, writeFileSync } from 'node:fs'
      const room = process.argv[2]
      for (;;) {
        for (let n = 0; n < 5; n++) writeFileSync(room + '/t' + n, 'x')
        for (let n = 0; n < 5; n++) rmSync(room + '/t' + n)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.5)
      }`
    const churn = spawn('node', [bundle(script), folder])
    onTestFinished(() => void churn.kill('SIGKILL'))
    while (readdirSync(folder).length < 2) await new Promise((resolve) => setImmediate(resolve))
    for (let n = 0; n < 30; n += 1) {
      const { tree, notices } = await snapshot(site)
      expect(notices).toEqual([])
      expect(plainGit(site.store.path, 'ls-tree', tree, 'a')).toContain('100644 blob')
    }
  })

  it('is said when the folder itself is gone', async () => {
    const { site, folder } = await known({ a: 'a' })
    rmSync(folder, { recursive: true })
    await expect(snapshot(site)).rejects.toMatchObject({ code: 10, message: expect.stringContaining('is gone') })
  })
})
