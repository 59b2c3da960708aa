// Proves with real repositories what is told about files, HEAD and the index, and what is refused by name.
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { commitAll, plainGit, put, repositoryWith, tryGit } from './fixture.js'
import { inspect, type WorkTreeFacts } from './inspect.js'
import { look, lookInside, refused } from './look.fixture.js'
import { noticesOf } from './policy.js'

const clean = { count: 0, first: [] }

describe('a repository with nothing special about it', () => {
  it('is told in full, from any folder inside, and a run may begin.', async () => {
    const root = temporaryFolder()
    const commit = repositoryWith(root, { a: 'a\n', 'sub/b': 'b\n' })
    const facts = await lookInside(root, join(root, 'sub'))
    expect(facts).toEqual({
      kind: 'work tree',
      folder: join(root, 'sub'),
      topLevel: root,
      gitDir: join(root, '.git'),
      commonDir: join(root, '.git'),
      head: { commit, branch: 'main' },
      objectFormat: 'sha1',
      isShallow: false,
      isSparse: false,
      partial: null,
      operation: null,
      submodules: [],
      filters: [],
      lock: null,
      objects: { folders: [join(root, '.git/objects')], missing: [] },
      foreign: null,
      isWritable: true,
      worktreesLeft: [],
      dirty: { staged: clean, unstaged: clean, unmerged: clean, untracked: clean, ignored: clean },
    })
    expect([refused(facts), noticesOf(facts)]).toEqual([null, []])
  })

  it('is found through a link, and with its object format.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '--object-format=sha256', 'real')
    symlinkSync('real', join(root, 'link'))
    expect(await lookInside(root, join(root, 'link'))).toMatchObject({ topLevel: join(root, 'real'), objectFormat: 'sha256' })
  })
})

describe('a folder', () => {
  it('without git is no reason to refuse.', async () => {
    const root = temporaryFolder()
    const facts = await look(root)
    expect([facts, refused(facts), noticesOf(facts)]).toEqual([{ kind: 'none', folder: root }, null, []])
  })

  it('called .git that is none is passed over.', async () => {
    const root = temporaryFolder()
    put(root, { '.git/config': '' })
    expect((await look(root)).kind).toBe('none')
  })

  it('that is a bare repository is refused.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '--bare', 'b.git')
    const facts = await look(root, join(root, 'b.git'))
    expect(refused(facts)).toEqual([
      2,
      `${root}/b.git is a repository without files of its own (bare, or the inside of .git)`,
      'greenlatch -C <folder with the files>',
    ])
  })

  it('inside .git is refused like a bare one.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    expect((await look(root, join(root, '.git/refs'))).kind).toBe('bare')
  })
})

