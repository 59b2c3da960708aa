// Proves with real repositories what the wrapper gives git, what it keeps from it, and what comes back.
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { commitAll, plainGit, put, repositoryWith, stateOf, untimed, WHO } from './fixture.js'
import { git, type Repository } from './git.js'

const inherited = { ...process.env }
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in inherited)) delete process.env[name]
  Object.assign(process.env, inherited)
})

function foreign(root: string, more: Partial<Repository> = {}): Repository {
  return { gitDir: join(root, '.git'), workTree: root, config: 'foreign', ...more }
}

async function storeIn(root: string): Promise<Repository> {
  const store: Repository = { gitDir: join(root, 'store.git'), config: 'ours' }
  await git(store, ['init', '--quiet', '--bare'])
  return store
}

describe('git', () => {
  it('keeps a folder in a store of ours, by plumbing on a private index.', async () => {
    const root = temporaryFolder()
    put(root, { 'tree/a b': 'x\n', 'tree/new\nline': 'y\n' })
    writeFileSync(Buffer.concat([Buffer.from(`${root}/tree/`), Buffer.from([0xff])]), 'z\n')
    const store = await storeIn(root)
    const over: Repository = { ...store, workTree: join(root, 'tree'), index: join(root, 'index'), durable: true }
    await git(over, ['add', '-A'])
    const tree = (await git(over, ['write-tree'])).text
    const commit = (await git(store, ['commit-tree', tree, '-F', '-'], { input: 'ü\n', env: WHO })).text
    await git({ ...store, durable: true }, ['update-ref', 'refs/greenlatch/x/start', commit])
    expect((await git(store, ['ls-tree', '-r', '-z', '--name-only', commit])).fields).toEqual(['a b', 'new\nline', '\u00ff'])
    expect((await git(store, ['cat-file', 'blob', `${commit}:a b`])).stdout.toString()).toBe('x\n')
    expect((await git(store, ['log', '-1', '--format=%B', commit])).text).toBe('ü\n')
  })

  it('leaves nothing running of a filter that somebody wrote into a store of ours.', async () => {
    const root = temporaryFolder()
    put(root, { 'tree/a': 'x\n' })
    const store = await storeIn(root)
    const filter = `/usr/bin/setsid /bin/sh -c '/bin/sleep 2; : > ${root}/mark' >/dev/null 2>&1 & : > ${root}/ran; /bin/cat`
    plainGit(store.gitDir, 'config', 'filter.x.clean', filter)
    put(root, { 'store.git/info/attributes': '* filter=x\n' })
    await git({ ...store, workTree: join(root, 'tree'), index: join(root, 'index') }, ['add', '-A'])
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect([existsSync(join(root, 'ran')), existsSync(join(root, 'mark'))]).toEqual([true, false])
  })

  it('answers with an exit code that the caller takes for an answer, and fails with any other.', async () => {
    const store = await storeIn(temporaryFolder())
    expect(await git(store, ['show-ref', '--verify', '-q', 'refs/x'], { accepts: [1] })).toMatchObject({ code: 1, text: '', fields: [] })
    await expect(git(store, ['show-ref', '--verify', '-q', 'refs/x'])).rejects.toMatchObject({ name: 'GitError', status: 1 })
  })

  it('makes a repository without the template that the user has set up.', async () => {
    const root = temporaryFolder()
    put(root, { 'template/hooks/post-checkout': '#!/bin/sh\n', 'home/.gitconfig': `[init]\n\ttemplateDir = ${root}/template\n` })
    Object.assign(process.env, { HOME: join(root, 'home'), GIT_TEMPLATE_DIR: join(root, 'template') })
    await git({ gitDir: join(root, 'a.git'), config: 'foreign', userConfig: 'read' }, ['init', '-q', '--bare'])
    expect(existsSync(join(root, 'a.git/hooks'))).toBe(false)
  })

  it('refuses commands and flags that are not on the list, as a bug of ours.', async () => {
    const store = await storeIn(temporaryFolder())
    for (const args of [[], ['clone', 'x'], ['fetch'], ['-c', 'a.b=c', 'status'], ['status-x'], ['worktree', 'add', 'x']]) {
      await expect(git(store, args)).rejects.toThrow(/may be used/)
    }
    const flags = [
      ['diff', '--ext-diff'],
      ['cat-file', '--textconv', 'x'],
      ['commit', '-a'],
      ['config', '--edit'],
      ['diff', '--submodule=log'],
    ]
    for (const args of flags) {
      await expect(git(store, args)).rejects.toThrow(/may start a foreign program/)
    }
    await expect(git({ ...store, runs: { hooks: true } }, ['add', '-A'])).rejects.toThrow(/submodules/)
  })
})

