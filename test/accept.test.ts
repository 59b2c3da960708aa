// `accept`: what comes to the user's branch, what is refused, and that nothing else of theirs is ever touched.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePlace } from './support/cli.js'
import { acceptedIn, clutter, hook, makeWorkshop, refusal, tryGit, workedOnce, type Workshop } from './support/repositories.js'

const TURNS = [{ write: { a: 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n' } }, { write: { 'new/c.txt': 'c\n' } }]
const worked = workedOnce(TURNS)

async function accepted(shop: Workshop, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await shop.run(['accept', ...args])
  expect([code, stderr]).toEqual([0, expect.stringContaining('accepted')])
  return stdout.trim()
}

/** Refused, with everything as it was, down to the time of each file. */
async function refused(shop: Workshop, args: readonly string[] = []): Promise<[number | null, string, string]> {
  const before = shop.everything()
  const said = refusal(await shop.run(['accept', ...args]))
  expect(shop.everything()).toEqual(before)
  return said
}

describe('a result', () => {
  it('GL-02 comes as one commit with a conventional message, and everything else of the user stays as it was.', async () => {
    const shop = makeWorkshop()
    clutter(shop)
    const id = await shop.work(TURNS, '--dirty', 'ignore', '--gate', 'true')
    const [head, others] = [shop.git('rev-parse', 'HEAD'), shop.others()]
    const commit = await accepted(shop)
    expect(shop.git('rev-parse', 'main', 'main^')).toBe(`${commit}\n${head}`)
    const message = `feat: make the parser fast\n\nGreenlatch-Outcome: completed, unverified, 2 iterations\nGreenlatch-Result: iteration 2, nothing failing\nGreenlatch-Gates: true\nGreenlatch-Session: ${id}`
    expect(shop.git('log', '-1', '--format=%an <%ae>%n%cn%n%B')).toBe(`A User <user@example.com>\nA User\n${message}\n`)
    expect(shop.git('diff', '--stat', 'main^', 'main')).toContain('2 files changed, 2 insertions(+), 1 deletion(-)')
    expect(shop.git('status', '--porcelain')).toBe('?? notes.txt')
    expect([shop.file('new/c.txt'), shop.file('a').slice(0, 4)]).toEqual(['c\n', 'ONE\n'])
    expect(shop.others()).toEqual(others)
    expect(shop.git('fsck', '--full', '--strict')).toBe('')
    expect(shop.git('reflog', '-1', '--format=%gs')).toBe('greenlatch accept: feat: make the parser fast')
    expect(acceptedIn(shop)).toEqual([`commit ${commit} on main`])
  })

  it('is told to programs as JSON.', async () => {
    const { shop, id: session } = await worked()
    const { stdout } = await shop.run(['accept', '--json'])
    const commit = shop.git('rev-parse', 'HEAD')
    expect(JSON.parse(stdout)).toMatchObject({ session, accepted: { kind: 'commit', commit, branch: 'main' }, state: 'completed', label: 'unverified', files: 2, lines: 3 })
  })

  it('can be accepted once, and says where it is; undo names the way to take it back.', async () => {
    const { shop, id } = await worked()
    const commit = await accepted(shop)
    expect(await refused(shop)).toEqual([2, `session ${id} was accepted already: commit ${commit} on main`, `git show ${commit}`])
    expect(refusal(await shop.run(['undo']))).toEqual([2, `session ${id} was accepted: commit ${commit} on main`, `git revert ${commit}`])
  })

  it('that goes on after it was accepted brings only what is new, however near it is to what came before.', async () => {
    const shop = makeWorkshop({ a: 'one\n' })
    const agent = shop.scripted([{ write: { a: 'two\n' } }, { write: { a: 'three\n' } }])
    const run = ['converge', '--leave', 'last', '--agent', agent, '--gate', 'grep three a']
    expect((await shop.run(['run', ...run, '--max-iterations', '1'])).code).toBe(4)
    await accepted(shop)
    expect(shop.file('a')).toBe('two\n')
    expect((await shop.run(['resume', '--max-iterations', '2'])).code).toBe(0)
    await accepted(shop)
    expect([shop.file('a'), shop.git('rev-list', '--count', 'HEAD'), acceptedIn(shop).length]).toEqual(['three\n', '3', 2])
  })

  it('keeps names and kinds that are out of the ordinary.', async () => {
    const shop = makeWorkshop({ a: 'a\n', plain: 'x\n', '-dash': '-\n' })
    const agent = shop.program(
      'odd',
      String.raw`printf '1\n' > "$(printf 'new\nline')"; printf 2 > '🐟'; printf 3 > ' space '; printf 4 > -- ; printf 5 > ':(top)x'`,
      String.raw`printf 6 > "$(printf '\377\376')"; chmod +x plain; ln -s ../outside link; rm ./-dash`,
      String.raw`mkdir -p 'q"uo te\'; printf 7 > 'q"uo te\/f'`,
    )
    expect((await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])).code).toBe(0)
    await accepted(shop)
    expect(shop.git('status', '--porcelain')).toBe('')
    const names = shop.git('ls-files', '-z').split('\0')
    expect(names).toEqual(expect.arrayContaining(['new\nline', '🐟', ' space ', '--', ':(top)x', 'q"uo te\\/f', 'link']))
    expect(names).not.toContain('-dash')
    expect(readFileSync(Buffer.concat([Buffer.from(`${shop.repo}/`), Buffer.from([0xff, 0xfe])]), 'utf8')).toBe('6')
    expect(shop.git('ls-tree', 'HEAD', 'plain', 'link')).toMatch(/120000 blob .*\tlink\n100755 blob .*\tplain/)
  })

  it("is written with the user's line endings.", async () => {
    const shop = makeWorkshop()
    shop.git('config', 'core.autocrlf', 'true')
    await shop.work(TURNS, '--dirty', 'ignore')
    await accepted(shop)
    expect(shop.file('new/c.txt')).toBe('c\r\n')
    expect(shop.git('status', '--porcelain')).toBe('')
    expect(shop.git('cat-file', 'blob', 'HEAD:new/c.txt')).toBe('c')
  })

  it('comes to a linked worktree, and the main one does not notice.', async () => {
    const shop = makeWorkshop()
    const linked = join(shop.root, 'linked')
    shop.git('worktree', 'add', '-q', '-b', 'side', linked)
    const agent = shop.scripted(TURNS)
    const before = shop.file('a')
    expect((await shop.run(['run', 'ooda', 'x', '--max-iterations', '2', '--agent', agent], { cwd: linked })).code).toBe(0)
    const ended = await shop.run(['accept'], { cwd: linked })
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('accepted on side')])
    expect(tryGit(linked, ['status', '--porcelain']).stdout).toBe('')
    expect([shop.git('status', '--porcelain'), shop.file('a'), shop.git('log', '-1', '--format=%P', 'side')]).toEqual(['', before, shop.git('rev-parse', 'main')])
  })
})