describe('changes that are not committed', () => {
  async function dirtyFacts(): Promise<WorkTreeFacts> {
    const root = temporaryFolder()
    repositoryWith(root, { '.gitignore': 'ign*\n', staged: '1', changed: '1', both: '1', gone: '1' })
    put(root, { staged: '2', changed: '2', both: '2', new: '', 'newer/x': '', 'newer/y': '', ignored: '', 'ignoredfolder/x': '' })
    rmSync(join(root, 'gone'))
    plainGit(root, 'add', 'staged', 'both')
    put(root, { both: '3' })
    return lookInside(root)
  }

  it('are counted by kind, with the first few paths.', async () => {
    expect((await dirtyFacts()).dirty).toEqual({
      staged: { count: 2, first: ['both', 'staged'] },
      unstaged: { count: 3, first: ['both', 'changed', 'gone'] },
      unmerged: clean,
      untracked: { count: 2, first: ['new', 'newer/'] },
      ignored: { count: 2, first: ['ignored', 'ignoredfolder/'] },
    })
  })

  it('are refused until the user says what becomes of them.', async () => {
    const facts = await dirtyFacts()
    expect(refused(facts)).toEqual([
      2,
      'not everything is committed: 2 staged ("both", "staged"), 3 changed ("both", "changed", "gone"), 2 untracked ("new", "newer/") (--dirty include takes it along, --dirty ignore leaves it out)',
      'greenlatch run --dirty include',
    ])
    expect([refused(facts, { dirty: 'include' }), refused(facts, { dirty: 'ignore' })]).toEqual([null, null])
    const [, what, next] = refused(facts, { commits: true }) ?? []
    expect([what?.includes('include'), next]).toEqual([false, 'greenlatch run --dirty ignore'])
  })

  it.each(['staged', 'changed', 'untracked'])('of one kind alone are enough: %s.', async (kind) => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '1' })
    put(root, { [kind === 'untracked' ? 'b' : 'a']: '2' })
    if (kind === 'staged') plainGit(root, 'add', 'a')
    expect(refused(await look(root))?.[1]).toMatch(`1 ${kind}`)
  })

  it('do not include what is ignored.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { '.gitignore': 'x\n' })
    put(root, { x: '' })
    expect(refused(await look(root))).toBeNull()
  })

  it('do not include files of ours, and include those whose names only end or begin like theirs.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    put(root, { 'own.yaml': '', 'my own.yaml': '', 'own.yaml.txt': '', 'folder/x': '', 'folder2/x': '' })
    const facts = await inspect(root, [join(root, 'own.yaml'), join(root, 'folder')])
    expect(facts).toMatchObject({ dirty: { untracked: { count: 3, first: ['folder2/', 'my own.yaml', 'own.yaml.txt'] } } })
  })

  it('are found even when a file was changed in the same instant in which the index was written.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { other: '' })
    for (const key of ['core.trustctime', 'core.preloadindex']) plainGit(root, 'config', key, 'false')
    put(root, { file: 'aaaa' })
    utimesSync(join(root, 'file'), 1_600_000_000, 1_600_000_000)
    commitAll(root, 'second')
    writeFileSync(join(root, 'file'), 'bbbb')
    for (const path of ['file', '.git/index']) utimesSync(join(root, path), 1_600_000_000, 1_600_000_000)
    expect((await lookInside(root)).dirty.unstaged).toEqual({ count: 1, first: ['file'] })
  })

  it('that are conflicts can be ignored, but not taken along.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '1\n' })
    put(root, { a: '2\n' })
    plainGit(root, 'stash', '-q')
    put(root, { a: '3\n' })
    commitAll(root, 'second')
    tryGit(root, ['stash', 'pop', '-q'])
    const facts = await lookInside(root)
    expect(facts).toMatchObject({ operation: null, dirty: { unmerged: { count: 1, first: ['a'] } } })
    expect([refused(facts, { dirty: 'include' }), refused(facts, { dirty: 'ignore' })]).toEqual([
      [2, 'conflicts are not resolved in 1 file ("a")', 'git status'],
      null,
    ])
  })

  it('with names that are spaces, line breaks, pictures, dashes or no text at all are told as bytes.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    const names = ['-rf', ' space ', 'new\nline', '"quote"\\', ':(top)x', '🐟']
    for (const name of names) put(root, { [name]: 'x' })
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), 'x')
    plainGit(root, 'add', '-A')
    const facts = await lookInside(root)
    expect(facts.dirty.staged.count).toBe(7)
    commitAll(root, 'odd')
    rmSync(join(root, 'new\nline'))
    rmSync(join(root, '🐟'))
    const later = await lookInside(root)
    expect(later.dirty.unstaged.first).toEqual(['new\nline', Buffer.from('🐟').toString('latin1')])
    expect(refused(later)?.[1]).toContain(String.raw`not everything is committed: 2 changed ("new\nline", "🐟")`)
  })
})

describe('HEAD', () => {
  it('that is detached is no reason to refuse, and is said.', async () => {
    const root = temporaryFolder()
    const commit = repositoryWith(root, { a: '' })
    plainGit(root, 'checkout', '-q', '--detach')
    const facts = await lookInside(root)
    expect(facts.head).toEqual({ commit, branch: null })
    expect([refused(facts), noticesOf(facts)]).toEqual([null, ['HEAD is detached: a result can be accepted onto a branch only']])
  })

  it('on a branch without a commit is like an empty tree: files have to be taken along or ignored.', async () => {
    const root = temporaryFolder()
    plainGit(root, 'init', '-q', '-b', 'trunk', '--template=')
    const empty = await lookInside(root)
    expect([empty.head, refused(empty)]).toEqual([{ commit: null, branch: 'trunk' }, null])
    put(root, { a: '' })
    const facts = await lookInside(root)
    expect([refused(facts)?.[0], refused(facts, { dirty: 'include' })]).toEqual([2, null])
    expect(noticesOf(facts)[0]).toMatch('no commit yet')
  })
})

describe("the user's index", () => {
  it('stays as it is also when it is split, or in a form of its own.', async () => {
    for (const how of [['--split-index'], ['--untracked-cache'], ['--index-version', '4']]) {
      const root = temporaryFolder()
      repositoryWith(root, { a: '', 'b/c': '' })
      plainGit(root, 'update-index', '--force-write-index', ...how)
      put(root, { a: 'x' })
      const before = readFileSync(join(root, '.git/index'))
      const facts = await inspect(root)
      expect(readFileSync(join(root, '.git/index'))).toEqual(before)
      expect(facts).toMatchObject({ dirty: { unstaged: { count: 1, first: ['a'] } } })
    }
  })

  it('may be missing: then everything is staged to be removed.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    rmSync(join(root, '.git/index'))
    expect((await lookInside(root)).dirty).toMatchObject({ staged: { count: 1, first: ['a'] }, untracked: { count: 1, first: ['a'] } })
  })
})

describe('a path', () => {
  it.each(['with space', 'new\nline', '🐟 fish', '-dash', "quo'te\"", 'per%cent', 'colon:x'])('%j is no hindrance.', async (name) => {
    const root = temporaryFolder()
    mkdirSync(join(root, name))
    repositoryWith(join(root, name), { a: '' })
    const facts = await lookInside(root, join(root, name))
    expect([facts.topLevel, refused(facts)]).toEqual([join(root, name), null])
  })
})
