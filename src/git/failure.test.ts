// Proves that whatever goes wrong with git comes out as one plain line with a code and the next command.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.js'
import { bundle, run, temporaryFolder } from '../files/fixture.js'
import { causeOf } from './causes.js'
import { plainGit, put, repositoryWith } from './fixture.js'
import { git, GitError, type GitOptions, type Repository } from './git.js'
import { gitProgram, isNewEnough } from './program.js'

async function failureOf(repository: Repository, args: readonly string[], options: GitOptions = {}): Promise<GitError> {
  const error: unknown = await git(repository, args, options).then(() => null, (thrown: unknown) => thrown)
  if (!(error instanceof GitError)) throw new Error(`no GitError, but ${String(error)}`)
  return error
}

function repository(root: string): Repository {
  return { gitDir: join(root, '.git'), workTree: root, config: 'foreign' }
}

function looseObject(root: string, revision: string): string {
  const id = plainGit(root, 'rev-parse', revision)
  return join(root, '.git/objects', id.slice(0, 2), id.slice(2))
}

describe('a failure of git', () => {
  it('is a refusal: code, one line, next command, with what git said kept beside it.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    put(root, { '.git/index.lock': '', b: '' })
    const error = await failureOf(repository(root), ['add', '-A'])
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({
      code: 9,
      command: 'git add -A',
      status: 128,
      explanation: `${root}/.git/index.lock is there: another git works in this repository, or one that was killed has left it`,
      next: `wait for the other git; if none is running: rm ${root}/.git/index.lock`,
    })
    expect(error.message).toBe(`${error.explanation} (git add -A: exit 128)`)
    expect(error.stderr).toMatch(/^fatal: Unable to create/)
  })

  it('leaves the command line as any refusal does: a line, the next command and the code, and no trace of the program.', () => {
    const root = temporaryFolder()
    const script = bundle(`
      import { git } from './git/git.js'
      import { refuse } from './cli/output.js'
      await git({ gitDir: ${JSON.stringify(root)}, config: 'ours' }, ['log']).catch((error) => { process.exitCode = refuse(error, 'text') })
    `)
    const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([
      10,
      `greenlatch: ${root} is not, or is no longer, a git repository (git log: exit 128)\n  next: ls -la ${root}\n`,
    ])
  })

  it('is known by its cause: no repository there.', async () => {
    const root = temporaryFolder()
    expect(await failureOf({ gitDir: root, config: 'ours' }, ['rev-parse', 'HEAD'])).toMatchObject({
      code: 10,
      explanation: `${root} is not, or is no longer, a git repository`,
    })
    const gone = await failureOf({ gitDir: join(root, 'x'), config: 'foreign' }, ['status'])
    expect(gone.explanation).toMatch(/^git did not finish: cannot start .* is not there$/)
  })

  it('is known by its cause: no commit yet, no such revision.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q')
    expect(await failureOf(repository(root), ['log'])).toMatchObject({ code: 2, explanation: 'the branch has no commit yet' })
    expect(await failureOf(repository(root), ['rev-list', 'nothing'])).toMatchObject({
      code: 2,
      explanation: 'there is no such revision as nothing',
    })
  })

  it('is known by its cause: no files to work with.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '--bare')
    const error = await failureOf({ gitDir: root, config: 'ours' }, ['status'])
    expect(error.explanation).toBe('the repository is bare: it has no files to work with')
  })

  it('is known by its cause: damaged and missing objects, a damaged index.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: 'a\n', b: 'b\n' })
    chmodSync(looseObject(root, 'HEAD:a'), 0o600)
    truncateSync(looseObject(root, 'HEAD:a'), 3)
    rmSync(looseObject(root, 'HEAD:b'))
    expect((await failureOf(repository(root), ['cat-file', '-p', 'HEAD:a'])).explanation).toBe('the repository is damaged')
    expect((await failureOf(repository(root), ['rev-list', '--objects', 'HEAD'])).explanation).toMatch(/an object is missing|is damaged/)
    writeFileSync(join(root, '.git/index'), 'DIRC nonsense that is long enough to be looked at')
    expect((await failureOf(repository(root), ['status'])).explanation).toBe('the repository is damaged')
  })

  it('is known by its cause: a name in the way of another, a ref that has moved.', async () => {
    const root = temporaryFolder()
    const commit = repositoryWith(root, { a: '' })
    plainGit(root, 'branch', 'greenlatch')
    expect(await failureOf(repository(root), ['update-ref', 'refs/heads/greenlatch/x', commit])).toMatchObject({
      explanation: 'refs/heads/greenlatch/x cannot be made while refs/heads/greenlatch is there: one name stands in the way of the other',
      next: 'git branch -m greenlatch <new name>',
    })
    expect(await failureOf(repository(root), ['update-ref', 'refs/heads/main', commit, '1'.repeat(40)])).toMatchObject({
      code: 9,
      explanation: 'refs/heads/main was changed by another in the meantime',
    })
  })

  it('is known by its cause: who is committing is not known.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    plainGit(root, 'config', 'user.useConfigOnly', 'true')
    expect(await failureOf(repository(root), ['commit', '--allow-empty', '-F', '-'], { input: 'x' })).toMatchObject({
      code: 2,
      explanation: 'git does not know your name and e-mail address',
    })
  })

  it.each([
    ["error: unable to write file x: No space left on device", /^no space is left where git writes: need 16,777,216 bytes, have [\d,]+ bytes$/],
    ["fatal: sha1 file 'x' write error. Out of diskspace", /^no space is left where git writes: need 16,777,216 bytes, have [\d,]+ bytes$/],
    ["fatal: cannot create directory at 'x': Read-only file system", 'git may not write there, or the file system is read-only'],
    [
      "error: insufficient permission for adding an object to repository database .git/objects",
      'git may not write there, or the file system is read-only',
    ],
    ["fatal: detected dubious ownership in repository at '/x y'", '/x y belongs to another user, and git does not trust it'],
    ['fatal: unknown repository extension found:\n\tobjectformatx', 'the repository was made by a newer git than the one on PATH'],
    ['fatal: bad config line 1 in file .git/config', "the repository's configuration cannot be read"],
    [
      'fatal: promisor-remote: unable to fork off fetch subprocess',
      'an object is missing: the repository is a partial clone, and nothing is fetched from here',
    ],
    ['error: fsync error on x: Input/output error', 'the disk reported an error; what was written last cannot be trusted'],
  ])('is known by what git says: %j', (said, explanation) => {
    expect(causeOf(said, '/g')?.explanation).toEqual(typeof explanation === 'string' ? explanation : expect.stringMatching(explanation))
  })

  it('that nobody knows is told in git’s own words, in one line that cannot steer a terminal.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    const error = await failureOf(repository(root), ['read-tree', '--prefix=\u001b]0;x\u0007\nline/', 'HEAD', '--m'])
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(error.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
    expect(error.next).toBe(`git --git-dir=${root}/.git fsck`)
    expect(error.explanation).toMatch(/^git failed: /)
  })

  it('shows no password that stands in an address, and no more than fits.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    const error = await failureOf(repository(root), ['config', '--get', 'https://me:secret@example.com/x', 'y'.repeat(5000)])
    expect(`${error.message} ${error.stderr}`).not.toMatch('secret')
    expect(error.command).toMatch('https://***@example.com/x')
    expect(error.message.length).toBeLessThan(600)
  })

  it('that is none of git’s doing says so: stopped, too slow, too much output.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: 'x'.repeat(10_000) })
    const stopped = AbortSignal.abort()
    expect(await failureOf(repository(root), ['status'], { signal: stopped })).toMatchObject({
      code: 11,
      status: null,
      explanation: 'git was stopped on request',
    })
    run(['mkfifo', join(root, 'pipe')])
    expect(await failureOf(repository(root), ['hash-object', 'pipe'], { timeoutSeconds: 0.3 })).toMatchObject({
      code: 10,
      explanation: 'git did not finish: ended after 0.3 s (wall-clock limit)',
    })
    const flood = await failureOf(repository(root), ['cat-file', '-p', 'HEAD:a'], { outputBytes: 100 })
    expect(flood.explanation).toBe('git did not finish: its output went past the limit of 100 bytes')
  })
})