describe('a branch that has moved', () => {
  it('is merged with, by the rules its attributes give.', async () => {
    const shop = makeWorkshop({ a: '1\n2\n3\n4\n5\n6\n7\n', 'CHANGES.md': '# x\n', '.gitattributes': 'CHANGES.md merge=union\n' })
    await shop.work([{ write: { a: 'ONE\n2\n3\n4\n5\n6\n7\n', 'CHANGES.md': '# x\n- ours\n' } }])
    shop.put({ a: '1\n2\n3\n4\n5\n6\nSEVEN\n', 'CHANGES.md': '# x\n- theirs\n' })
    const head = shop.commit('second')
    await accepted(shop)
    expect(shop.file('a')).toBe('ONE\n2\n3\n4\n5\n6\nSEVEN\n')
    expect(shop.file('CHANGES.md')).toMatch(/- theirs\n- ours\n|- ours\n- theirs\n/)
    expect([shop.git('rev-parse', 'HEAD^'), shop.git('status', '--porcelain')]).toEqual([head, ''])
  })

  it('and cannot be merged with is left alone, and the commands that are named lead on.', async () => {
    const { shop, id } = await worked()
    shop.put({ a: 'EINS\ntwo\nthree\nfour\nfive\nsix\nseven\n' })
    shop.commit('second')
    const [code, message, next] = await refused(shop)
    expect([code, message]).toEqual([2, 'main has changed since the session began, and 1 file cannot be merged by itself: "a"'])
    expect(next).toBe(`greenlatch accept ${id} --branch greenlatch/${id} && git merge greenlatch/${id}`)
    const before = [shop.git('rev-parse', 'HEAD'), readFileSync(join(shop.repo, '.git/index')), shop.file('a')]
    await accepted(shop, '--branch', `greenlatch/${id}`)
    expect([shop.git('rev-parse', 'HEAD'), readFileSync(join(shop.repo, '.git/index')), shop.file('a')]).toEqual(before)
    expect(tryGit(shop.repo, ['merge', `greenlatch/${id}`])).toMatchObject({ status: 1, stdout: expect.stringContaining('Merge conflict in a') })
    expect(shop.file('new/c.txt')).toBe('c\n')
  })

  it('and holds the same already is left alone.', async () => {
    const { shop } = await worked()
    shop.put(TURNS[0]?.write ?? {})
    shop.put(TURNS[1]?.write ?? {})
    shop.commit('by hand')
    expect(await refused(shop)).toEqual([2, 'main holds everything already that the session has changed', 'git log -3'])
  })

  it('may be another one by now, which is said.', async () => {
    const { shop } = await worked()
    shop.git('switch', '-q', '-c', 'feature')
    const { stderr } = await shop.run(['accept'])
    expect(stderr).toContain('accepted on feature, though the session began on main')
    expect(shop.git('rev-parse', 'main')).toBe(shop.git('rev-parse', 'feature^'))
  })
})