describe('what surrounds git', () => {
  it('is never inherited: another repository, index or configuration that variables name is not used.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'one'), { a: '' })
    repositoryWith(join(root, 'two'), { b: '' })
    const two = join(root, 'two')
    Object.assign(
      process.env,
      {
        GIT_DIR: join(two, '.git'),
        GIT_INDEX_FILE: join(two, '.git/index'),
        GIT_WORK_TREE: two,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'core.bare',
        GIT_CONFIG_VALUE_0: 'true',
      },
    )
    expect((await git(foreign(join(root, 'one')), ['ls-files', '-z'])).fields).toEqual(['a'])
  })

  it("has the user's own configuration only where it is asked for, and their identity with it.", async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'r'), { a: '' })
    put(root, { 'home/.gitconfig': '[user]\n\tname = From Home\n\temail = home@example.com\n' })
    Object.assign(process.env, { HOME: join(root, 'home'), GIT_AUTHOR_EMAIL: 'variable@example.com' })
    delete process.env['GIT_AUTHOR_NAME']
    const repository = foreign(join(root, 'r'))
    const { text } = await git({ ...repository, userConfig: 'read' }, ['var', 'GIT_AUTHOR_IDENT'])
    expect(text).toMatch(/^From Home <variable@example\.com>/)
    expect((await git(repository, ['config', '--get', 'user.name'], { accepts: [1] })).code).toBe(1)
  })

  it('takes no paths for patterns.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '', b: '', '*': '', ':(top)a': '' })
    expect((await git(foreign(root), ['ls-files', '-z', '--', '*', ':(top)a'])).fields).toEqual(['*', ':(top)a'])
  })

  it('says everything in the same language and with the same settings, whatever the user has chosen.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { 'ü': 'x\n' })
    plainGit(root, 'config', 'color.ui', 'always')
    plainGit(root, 'config', 'core.quotePath', 'true')
    Object.assign(process.env, { LANGUAGE: 'de', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' })
    put(root, { 'ü': 'y\n' })
    expect((await git(foreign(root), ['diff', '--name-status'])).text).toBe('M\tü')
  })

  it('lets a caller set something for one command, but nothing that would let programs run.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    const settings = { 'user.name': 'Set', 'core.hooksPath': '/evil', 'core.fsmonitor': '/evil' }
    const values = await Promise.all(Object.keys(settings).map((key) => git(foreign(root), ['config', '--get', key], { settings })))
    expect(values.map(({ text }) => text)).toEqual(['Set', '/dev/null', 'false'])
  })
})

describe('a foreign repository', () => {
  it('is not written to when objects go elsewhere and the index is a private one.', async () => {
    const root = temporaryFolder()
    const store = await storeIn(root)
    const user = join(root, 'user')
    repositoryWith(user, { '.gitattributes': 'crlf eol=crlf\n', crlf: 'one\n', b: 'b\n' })
    put(user, { crlf: 'one\r\n', b: 'changed\n', c: 'new\n' })
    const before = stateOf(user)
    const objects = join(store.gitDir, 'objects')
    const view = foreign(user, { index: join(root, 'index'), objects, alternates: [join(user, '.git/objects')] })
    await git(view, ['read-tree', 'HEAD'])
    await git(view, ['add', '-A'])
    const tree = (await git(view, ['write-tree'])).text
    expect(untimed(stateOf(user))).toEqual(untimed(before))
    const changed = await git(
      { ...store, alternates: [join(user, '.git/objects')] },
      ['diff-tree', '-r', '-z', '--name-status', plainGit(user, 'rev-parse', 'HEAD^{tree}'), tree],
    )
    expect(changed.fields).toEqual(['M', 'b', 'A', 'c'])
  })

  it('gets its drivers blanked anew when its configuration changes between two commands.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { '.gitattributes': '* filter=late\n', a: 'a\n' })
    utimesSync(join(root, '.git/config'), 1, 1)
    const mark = join(root, '.git/mark')
    for (let round = 0; round < 3; round++) {
      await git(foreign(root), ['status'])
      plainGit(root, 'config', `filter.${round === 2 ? 'late' : `other${round}`}.clean`, `: > ${mark}; cat`)
    }
    put(root, { a: 'b\n' })
    await git(foreign(root), ['add', '-A'])
    expect(existsSync(mark)).toBe(false)
    put(root, { a: 'c\n' })
    plainGit(root, 'add', '-A')
    expect(existsSync(mark)).toBe(true)
  })

  it('with a configuration that cannot be read is named so.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    writeFileSync(join(root, '.git/config'), 'not a configuration\n')
    await expect(git(foreign(root), ['status'])).rejects.toMatchObject({
      code: 10,
      explanation: "the repository's configuration cannot be read",
    })
  })

  it('is read without the replacements that someone has laid over its objects.', async () => {
    const root = temporaryFolder()
    const first = repositoryWith(root, { a: 'one\n' })
    put(root, { a: 'two\n' })
    const second = commitAll(root, 'second')
    plainGit(root, 'replace', second, first)
    expect((await git(foreign(root), ['rev-parse', 'HEAD^{tree}'])).text).not.toBe(plainGit(root, 'rev-parse', 'HEAD^{tree}'))
  })
})

describe('a durable repository', () => {
  it('has everything synced before git returns.', async () => {
    const store = await storeIn(temporaryFolder())
    expect((await git({ ...store, durable: true }, ['config', '--get', 'core.fsync'])).text).toBe('all')
  })
})
