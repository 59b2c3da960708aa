// Tests of making the folder an agent works in, out of real repositories and folders.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bundle, run, temporaryFolder } from '../../files/fixture.js'
import { commitAll, plainGit, put, repositoryWith, stateOf, tryGit } from '../../git/fixture.js'
import { fromRepository, withFolder, withRepository } from './checkout.fixture.js'
import { folderExcludes } from './checkout-excludes.js'
import { makeCheckout } from './checkout.js'
import { snapshot, standsOn } from './snapshot.js'

afterEach(() => void vi.unstubAllEnvs())

describe('a checkout of a repository', () => {
  it('holds the files of the start tree, on a branch of its own at the user’s commit, with a clean status and all history', async () => {
    const { user, request, site } = await withRepository({ 'a.txt': 'a', 'src/run': 'r' })
    put(user, { 'b.txt': 'b' })
    const second = commitAll(user, 'second')
    const made = await fromRepository(user, join(request.folder, '../../..'))
    expect(await makeCheckout(made.request)).toEqual({ excludes: `${request.folder}.excludes`, notices: [] })
    const found = run(['sh', '-c', `cd '${request.folder}' && find . -name .git -prune -o -type f -print | sort`])
    expect(found).toBe('./a.txt\n./b.txt\n./src/run\n')
    expect(plainGit(request.folder, 'status', '--porcelain=v2', '--branch')).toBe(`# branch.oid ${second}\n# branch.head greenlatch/s-1`)
    expect(plainGit(request.folder, 'log', '--format=%s')).toBe('second\nfirst')
    expect(await standsOn({ ...site, base: made.request.start }, made.request.start)).toBe(true)
    expect(plainGit(request.folder, 'fsck')).not.toMatch(/error|missing/)
  })

  it('is private, has no hooks, no remote, and no folder of the user’s that it could write to', async () => {
    const { user, request } = await withRepository({ a: 'a' })
    put(user, { '.git/hooks/pre-commit': '#!/bin/sh\nexit 1\n' })
    chmodSync(join(user, '.git/hooks/pre-commit'), 0o755)
    plainGit(user, 'config', 'core.hooksPath', '/nowhere')
    const before = stateOf(user)
    await makeCheckout(request)
    put(request.folder, { a: 'changed', b: 'b' })
    plainGit(request.folder, 'add', '-A')
    plainGit(request.folder, 'commit', '-q', '-m', 'work of the agent')
    plainGit(request.folder, 'branch', 'other')
    plainGit(request.folder, 'gc', '-q', '--prune=now')
    expect(stateOf(user)).toEqual(before)
    expect(run(['stat', '-c', '%a', request.folder])).toBe('700\n')
    expect(plainGit(request.folder, 'remote')).toBe('')
    expect(existsSync(join(request.folder, '.git/hooks'))).toBe(false)
  })

  it('gives the agent the user’s name, or ours where there is none', async () => {
    const { root, user, request } = await withRepository({ a: 'a' })
    for (const name of ['HOME', 'XDG_CONFIG_HOME']) vi.stubEnv(name, root)
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1')
    await makeCheckout(request)
    expect(plainGit(request.folder, 'config', 'user.email')).toBe('greenlatch@localhost')
    plainGit(user, 'config', 'user.name', 'O"Neill \\ <x>')
    plainGit(user, 'config', 'user.email', 'o@example.com')
    await makeCheckout({ ...request, folder: join(root, 'other') })
    expect(plainGit(join(root, 'other'), 'config', 'user.name')).toBe('O"Neill \\ x')
    put(join(root, 'other'), { a: 'changed' })
    expect(tryGit(join(root, 'other'), ['commit', '-qam', 'x'], { GIT_AUTHOR_NAME: undefined, GIT_AUTHOR_EMAIL: undefined }).status).toBe(0)
    expect(plainGit(join(root, 'other'), 'log', '-1', '--format=%an %ae')).toBe('O"Neill \\ x o@example.com')
  })

  it('has a commit of its own on top when the start tree is not that of HEAD, so that a diff shows the agent’s work alone', async () => {
    const { root, user, request, site } = await withRepository({ a: 'a', b: 'b' })
    put(user, { a: 'dirty', 'new/c': 'c' })
    const { tree } = await snapshot({ ...site, folder: user, index: join(root, 'dirty-index'), strays: 'leave' })
    await makeCheckout({ ...request, start: tree })
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
    expect(plainGit(request.folder, 'log', '--format=%s %ct')).toContain('Start of the Greenlatch session s-1 7\nfirst')
    rmSync(request.store.path, { recursive: true })
    expect(plainGit(request.folder, 'show', 'HEAD:new/c')).toBe('c')
    expect(plainGit(request.folder, 'fsck')).not.toMatch(/error|missing/)
  })

  it('of a shallow one stays shallow', async () => {
    const { root, user } = await withRepository({ a: '1' })
    for (const text of ['2', '3']) {
      put(user, { a: text })
      commitAll(user, text)
    }
    plainGit(root, 'clone', '-q', '--depth=2', `file://${user}`, 'shallow')
    const { request } = await fromRepository(join(root, 'shallow'), join(root, 'again'))
    await makeCheckout(request)
    expect(plainGit(request.folder, 'log', '--format=%s')).toBe('3\n2')
    expect(plainGit(request.folder, 'rev-parse', '--is-shallow-repository')).toBe('true')
  })

  it('follows objects that the user’s repository itself borrows, and a linked worktree', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'user'), { a: 'a' })
    plainGit(root, 'clone', '-q', '--shared', 'user', 'borrowing')
    plainGit(join(root, 'borrowing'), 'worktree', 'add', '-q', '../linked')
    for (const name of ['borrowing', 'linked']) {
      const { request } = await fromRepository(join(root, name), join(root, `of ${name}`))
      await makeCheckout(request)
      expect(plainGit(request.folder, 'log', '-p', '--format=%s')).toContain('+a')
    }
  })

  it('holds all files although the user’s is sparse', async () => {
    const { root, user } = await withRepository({ 'a/x': 'x', 'b/y': 'y' })
    plainGit(user, 'sparse-checkout', 'set', 'a')
    expect(existsSync(join(user, 'b'))).toBe(false)
    const { request } = await fromRepository(user, join(root, 'again'))
    await makeCheckout(request)
    expect(existsSync(join(request.folder, 'b/y'))).toBe(true)
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
  })

  it('leaves submodules empty and says so', async () => {
    const { root, user } = await withRepository({ a: 'a' })
    repositoryWith(join(user, 'sub'), { s: 's' })
    commitAll(user, 'with submodule')
    const { request, site } = await fromRepository(user, join(root, 'again'))
    expect((await makeCheckout(request)).notices).toEqual(['the submodule "sub" is left empty'])
    expect(readdirSync(join(request.folder, 'sub'))).toEqual([])
    expect(await standsOn(site, request.start)).toBe(true)
  })

  it('leaves out what the user’s own rules leave out', async () => {
    const { user, request, site } = await withRepository({ a: 'a' })
    put(user, { '.git/info/exclude': 'secret\n', '.git/everywhere': 'scratch\n' })
    plainGit(user, 'config', 'core.excludesFile', join(user, '.git/everywhere'))
    const { excludes } = await makeCheckout(request)
    put(request.folder, { secret: 's', scratch: 's' })
    expect(await standsOn({ ...site, excludes }, request.start)).toBe(true)
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
    put(request.folder, { other: 'o' })
    expect(await standsOn({ ...site, excludes }, request.start)).toBe(false)
  })
})