describe('the form of it', () => {
  it('is a merge on request: the second parent is the result alone, on the commit it began from.', async () => {
    const { shop } = await worked()
    const base = shop.git('rev-parse', 'HEAD')
    shop.put({ 'sub/b': 'moved\n' })
    const head = shop.commit('second')
    await accepted(shop, '--merge', '--message', 'feat(parser): faster')
    expect(shop.git('log', '-1', '--format=%P%n%s')).toBe(`${head} ${shop.git('rev-parse', 'HEAD^2')}\nfeat(parser): faster`)
    expect([shop.git('rev-parse', 'HEAD^2^'), shop.git('cat-file', 'blob', 'HEAD^2:sub/b'), shop.file('sub/b')]).toEqual([base, 'b', 'moved\n'])
    expect(shop.git('fsck', '--full', '--strict')).toBe('')
  })

  it('is a branch on request, whatever state the rest is in.', async () => {
    const { shop, id } = await worked()
    shop.git('checkout', '-q', '--detach')
    shop.put({ a: 'dirty\n' })
    const [files, index] = [shop.file('a'), readFileSync(join(shop.repo, '.git/index'))]
    const commit = await accepted(shop, '--branch', 'try-it')
    expect([shop.file('a'), readFileSync(join(shop.repo, '.git/index')), shop.git('rev-parse', 'try-it')]).toEqual([files, index, commit])
    expect(shop.git('log', '-1', '--format=%P', 'try-it')).toBe(shop.git('rev-parse', 'main'))
    expect(await refused(shop)).toEqual([2, `session ${id} was accepted already: branch try-it, commit ${commit}`, 'git merge try-it'])
  })

  it('is refused by name where it makes no sense.', async () => {
    const { shop } = await worked()
    const cases: [string[], string][] = [
      [['--branch=other'], 'there is a branch other already, and it holds something else'],
      [['--branch=other/x'], 'the branch other stands in the way of one called other/x'],
      [['--branch=-x'], '--branch: the name "-x" may not begin with "-"'],
      [['--branch=a..b'], '--branch: the name "a..b" may not hold ".."'],
      [['--branch='], '--branch: the name "" is empty'],
      [['--merge', '--squash'], '--squash and --merge do not go together'],
      [['--merge', '--hooks'], '--merge and --hooks do not go together'],
      [['--branch', 'x', '--hooks'], '--branch and --hooks do not go together'],
      [['--message', ' '], '--message: the text is empty'],
      [['nonsense'], 'there is no session "nonsense"'],
      [['--nonsense'], "unknown option '--nonsense'"],
    ]
    for (const [args, message] of cases) expect((await refused(shop, args)).slice(0, 2)).toEqual([2, expect.stringContaining(message)])
  })
})

