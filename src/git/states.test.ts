// Proves with real repositories in every odd state what is found out about them, and that each is refused by name or works.
import { closeSync, openSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { commitAll, plainGit, put, repositoryWith, stateOf, tryGit } from './fixture.js'
import { discover } from './discover.js'
import { inspect } from './inspect.js'
import { look, lookInside, refused } from './look.fixture.js'
import { lockRefusal, noticesOf } from './policy.js'

describe('a clone', () => {
  it('that is shallow works, and borrows nothing.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'far'), { a: '1' })
    put(join(root, 'far'), { a: '2' })
    commitAll(join(root, 'far'), 'second')
    plainGit(root, 'clone', '-q', '--depth=1', `file://${root}/far`, 'near')
    const facts = await lookInside(join(root, 'near'))
    expect([facts.isShallow, refused(facts)]).toEqual([true, null])
  })

  it('that is partial is refused while files of HEAD are missing, and not after the command that is named.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'far'), { a: '1', b: '2' })
    plainGit(join(root, 'far'), 'config', 'uploadpack.allowFilter', 'true')
    plainGit(root, 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${root}/far`, 'near')
    const near = join(root, 'near')
    const facts = await lookInside(near)
    expect([facts.partial, refused(facts)]).toEqual([
      { missing: 2 },
      [10, 'the repository is a partial clone and lacks 2 objects of HEAD', 'git fetch --refetch --no-filter'],
    ])
    plainGit(near, 'fetch', '-q', '--refetch', '--no-filter')
    plainGit(near, 'reset', '-q', '--hard')
    const later = await lookInside(near)
    expect([later.partial, refused(later)]).toEqual([{ missing: 0 }, null])
  })

  it('without trees is refused as well.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'far'), { 'a/b': '1' })
    plainGit(join(root, 'far'), 'config', 'uploadpack.allowFilter', 'true')
    plainGit(root, 'clone', '-q', '--no-checkout', '--filter=tree:0', `file://${root}/far`, 'near')
    await expect(inspect(join(root, 'near'))).rejects.toMatchObject({
      code: 10,
      explanation: 'an object is missing: the repository is a partial clone, and nothing is fetched from here',
      next: 'git fetch --refetch --no-filter',
    })
  })

  it('that borrows objects tells from where, through all in between.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'a'), { a: '1' })
    plainGit(root, 'clone', '-q', '--shared', 'a', 'b')
    plainGit(root, 'clone', '-q', '--shared', 'b', 'c:"d')
    const facts = await lookInside(join(root, 'c:"d'))
    expect(facts.objects).toEqual({ folders: ['c:"d', 'b', 'a'].map((name) => join(root, name, '.git/objects')), missing: [] })
    renameSync(join(root, 'a'), join(root, 'elsewhere'))
    const before = stateOf(root)
    await expect(inspect(join(root, 'b'))).rejects.toMatchObject({
      code: 10,
      message: `the repository borrows objects from ${root}/a/.git/objects, which is not there`,
    })
    expect(stateOf(root)).toEqual(before)
  })
})