describe('a checkout of a folder without git', () => {
  it('is a repository with one commit, without what tools make', async () => {
    const made = { 'node_modules/x/y': 'y', 'target/t': 't', 'sub/__pycache__/z.pyc': 'z', 'dist/d': 'd' }
    const { user, request, site } = await withFolder({ 'a.txt': 'a', ...made })
    const before = stateOf(user)
    const { excludes } = await makeCheckout(request)
    expect(plainGit(request.folder, 'ls-files')).toBe('a.txt\ndist/d\ntarget/t')
    expect(plainGit(request.folder, 'log', '--format=%an %s')).toBe('Greenlatch Start of the Greenlatch session s-1')
    put(request.folder, { 'node_modules/n': 'n' })
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
    expect(await standsOn({ ...site, excludes }, request.start)).toBe(true)
    expect(stateOf(user)).toEqual(before)
  })

  it('leaves out build output called target only where a build makes it', () => {
    const root = temporaryFolder()
    expect(folderExcludes(root)).not.toContain('target/')
    put(root, { 'Cargo.toml': '' })
    expect(folderExcludes(root)).toContain('\ntarget/\n')
  })

  it('may be empty', async () => {
    const { request } = await withFolder({ 'node_modules/x': 'x' })
    await makeCheckout(request)
    expect(readdirSync(request.folder)).toEqual(['.git'])
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
  })
})