describe('what the user has in the way', () => {
  it('is named and not touched: changes that are not committed, staged or not.', async () => {
    const shop = makeWorkshop()
    const id = await shop.work([{ write: { a: 'x\n', 'sub/b': 'y\n' } }])
    shop.put({ a: 'mine\n', 'sub/b': 'staged\n' })
    shop.git('add', 'sub/b')
    expect(await refused(shop)).toEqual([2, '2 files of yours would be overwritten and are not committed: "a", "sub/b"', `git stash && greenlatch accept ${id}`])
    shop.git('stash', '-q')
    await accepted(shop)
    expect(shop.git('stash', 'list')).toContain('stash@{0}')
  })

  it.each(['notes.txt', 'x.ign', 'build/out'])('is named and not touched: the file %s, which git does not know.', async (path) => {
    const shop = makeWorkshop()
    const id = await shop.work([{ write: { 'notes.txt': 'n\n' } }, { write: { '.gitignore': '' } }, { write: { 'x.ign': 'i\n', 'build/out': 'o\n' } }])
    shop.put({ [path]: 'mine\n' })
    expect(await refused(shop)).toEqual([2, `1 file of yours would be overwritten and is not committed: "${path}"`, `move it elsewhere, then greenlatch accept ${id}`])
  })

  it('does not matter elsewhere, and stays: staged as staged, changed as changed.', async () => {
    const shop = makeWorkshop({ a: 'a\n', b: 'b\n', c: 'c\n' })
    await shop.work([{ write: { a: 'A\n' } }])
    shop.put({ b: 'staged\n', c: 'changed\n', d: 'added\n' })
    shop.git('add', 'b', 'd')
    shop.put({ b: 'and changed\n' })
    await accepted(shop)
    expect(shop.git('status', '--porcelain')).toBe('MM b\n M c\nA  d')
    expect(shop.git('show', '--format=', '--name-only', 'HEAD')).toBe('a')
  })

  it('does not count when a file was only touched.', async () => {
    const { shop } = await worked()
    shop.put({ a: shop.file('a') })
    await accepted(shop)
    expect(shop.git('status', '--porcelain')).toBe('')
  })
})

describe('a repository that is in no state for it', () => {
  it.each<[string, (shop: Workshop) => void, number, string, string]>([
    ['a detached HEAD', (shop) => void shop.git('checkout', '-q', '--detach'), 2, 'HEAD is detached', 'greenlatch accept'],
    ['a branch without a commit', (shop) => void shop.git('checkout', '-q', '--orphan', 'bare'), 2, 'the branch bare has no commit yet', 'git commit --allow-empty'],
    ['a merge half done', (shop) => halfMerged(shop), 2, 'git merge is in progress', 'git merge --continue'],
    ['the lock of another git', (shop) => writeFileSync(join(shop.repo, '.git/index.lock'), ''), 9, 'index.lock is there since', 'if no git is running there: rm'],
    ['no index', (shop) => rmSync(join(shop.repo, '.git/index')), 2, 'the repository has no index', 'git reset'],
    ['no identity', (shop) => void shop.git('config', '--unset', 'user.email'), 2, 'git does not know your name', 'git config user.name'],
    ['a filter', (shop) => filtered(shop), 2, 'the filter "evil" is needed for 1 file ("sub/b")', '&& git merge greenlatch/'],
  ])('is named and left alone: %s.', async (_, spoil, code, message, next) => {
    const { shop } = await worked()
    spoil(shop)
    expect(await refused(shop)).toEqual([code, expect.stringContaining(message), expect.stringContaining(next)])
  })

  it('is named when it has been taken away.', async () => {
    const { shop } = await worked()
    renameSync(join(shop.repo, '.git'), join(shop.root, 'gone'))
    mkdirSync(join(shop.repo, '.git'))
    expect((await refused(shop)).slice(0, 2)).toEqual([10, `${shop.repo} is not, or is no longer, the repository that the session began in`])
  })
})