describe('worktrees', () => {
  it('that are linked work like any other, with the folder they share.', async () => {
    const root = temporaryFolder()
    const commit = repositoryWith(join(root, 'main'), { a: '' })
    plainGit(join(root, 'main'), 'worktree', 'add', '-q', '-b', 'side', '../side')
    const facts = await lookInside(root, join(root, 'side'))
    expect(facts).toMatchObject({
      topLevel: join(root, 'side'),
      gitDir: join(root, 'main/.git/worktrees/side'),
      commonDir: join(root, 'main/.git'),
      head: { commit, branch: 'side' },
      objects: { folders: [join(root, 'main/.git/objects')] },
    })
    expect(refused(facts)).toBeNull()
  })

  it('whose repository was moved are refused, and work after the command that is named.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'main'), { a: '' })
    plainGit(join(root, 'main'), 'worktree', 'add', '-q', '../side')
    renameSync(join(root, 'main'), join(root, 'moved'))
    const facts = await look(root, join(root, 'side'))
    expect(refused(facts)).toEqual([
      10,
      `${root}/side/.git leads to ${root}/main/.git/worktrees/side, which is no repository: the repository it belongs to was moved or removed`,
      'git worktree repair, in the repository it belongs to',
    ])
    plainGit(join(root, 'moved'), 'worktree', 'repair', '../side')
    expect(refused(await look(root, join(root, 'side')))).toBeNull()
  })

  it('that a link to itself stands for are refused, as other links that lead nowhere.', async () => {
    const root = realpathSync(temporaryFolder())
    symlinkSync('.git', join(root, '.git'))
    expect(discover(root)).toEqual({ kind: 'broken', at: join(root, '.git'), leadsTo: null })
  })

  it('whose folder was removed are named, and no reason to refuse.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'main'), { a: '' })
    plainGit(join(root, 'main'), 'worktree', 'add', '-q', '../side')
    rmSync(join(root, 'side'), { recursive: true })
    const facts = await lookInside(root, join(root, 'main'))
    expect([facts.worktreesLeft, refused(facts)]).toEqual([['side'], null])
  })

  it('that were moved together with everything work where they are.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'old'), { a: '' })
    renameSync(join(root, 'old'), join(root, 'new'))
    const facts = await lookInside(root, join(root, 'new'))
    expect([facts.topLevel, refused(facts)]).toEqual([join(root, 'new'), null])
  })

  it('that are sparse are no reason to refuse: what is left out is not taken for deleted.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { 'a/x': '', 'b/x': '' })
    plainGit(root, 'sparse-checkout', 'set', 'a')
    const facts = await lookInside(root)
    expect([facts.isSparse, refused(facts), noticesOf(facts)]).toEqual([
      true,
      null,
      ['the checkout is sparse: the session works on all files of HEAD'],
    ])
  })
})

describe('an operation half done', () => {
  function diverged(): string {
    const root = temporaryFolder()
    repositoryWith(root, { a: '1\n' })
    plainGit(root, 'checkout', '-q', '-b', 'other')
    put(root, { a: '2\n' })
    commitAll(root, 'theirs')
    plainGit(root, 'checkout', '-q', 'main')
    put(root, { a: '3\n' })
    commitAll(root, 'ours')
    return root
  }

  it.each([
    ['merge', ['merge', 'other']],
    ['rebase', ['rebase', 'other']],
    ['rebase', ['rebase', '--apply', 'other']],
    ['cherry-pick', ['cherry-pick', 'other']],
    ['revert', ['revert', '--no-edit', 'HEAD~1']],
    ['bisect', ['bisect', 'start', 'HEAD', 'HEAD~1']],
  ] as const)('is refused with the way out of it: %s (git %j).', async (operation, args) => {
    const root = diverged()
    tryGit(root, args)
    const facts = await lookInside(root)
    expect(facts.operation).toBe(operation)
    const [code, message, next = ''] = refused(facts, { dirty: 'ignore' }) ?? []
    expect([code, message]).toEqual([2, `git ${operation} is in progress`])
    const out = next.split(', or ').at(-1)?.split(' ').slice(1) ?? []
    plainGit(root, ...out)
    expect((await lookInside(root)).operation).toBeNull()
  })

  it('is refused with the way out of it: patches from a mailbox.', async () => {
    const root = diverged()
    const mail = plainGit(root, 'format-patch', '--stdout', '-1', 'other')
    tryGit(root, ['am', '-q'], {}, mail)
    expect(refused(await look(root), { dirty: 'ignore' })).toEqual([2, 'git am is in progress', 'git am --continue, or git am --abort'])
  })
})

