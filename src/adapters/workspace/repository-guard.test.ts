// Tests of the guard over a repository an agent works in: whatever could run a program later is named and put back.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, temporaryFolder } from '../../files/fixture.js'
import { plainGit, put, repositoryWith, stateOf } from '../../git/fixture.js'
import { guardRepository, type GuardOptions } from './repository-guard.js'

type Case = GuardOptions & { root: string; file: (path: string) => string }

function placesIn(root: string, top: string, gitDir: string): Case {
  const ours = { memory: join(root, 'memory.json'), aside: join(root, 'aside'), leaves: [], since: 'now' } as const
  return { root, top, gitDir, ...ours, file: (path) => readFileSync(join(top, path), 'utf8') }
}

/** With submodules, and repositories inside that are untracked and ignored. */
function repository(): Case {
  const root = temporaryFolder()
  const top = join(root, 'repo')
  const gitDir = join(top, '.git')
  for (const folder of ['hooks', 'info', 'objects/info', 'modules/lib/hooks', 'modules/deep/er/hooks']) mkdirSync(join(gitDir, folder), { recursive: true })
  writeFileSync(join(gitDir, 'config'), '[core]\n')
  writeFileSync(join(gitDir, 'hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 })
  for (const module of ['modules/lib', 'modules/deep/er']) put(join(gitDir, module), { config: '[core]\n', HEAD: 'ref: refs/heads/main\n' })
  put(top, { '.gitignore': 'ignored/\n', 'lib/.git': 'gitdir: ../.git/modules/lib\n' })
  for (const inner of ['untracked', 'ignored/deep']) repositoryWith(join(top, inner), { a: 'a\n' })
  return placesIn(root, top, gitDir)
}

/** A linked worktree: its settings and hooks lie in the repository that it belongs to. */
function worktree(): Case & { main: string } {
  const root = temporaryFolder()
  const main = join(root, 'main')
  repositoryWith(main, { a: 'a\n' })
  plainGit(main, 'worktree', 'add', '-q', join(root, 'linked'))
  plainGit(main, 'worktree', 'add', '-q', join(root, 'sibling'))
  return { ...placesIn(root, join(root, 'linked'), join(main, '.git/worktrees/linked')), main: join(main, '.git') }
}

const TRICKS: [string, (top: string) => void, string[]][] = [
  ['a line in the configuration', (at) => writeFileSync(join(at, '.git/config'), '[core]\nfsmonitor = evil\n'), ['.git/config was changed; put back']],
  ['a new hook', (at) => writeFileSync(join(at, '.git/hooks/post-checkout'), 'evil', { mode: 0o755 }), ['.git/hooks/post-checkout was added; taken away']],
  ['a changed hook', (at) => writeFileSync(join(at, '.git/hooks/pre-commit'), 'evil'), ['.git/hooks/pre-commit was changed; put back']],
  ['a hook made a program', (at) => chmodSync(join(at, '.git/hooks/pre-commit'), 0o777), ['.git/hooks/pre-commit was changed; put back']],
  ['a hook taken away', (at) => rmSync(join(at, '.git/hooks/pre-commit')), ['.git/hooks/pre-commit was removed; put back']],
  ['attributes', (at) => writeFileSync(join(at, '.git/info/attributes'), '* filter=evil\n'), ['.git/info/attributes was added; taken away']],
  ['borrowed objects', (at) => writeFileSync(join(at, '.git/objects/info/alternates'), '/evil\n'), ['.git/objects/info/alternates was added; taken away']],
  ['a hook of a submodule', (at) => writeFileSync(join(at, '.git/modules/lib/hooks/update'), 'evil'), ['.git/modules/lib/hooks/update was added; taken away']],
  [
    'the settings of a submodule with a slash in its name',
    (at) => writeFileSync(join(at, '.git/modules/deep/er/config'), 'evil'),
    ['.git/modules/deep/er/config was changed; put back'],
  ],
  ['where a submodule finds its repository', (at) => writeFileSync(join(at, 'lib/.git'), 'gitdir: /evil\n'), ['lib/.git was changed; put back']],
  ['the settings of an untracked repository', (at) => writeFileSync(join(at, 'untracked/.git/config'), 'evil'), ['untracked/.git/config was changed; put back']],
  [
    'a hook of an ignored repository',
    (at) => put(join(at, 'ignored/deep/.git'), { 'hooks/post-commit': 'evil' }),
    ['ignored/deep/.git/hooks was added; taken away', 'ignored/deep/.git/hooks/post-commit was added; taken away'],
  ],
  ['settings for one worktree', (at) => writeFileSync(join(at, 'untracked/.git/config.worktree'), 'evil'), ['untracked/.git/config.worktree was added; taken away']],
]

describe('a repository that an agent works in', () => {
  it.each(TRICKS)('gets %s put back, and it is named.', (_, trick, named) => {
    const places = repository()
    const guard = guardRepository(places)
    expect(guard.check()).toEqual([])
    const before = ['.git/config', '.git/hooks/pre-commit', 'lib/.git', 'untracked/.git/config'].map(places.file)
    trick(places.top)
    expect(guard.check()).toEqual(named.map((line) => expect.stringMatching(new RegExp(`^${line.replaceAll('.', '\\.')}`))))
    expect(guard.check()).toEqual([])
    expect(['.git/config', '.git/hooks/pre-commit', 'lib/.git', 'untracked/.git/config'].map(places.file)).toEqual(before)
  })

  it('keeps what was planted, so that nothing a person may want is lost.', () => {
    const places = repository()
    const guard = guardRepository(places)
    writeFileSync(join(places.gitDir, 'hooks/pre-commit'), 'changed by whom?')
    expect(guard.check()).toEqual([`.git/hooks/pre-commit was changed; put back, and what stood there is kept in ${places.aside}`])
    expect(readFileSync(join(places.aside, '1/.git/hooks/pre-commit'), 'utf8')).toBe('changed by whom?')
  })

  it('gets rid of a repository that was planted inside, also where everything is ignored.', () => {
    const places = repository()
    const guard = guardRepository(places)
    repositoryWith(join(places.top, 'ignored/evil'), { a: 'a\n' })
    expect(guard.check()[0]).toBe(`ignored/evil/.git was added; taken away, and kept in ${places.aside}`)
    expect([existsSync(join(places.top, 'ignored/evil/.git')), places.file('ignored/evil/a')]).toEqual([false, 'a\n'])
  })

  it('is told of a repository inside that is gone, of which nothing is made up.', () => {
    const places = repository()
    const guard = guardRepository(places)
    rmSync(join(places.top, 'untracked'), { recursive: true })
    rmSync(join(places.top, 'lib'), { recursive: true })
    expect(guard.check()).toEqual(['lib/.git was removed; it cannot be put back', 'untracked/.git was removed; it cannot be put back'])
    expect(readdirSync(places.top)).toEqual(['.git', '.gitignore', 'ignored'])
  })

  it('has a submodule’s settings put back also when its repository is no longer whole, and is told when it is gone.', () => {
    const places = repository()
    const guard = guardRepository(places)
    rmSync(join(places.gitDir, 'modules/lib/HEAD'))
    writeFileSync(join(places.gitDir, 'modules/lib/config'), 'evil')
    expect(guard.check()).toEqual([expect.stringContaining('.git/modules/lib/config was changed; put back')])
    rmSync(join(places.gitDir, 'modules'), { recursive: true })
    const gone = ['.git/modules/deep/er', '.git/modules/lib'].map((path) => `${path} was removed; it cannot be put back`)
    expect([guard.check(), guard.check()]).toEqual([gone, []])
  })

  it.each(['hooks', 'info', 'modules'])('gets %s back that was swapped for a link, without following it.', (name) => {
    const places = repository()
    put(join(places.gitDir, 'info'), { attributes: 'mine\n' })
    const guard = guardRepository(places)
    const elsewhere = temporaryFolder()
    put(elsewhere, { 'pre-commit': 'theirs', attributes: 'theirs', 'lib/config': 'theirs', 'lib/HEAD': 'x' })
    const outside = stateOf(elsewhere)
    renameSync(join(places.gitDir, name), join(places.gitDir, `${name}.gone`))
    symlinkSync(elsewhere, join(places.gitDir, name))
    expect(guard.check().length).toBeGreaterThan(0)
    expect(guard.check()).toEqual([])
    expect([places.file('.git/hooks/pre-commit'), places.file('.git/info/attributes')]).toEqual(['#!/bin/sh\n', 'mine\n'])
    expect(existsSync(join(places.gitDir, 'modules/lib/config'))).toBe(name !== 'modules')
    expect(stateOf(elsewhere)).toEqual(outside)
  })

  it('is compared with what stands there when a run begins, so that what the user has changed meanwhile stays.', () => {
    const places = repository()
    guardRepository(places)
    writeFileSync(join(places.gitDir, 'config'), 'mine')
    expect(guardRepository(places).check()).toEqual([])
    expect(places.file('.git/config')).toBe('mine')
  })

  it('is compared with what stood there before a turn that was cut off, by the process that goes on.', () => {
    const places = repository()
    guardRepository(places)
    writeFileSync(join(places.gitDir, 'config'), 'evil')
    expect(guardRepository({ ...places, since: 'kept' }).check()).toEqual([expect.stringContaining('.git/config was changed; put back')])
    expect(places.file('.git/config')).toBe('[core]\n')
  })

  it('has folders of ours in it left alone.', () => {
    const places = repository()
    const guard = guardRepository({ ...places, leaves: [join(places.top, 'state')] })
    repositoryWith(join(places.top, 'state/checkouts/s-1'), { a: 'a\n' })
    expect(guard.check()).toEqual([])
  })

  it('is refused in one line when it is gone altogether.', () => {
    const places = repository()
    const guard = guardRepository(places)
    rmSync(places.gitDir, { recursive: true })
    expect(() => guard.check()).toThrow(/was taken away/)
    expect(existsSync(places.gitDir)).toBe(false)
  })

  it('is refused before the run where there is more than can be remembered, and what is planted is moved however large it is.', () => {
    const places = repository()
    const guard = guardRepository(places)
    run(['truncate', '-s', '17M', join(places.gitDir, 'hooks/large')])
    expect(() => guardRepository(places)).toThrow(/more hooks and settings than can be watched/)
    expect(guard.check()).toEqual([expect.stringMatching(/^\.git\/hooks\/large was added; taken away/)])
  })
})

describe('a linked worktree that an agent works in', () => {
  it.each<[string, (places: ReturnType<typeof worktree>) => void, string]>([
    ['the settings of all worktrees', ({ main }) => writeFileSync(join(main, 'config'), 'evil'), 'main/.git/config was changed'],
    ['a hook for all worktrees', ({ main }) => put(main, { 'hooks/pre-commit': 'evil' }), 'main/.git/hooks was added'],
    ['the settings of another worktree', ({ main }) => put(main, { 'worktrees/sibling/config.worktree': 'evil' }), 'main/.git/worktrees/sibling/config.worktree was added'],
    ['where it finds its repository', ({ top }) => writeFileSync(join(top, '.git'), 'gitdir: /evil\n'), '.git was changed'],
    ['where its repository finds the settings', ({ gitDir }) => writeFileSync(join(gitDir, 'commondir'), '/evil\n'), 'main/.git/worktrees/linked/commondir was changed'],
  ])('gets %s put back, and it is named.', (_, trick, named) => {
    const places = worktree()
    const before = [...Object.entries(stateOf(dirname(places.main))), ...Object.entries(stateOf(places.top))].map(([path, state]) => [path, state.replace(/ \d+ /, ' ')])
    const guard = guardRepository(places)
    expect(guard.check()).toEqual([])
    trick(places)
    expect(guard.check()[0]?.replace(`${places.root}/`, '')).toMatch(new RegExp(`^${named.replaceAll('.', '\\.')}`))
    expect(guard.check()).toEqual([])
    const after = [...Object.entries(stateOf(dirname(places.main))), ...Object.entries(stateOf(places.top))].map(([path, state]) => [path, state.replace(/ \d+ /, ' ')])
    expect(after).toEqual(before)
  })

  it('remembers across a crash where the settings of all worktrees lie.', () => {
    const places = worktree()
    guardRepository(places)
    writeFileSync(join(places.gitDir, 'commondir'), `${join(places.root, 'evil')}\n`)
    mkdirSync(join(places.root, 'evil'))
    writeFileSync(join(places.main, 'config'), 'evil')
    expect(guardRepository({ ...places, since: 'kept' }).check()).toHaveLength(2)
    expect(plainGit(places.top, 'rev-parse', '--is-inside-work-tree')).toBe('true')
  })
})