function halfMerged(shop: Workshop): void {
  shop.git('switch', '-q', 'other')
  shop.put({ a: 'other\n' })
  shop.commit('other')
  shop.git('switch', '-q', 'main')
  shop.put({ a: 'main\n' })
  shop.commit('main')
  tryGit(shop.repo, ['merge', '-q', 'other'])
}

function filtered(shop: Workshop): void {
  shop.put({ '.gitattributes': 'sub/b filter=evil\n' })
  shop.commit('filter')
  shop.git('config', 'filter.evil.smudge', 'touch /tmp/never')
}

describe('a session', () => {
  it('that has changed nothing, or was undone to its start, has nothing to accept.', async () => {
    const shop = makeWorkshop()
    const id = await shop.work([{ say: 'nothing' }])
    expect(await refused(shop)).toEqual([2, `session ${id} has nothing to accept: it stands on what it began with`, `greenlatch logs ${id}`])
  })

  it('that is running is refused with 9.', async () => {
    const shop = makeWorkshop()
    const agent = shop.program('slow', 'echo x > x; sleep 60')
    const running = shop.start(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])
    await running.says(/starting/)
    expect((await refused(shop))[0]).toBe(9)
    for (const command of ['undo', 'redo', 'clean']) expect(refusal(await shop.run([command, basename(shop.session())]))[0]).toBe(9)
    running.send('SIGTERM')
    await running.ended
  })

  it('that worked in place has its result there already.', async () => {
    const shop = makeWorkshop()
    const id = await shop.work(TURNS, '--in-place')
    expect(await refused(shop)).toEqual([2, `session ${id} worked in your own folder: its result is there already`, 'git add -A && git commit'])
  })

  it('may not be accepted by an agent.', async () => {
    const { shop } = await worked()
    for (const verb of ['accept', 'undo', 'redo', 'clean']) {
      expect(refusal(await shop.run([verb], { env: { GREENLATCH_TREE: 'x' } }))[0]).toBe(6)
    }
  })

  it('that took changes along brings its result to the files alone, and keeps what stood there.', async () => {
    const shop = makeWorkshop({ a: '1\n2\n3\n4\n5\n6\n7\n', b: 'b\n' })
    shop.put({ a: 'mine\n2\n3\n4\n5\n6\n7\n', untracked: 'u\n' })
    const id = await shop.work([{ write: { a: 'mine\n2\n3\n4\n5\n6\nagent\n', c: 'c\n' } }], '--dirty', 'include')
    shop.put({ b: 'later\n' })
    const [index, head] = [readFileSync(join(shop.repo, '.git/index')), shop.git('rev-parse', 'HEAD')]
    expect((await shop.run(['accept', '--merge'])).code).toBe(2)
    const { stdout, stderr } = await shop.run(['accept'])
    expect(stdout).toBe(`2 files written into ${shop.repo}\n`)
    expect(stderr).toContain(`greenlatch diff ${id} --iter start..salvage/1`)
    expect([shop.file('a'), shop.file('b'), shop.file('c'), shop.file('untracked')]).toEqual(['mine\n2\n3\n4\n5\n6\nagent\n', 'later\n', 'c\n', 'u\n'])
    expect([readFileSync(join(shop.repo, '.git/index')), shop.git('rev-parse', 'HEAD')]).toEqual([index, head])
    expect((await shop.run(['diff', '--iter', 'start..salvage/1'])).stdout).toContain('+later')
  })

  it('that took changes along writes files as the repository has them written, and nothing that is ignored is lost.', async () => {
    const shop = makeWorkshop({ a: '1\n2\n3\n4\n5\n6\n7\n', '.gitignore': '*.ign\n' })
    shop.git('config', 'core.autocrlf', 'true')
    shop.put({ a: 'mine\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n' })
    await shop.work([{ write: { a: 'mine\n2\n3\n4\n5\n6\nagent\n' } }, { write: { '.gitignore': '' } }, { write: { 'x.ign': 'x\n', b: 'b\n' } }], '--dirty', 'include')
    shop.put({ 'x.ign': 'precious\n' })
    expect((await refused(shop)).slice(0, 2)).toEqual([2, '"x.ign" stands where a file of the result belongs, and would be lost'])
    rmSync(join(shop.repo, 'x.ign'))
    expect((await shop.run(['accept'])).code).toBe(0)
    expect([shop.file('a'), shop.file('b'), shop.file('x.ign')]).toEqual(['mine\r\n2\r\n3\r\n4\r\n5\r\n6\r\nagent\r\n', 'b\r\n', 'x\r\n'])
  })

  it('that took changes along and meets a conflict is refused.', async () => {
    const shop = makeWorkshop()
    shop.put({ a: 'mine\n' })
    await shop.work([{ write: { a: 'agent\n' } }], '--dirty', 'include')
    shop.put({ a: 'later\n' })
    expect((await refused(shop)).slice(0, 2)).toEqual([2, 'your files have changed since the session began, and 1 file cannot be merged by itself: "a"'])
  })

  it('that found nothing to take along is accepted as a commit.', async () => {
    const shop = makeWorkshop()
    await shop.work(TURNS, '--dirty', 'include')
    await accepted(shop)
    expect(shop.git('status', '--porcelain')).toBe('')
  })

  it('without git brings its result to the files.', async () => {
    const place = makePlace()
    rmSync(join(place.repo, '.git'), { recursive: true })
    place.write('a', '1\n2\n3\n4\n5\n6\n7\n')
    const agent = place.scripted([{ write: { a: '1\n2\n3\n4\n5\n6\nSEVEN\n', 'new/b': 'b\n' } }])
    expect((await place.run(['run', 'ooda', 'x', '--max-iterations', '1', '--agent', agent])).code).toBe(0)
    place.write('a', 'ONE\n2\n3\n4\n5\n6\n7\n')
    place.write('node_modules/x', 'x\n')
    const { code, stdout } = await place.run(['accept'])
    const files = ['a', 'new/b', 'node_modules/x'].map((path) => place.read(`repo/${path}`))
    expect([code, stdout, ...files]).toEqual([0, `2 files written into ${place.repo}\n`, 'ONE\n2\n3\n4\n5\n6\nSEVEN\n', 'b\n', 'x\n'])
    expect(refusal(await place.run(['accept'])).slice(0, 2)).toEqual([2, expect.stringContaining('was accepted already: the files of')])
    expect(existsSync(join(place.repo, '.git'))).toBe(false)
  })
})