describe('the git that is used', () => {
  function fakeGit(folder: string, says: string): void {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'git'), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 })
  }

  it('is found on PATH, and its absence is named.', async () => {
    expect(await gitProgram()).toMatch(/^\/.*\/git$/)
    await expect(gitProgram({ PATH: '/nonexistent' })).rejects.toMatchObject({
      code: 10,
      message: 'git is not found on PATH',
      next: 'install git 2.38 or newer',
    })
    await expect(gitProgram({})).rejects.toMatchObject({ message: 'git is not found on PATH' })
  })

  it('is never taken from a folder that is named relative to where we are.', async () => {
    const root = temporaryFolder()
    fakeGit(join(root, 'bin'), 'git version 9.9')
    const before = process.cwd()
    try {
      process.chdir(root)
      await expect(gitProgram({ PATH: `bin:./bin::.` })).rejects.toMatchObject({ message: 'git is not found on PATH' })
    } finally {
      process.chdir(before)
    }
  })

  it('has to be new enough, which is looked at once.', async () => {
    const root = temporaryFolder()
    fakeGit(join(root, 'old'), 'git version 2.37.9')
    await expect(gitProgram({ PATH: join(root, 'old') })).rejects.toMatchObject({
      code: 10,
      message: `${root}/old/git is too old: it says "git version 2.37.9", and 2.38 is needed`,
    })
    fakeGit(join(root, 'new'), 'git version 2.38.0')
    expect(await gitProgram({ PATH: join(root, 'new') })).toBe(join(root, 'new/git'))
    rmSync(join(root, 'new/git'))
    expect(await gitProgram({ PATH: join(root, 'new') })).toBe(join(root, 'new/git'))
    expect(readdirSync(join(root, 'new'))).toEqual([])
  })

  it.each([
    ['git version 2.39.5', true],
    ['git version 2.38.0.rc1', true],
    ['git version 2.39.5 (Apple Git-154)', true],
    ['git version 3.0.0', true],
    ['git version 2.9.1', false],
    ['git version 1.99.0', false],
    ['something else', false],
  ])('says %j: new enough is %s.', (said, expected) => {
    expect(isNewEnough(said)).toBe(expected)
  })
})