describe('making a checkout again', () => {
  it('does nothing when it is there, whatever the agent did in it', async () => {
    const { root, request } = await withRepository({ a: 'a' })
    await makeCheckout(request)
    put(request.folder, { a: 'changed' })
    rmSync(join(request.folder, '.git'), { recursive: true })
    const before = stateOf(root)
    await makeCheckout(request)
    expect(stateOf(root)).toEqual(before)
  })

  it('after a kill at any point ends with one whole checkout', async () => {
    const child = bundle(`import { makeCheckout } from './adapters/workspace/checkout.js'\nawait makeCheckout(JSON.parse(process.argv[2]))`)
    let died = 0
    for (const point of ['mkdir:3', 'rename:2', 'rename:3', 'fsync:2']) {
      const { request, site } = await withRepository({ a: 'a', 'd/b': 'b' })
      const [call = '', when = ''] = point.split(':')
      const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${when}`]
      died += spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', ...inject, 'node', child, JSON.stringify(request)]).status === 0 ? 0 : 1
      await makeCheckout(request)
      expect(readdirSync(join(request.folder, '..')).toSorted(), point).toEqual(['s-1', 's-1.checkout.json', 's-1.excludes'])
      expect(await standsOn(site, request.start), point).toBe(true)
      expect(plainGit(request.folder, 'status', '--porcelain'), point).toBe('')
    }
    expect(died).toBeGreaterThanOrEqual(3)
  })

  it.each([
    ['a folder', (path: string) => put(path, { mine: 'x' }), 'something else stands there'],
    ['a link', (path: string) => symlinkSync('/', path), 'something else stands there'],
    ['another session’s checkout', (path: string) => put(`${path}.checkout.json`, {}), ''],
  ])('refuses to go over %s', async (what, plant, why) => {
    const { request } = await withRepository({ a: 'a' })
    if (why === '') {
      await makeCheckout(request)
      const message = expect.stringContaining('session s-1')
      await expect(makeCheckout({ ...request, session: 'other' })).rejects.toMatchObject({ code: 10, message })
      return
    }
    mkdirSync(join(request.folder, '..'), { recursive: true })
    plant(request.folder)
    await expect(makeCheckout(request), what).rejects.toMatchObject({ code: 10, message: expect.stringContaining(why) })
  })

  it('makes it of the start tree alone when the commit it began from is gone, and says so', async () => {
    const { user, request } = await withRepository({ a: 'a', 'd/b': 'b' })
    plainGit(user, 'rm', '-q', 'a')
    plainGit(user, 'commit', '-q', '--amend', '-m', 'another')
    plainGit(user, 'reflog', 'expire', '--expire=now', '--all')
    plainGit(user, 'gc', '-q', '--prune=now')
    const { notices } = await makeCheckout(request)
    expect(notices).toEqual([expect.stringMatching(/^the commit [0-9a-f]{12}, which the session began from, is no longer in your repository/)])
    expect(plainGit(request.folder, 'rev-list', '--count', 'HEAD')).toBe('1')
    expect(plainGit(request.folder, 'rev-parse', 'HEAD^{tree}')).toBe(request.start)
    expect(plainGit(request.folder, 'status', '--porcelain')).toBe('')
  })

  it('takes a link away that stands in its place, never what that leads to, and refuses a file with the way out', async () => {
    const { root, request } = await withRepository({ a: 'a' })
    await makeCheckout(request)
    renameSync(request.folder, join(root, 'moved'))
    symlinkSync(join(root, 'moved'), request.folder)
    const { notices } = await makeCheckout(request)
    expect(notices).toEqual([expect.stringContaining(`replaced by a link to ${join(root, 'moved')}`)])
    expect([readdirSync(request.folder), readdirSync(join(root, 'moved'))]).toEqual([['.git', 'a'], ['.git', 'a']])
    rmSync(request.folder, { recursive: true })
    writeFileSync(request.folder, 'x')
    await expect(makeCheckout(request)).rejects.toMatchObject({ message: expect.stringContaining('no folder'), next: 'greenlatch clean s-1' })
  })
})