describe('hooks', () => {
  const NOTED = String.raw`echo "$(basename "$0")" >> "$(git rev-parse --git-dir)/ran"`

  it('do not run unless they are asked for.', async () => {
    const { shop } = await worked()
    for (const name of ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'post-index-change', 'reference-transaction']) hook(shop, name, NOTED)
    await accepted(shop)
    expect(existsSync(join(shop.repo, '.git/ran'))).toBe(false)
  })

  it('run on request, see the files and patterns as in any commit, and what they add is in it.', async () => {
    const { shop } = await worked()
    hook(shop, 'pre-commit', `${NOTED}\ngit diff --cached --name-only -- '*.txt' >> .git/ran\ncat new/c.txt >> .git/ran\necho made > made && git add made`)
    hook(shop, 'commit-msg', `${NOTED}\necho "Reviewed: yes" >> "$1"`)
    const commit = await accepted(shop, '--hooks')
    expect(shop.file('.git/ran')).toBe('pre-commit\nnew/c.txt\nc\ncommit-msg\n')
    expect(shop.git('log', '-1', '--format=%H %(trailers:key=Reviewed)').trim()).toBe(`${commit} Reviewed: yes`)
    expect([shop.git('cat-file', 'blob', 'HEAD:made'), shop.git('status', '--porcelain'), shop.git('fsck', '--strict', '--no-dangling')]).toEqual(['made', '', ''])
  })

  it('that fail leave everything as it was, and what one has written beside is kept.', async () => {
    const shop = makeWorkshop()
    clutter(shop)
    await shop.work(TURNS, '--dirty', 'ignore')
    hook(shop, 'pre-commit', 'echo formatted >> a; echo "no tabs, please" >&2; exit 1')
    const [before, others] = [withoutObjects(shop), shop.others()]
    const { code, stderr, stdout } = await shop.run(['accept', '--hooks'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/no tabs, please[^]*"a" was moved to/)
    expect(stderr).toMatch(/git commit with your hooks failed \(exit 1\), and all is as it was: mend what they say, then accept again\n {2}next: greenlatch accept \S+ --hooks\n$/)
    expect([withoutObjects(shop), shop.others(), shop.git('status', '--porcelain')]).toEqual([before, others, '?? notes.txt'])
    await accepted(shop)
  })

  it('are not asked for with something else staged.', async () => {
    const { shop } = await worked()
    shop.put({ 'sub/b': 'staged\n' })
    shop.git('add', '-A')
    expect(await refused(shop, ['--hooks'])).toEqual([2, '--hooks: 1 file of yours would be committed along (staged: "sub/b")', 'git commit'])
  })
})