describe('what lies in HEAD', () => {
  it('as submodules is named, and nobody looks into them.', async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'lib'), { x: '' })
    repositoryWith(join(root, 'top'), { a: '' })
    plainGit(join(root, 'top'), '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../lib', 'vendor/lib')
    commitAll(join(root, 'top'), 'with submodule')
    put(join(root, 'top/vendor/lib'), { dirt: 'x' })
    const facts = await lookInside(root, join(root, 'top'))
    expect([facts.submodules, refused(facts)]).toEqual([['vendor/lib'], null])
    expect(noticesOf(facts)).toEqual(['1 submodule: changes inside are not taken along'])
    expect(await lookInside(root, join(root, 'top/vendor/lib'))).toMatchObject({ gitDir: join(root, 'top/.git/modules/vendor/lib') })
  })

  it('for a filter that is set up is refused, unless the files are taken as they stand.', async () => {
    const root = temporaryFolder()
    repositoryWith(
      root,
      {
        '.gitattributes': '*.bin filter=lfs diff=lfs\n',
        'a.bin': '',
        'sub/b.bin': '',
        'c.txt': '',
        'plain/.gitattributes': '*.bin -filter\n',
        'plain/d.bin': '',
      },
    )
    for (const kind of ['clean', 'smudge', 'process']) plainGit(root, 'config', `filter.lfs.${kind}`, 'git-lfs')
    const facts = await lookInside(root)
    expect(facts.filters).toEqual([{ driver: 'lfs', isSetUp: true, paths: { count: 2, first: ['a.bin', 'sub/b.bin'] } }])
    expect(refused(facts)).toEqual([
      2,
      'the filter "lfs" is needed for 2 files ("a.bin", "sub/b.bin"), and no program of a repository is run (--dirty include takes your files as they stand)',
      'greenlatch run --dirty include',
    ])
    expect([refused(facts, { dirty: 'include' }), refused(facts, { dirty: 'ignore' })?.[0]]).toEqual([null, 2])
  })

  it("for a filter of the user's own configuration and attributes is found as well.", async () => {
    const root = temporaryFolder()
    repositoryWith(join(root, 'r'), { 'a.bin': '' })
    put(root, { 'home/.config/git/attributes': '*.bin filter=lfs\n', 'home/.gitconfig': '[filter "lfs"]\n\tclean = git-lfs\n' })
    const { HOME, XDG_CONFIG_HOME } = process.env
    try {
      process.env['HOME'] = join(root, 'home')
      delete process.env['XDG_CONFIG_HOME']
      expect((await lookInside(join(root, 'r'))).filters).toEqual([{ driver: 'lfs', isSetUp: true, paths: { count: 1, first: ['a.bin'] } }])
    } finally {
      process.env['HOME'] = HOME
      if (XDG_CONFIG_HOME !== undefined) process.env['XDG_CONFIG_HOME'] = XDG_CONFIG_HOME
    }
  })

  it('for a filter that nobody has set up stays as it is stored, and that is said.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { 'a.bin': '' })
    put(root, { '.git/info/attributes': '[attr]big filter=lfs\n*.bin big\n' })
    const facts = await lookInside(root)
    expect(facts.filters).toEqual([{ driver: 'lfs', isSetUp: false, paths: { count: 1, first: ['a.bin'] } }])
    expect([refused(facts), noticesOf(facts)]).toEqual([null, ['the filter lfs is not set up: its files stay as they are stored']])
  })
})

describe('an index.lock', () => {
  it('that nobody holds is named with its age, and does not keep us from looking.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    put(root, { '.git/index.lock': '' })
    utimesSync(join(root, '.git/index.lock'), 1, Date.now() / 1000 - 7200)
    const facts = await lookInside(root)
    expect(facts.lock).toEqual({ path: join(root, '.git/index.lock'), ageSeconds: expect.closeTo(7200, -2) as number, holder: null })
    expect([refused(facts), noticesOf(facts)]).toEqual([
      null,
      [`${root}/.git/index.lock is there since 2 h (no process that we can see has it open)`],
    ])
    expect(facts.lock && lockRefusal(facts.lock)).toMatchObject({ code: 9, next: `if no git is running there: rm ${root}/.git/index.lock` })
  })

  it('that a living process holds is named with that process.', async () => {
    const root = temporaryFolder()
    repositoryWith(root, { a: '' })
    const fd = openSync(join(root, '.git/index.lock'), 'w')
    try {
      const { lock } = await lookInside(root)
      expect(lock?.holder).toBe(process.pid)
      expect(lock && lockRefusal(lock)).toMatchObject({
        code: 9,
        message: expect.stringMatching(`process ${process.pid} has it open`) as string,
        next: 'wait for it to end, and try again',
      })
    } finally {
      closeSync(fd)
    }
  })
})