/** A hook that refuses leaves objects behind that nothing refers to, as git itself does; files that were put back are younger. */
function withoutObjects(shop: Workshop): Record<string, string> {
  const kept = Object.entries(shop.everything()).filter(([path]) => !path.startsWith('.git/objects/'))
  return Object.fromEntries(kept.map(([path, state]) => [path, state.replace(/^(\d+) \d+ /, '$1 ')]))
}

describe('signing', () => {
  function gpg(shop: Workshop, script: string): string {
    const path = join(shop.root, 'gpg')
    writeFileSync(path, `#!/bin/sh\necho "$@" >> '${shop.root}/signed'\n${script}\n`)
    chmodSync(path, 0o755)
    shop.git('config', 'gpg.program', path)
    return path
  }
  const SIGNS = String.raw`cat > /dev/null; printf -- '-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n'; printf '\n[GNUPG:] SIG_CREATED ' >&2`

  it('is done when the settings say so, and its program does not run when they do not.', async () => {
    const { shop } = await worked()
    gpg(shop, SIGNS)
    await accepted(shop)
    expect(existsSync(join(shop.root, 'signed'))).toBe(false)
    await shop.work([{ write: { z: 'z\n' } }])
    shop.git('config', 'commit.gpgSign', 'true')
    shop.git('config', 'user.signingKey', 'KEY')
    await accepted(shop)
    expect(readFileSync(join(shop.root, 'signed'), 'utf8')).toContain('KEY')
    expect(shop.git('cat-file', 'commit', 'HEAD')).toContain('gpgsig -----BEGIN PGP SIGNATURE-----')
  })

  it('that fails leaves everything as it was.', async () => {
    const { shop } = await worked()
    gpg(shop, 'echo "no secret key" >&2; exit 2')
    shop.git('config', 'commit.gpgSign', 'true')
    expect((await refused(shop)).slice(0, 2)).toEqual([2, expect.stringContaining('the commit could not be signed, as commit.gpgSign asks for')])
  })
})

describe('files the result turns into folders, and folders into files', () => {
  it('are turned, and one with something ignored in it is named.', async () => {
    const shop = makeWorkshop({ file: 'f\n', 'folder/x': 'x\n', '.gitignore': '*.ign\n' })
    const agent = shop.program('turn', 'rm file && mkdir file && echo in > file/in; rm -r folder && echo now > folder')
    expect((await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])).code).toBe(0)
    shop.put({ 'folder/y.ign': 'mine\n' })
    expect((await refused(shop))[1]).toBe('1 file of yours would be overwritten and is not committed: "folder"')
    rmSync(join(shop.repo, 'folder/y.ign'))
    await accepted(shop)
    expect([shop.file('file/in'), shop.file('folder'), shop.git('status', '--porcelain')]).toEqual(['in\n', 'now\n', ''])
  })

  it('do not lead out of the repository through a link.', async () => {
    const shop = makeWorkshop({ 'd/x': 'x\n' })
    await shop.work([{ write: { 'd/y': 'y\n' } }])
    mkdirSync(join(shop.root, 'outside'))
    renameSync(join(shop.repo, 'd'), join(shop.root, 'outside/d'))
    symlinkSync(join(shop.root, 'outside/d'), join(shop.repo, 'd'))
    expect((await refused(shop))[0]).toBe(2)
    expect(existsSync(join(shop.root, 'outside/d/y'))).toBe(false)
  })
})
