// End-to-end tests of what `cycle` does in the user's repository: its branch, its one commit, what it leaves, and git that fails.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf, type Place } from './support/cli.js'
import { cycle, git, phasesOf, players, repository, writes } from './support/cycle.js'

const GATES = ['grep -q two src/a.txt']

function textOf(place: Place, path = 'src/a.txt'): string {
  return readFileSync(join(place.repo, path), 'utf8')
}

describe('the branch of a cycle', () => {
  it('AC-04 is made and gone to before the loop, and that is said first.', async () => {
    const place = repository()
    const branch = place.program('gate', `git -C '${place.repo}' symbolic-ref --short HEAD >> "$ROOT/branch.txt"; grep -q two src/a.txt`)
    const ended = await cycle(place, { coder: [writes('two')], gates: [branch] })
    expect(ended.code, ended.stderr).toBe(0)
    expect(phasesOf(eventsOf(place.session()))[0]).toBe('branch')
    expect(new Set(place.read('branch.txt').trim().split('\n'))).toEqual(new Set(['feature/cycle-05']))
    expect(ended.stderr.indexOf('on feature/cycle-05, from main')).toBeLessThan(ended.stderr.indexOf('baseline'))
    expect(ended.stderr).toContain('git merge feature/cycle-05')
  })

  it('AC-04 that is there already is refused with both ways out, and stays as it was.', async () => {
    const place = repository()
    git(place, 'branch', 'feature/cycle-05')
    const before = git(place, 'for-each-ref')
    const ended = await cycle(place, { coder: [writes('two')], gates: GATES })
    expect([ended.code, place.sessions()]).toEqual([2, []])
    expect(ended.stderr).toMatch(/there is a branch feature\/cycle-05 already \(greenlatch resume .*\)\n {2}next: greenlatch run cycle .* --branch <another name>\n/)
    expect(git(place, 'for-each-ref')).toBe(before)
    expect((await cycle(place, { coder: [writes('two')], gates: GATES }, '--branch', 'another')).code).toBe(0)
    expect(git(place, 'rev-list', '--count', 'main..another')).toBe('1')
  })

  it('AC-04 is committed to without touching files that are not clean, and the command that leads there is printed.', async () => {
    const place = repository({ 'src/a.txt': 'one\n', 'notes.txt': 'old\n' })
    place.write('notes.txt', 'mine\n')
    const ended = await cycle(place, { coder: [writes('two')], gates: GATES }, '--dirty', 'ignore')
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toContain('your files are not clean, so go there yourself: git switch feature/cycle-05')
    expect([git(place, 'symbolic-ref', '--short', 'HEAD'), textOf(place), textOf(place, 'notes.txt')]).toEqual(['main', 'one\n', 'mine\n'])
    expect([git(place, 'show', 'feature/cycle-05:src/a.txt'), git(place, 'show', 'feature/cycle-05:notes.txt')]).toEqual(['two', 'old'])
  })

  it.each([
    ['--id', ['converge', '--id', '05'], /--id: procedure "converge" makes no branch/],
    ['a bad --id', ['cycle', '--id', '../x'], /--id: the name "feature\/cycle-\.\.\/x" may not hold "\.\."/],
    ['--in-place', ['cycle', '--in-place'], /--in-place: .* works in a copy/],
    ['--dirty include', ['cycle', '--dirty', 'include'], /--dirty include: .*would be part of it\n {2}next: .* --dirty ignore/],
    ['a second task', ['cycle', '--spec', 'SPEC.md', '--task', 'SPEC.md'], /given twice: by --spec and by --task/],
    ['a missing specification', ['cycle', '--spec', 'none.md'], /none\.md cannot be read\n {2}next: .* --spec <file>/],
  ])('makes %s a mistake that is named, where it is one.', async (_, words, said) => {
    const place = repository()
    const ended = await place.run(['run', ...words, '--agent', 'paste', '--gate', 'true'])
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(said)])
    expect(place.sessions()).toEqual([])
  })

  it('needs somebody who audits, and a commit to start from.', async () => {
    const place = repository()
    const implementer = players(place, { coder: [writes('two')], gates: GATES }).filter((_, at) => at !== 2 && at !== 3)
    const alone = await place.run(['run', 'cycle', '--spec', 'SPEC.md', ...implementer])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('nobody answers as auditor')])
    git(place, 'update-ref', '-d', 'refs/heads/main')
    const unborn = await cycle(place, { coder: [writes('two')], gates: GATES }, '--dirty', 'ignore')
    expect([unborn.code, unborn.stderr]).toEqual([2, expect.stringContaining('there is no commit to make it from')])
    expect(place.sessions()).toEqual([])
  })
})

describe('the commit of a cycle', () => {
  it('AC-05 holds only allowed paths: what is written elsewhere is taken back, and the next prompt says so.', async () => {
    const place = repository()
    const test = { write: { 'src/a.txt': 'two\n', 'test/a.test.txt': 'a test\n' } }
    const ended = await cycle(place, { coder: [test, writes('two, then')], gates: GATES })
    expect(ended.code, ended.stderr).toBe(0)
    expect(git(place, 'diff', '--name-only', 'main', 'feature/cycle-05')).toBe('src/a.txt')
    expect(readFileSync(join(place.session(), 'iteration-2/code-prompt.md'), 'utf8')).toMatch(/Your previous attempt failed[^]*test\/a\.test\.txt is out of scope/)
  })

  it('AC-05 needs to be told what may be changed where there is no src, and then goes there.', async () => {
    const place = repository({ 'lib/a.txt': 'one\n' })
    const coder = [writes('two', 'lib/a.txt')]
    const refused = await cycle(place, { coder, gates: ['grep -q two lib/a.txt'] })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/there is no src\n {2}next: greenlatch run cycle .* --allow <folder>\n/)])
    expect((await cycle(place, { coder, gates: ['grep -q two lib/a.txt'] }, '--allow', 'lib')).code).toBe(0)
    expect(git(place, 'diff', '--name-only', 'main', 'feature/cycle-05')).toBe('lib/a.txt')
  })

  it('AC-05 that git cannot make is named with what git said, loses nothing, and is made when the session is gone on with.', async () => {
    const place = repository()
    const lock = join(place.repo, '.git/refs/heads/feature/cycle-05.lock')
    const gate = place.program('gate', `grep -q two src/a.txt && touch '${lock}'`)
    const ended = await cycle(place, { coder: [writes('two')], gates: [gate] })
    expect(ended.code, ended.stderr).toBe(10)
    expect(ended.stderr).toMatch(/commit: error \(.*cycle-05\.lock is there: another git works in this repository/)
    expect(git(place, 'rev-parse', 'feature/cycle-05')).toBe(git(place, 'rev-parse', 'main'))
    rmSync(lock)
    expect((await place.run(['resume'])).code).toBe(0)
    expect([git(place, 'rev-list', '--count', 'main..feature/cycle-05'), git(place, 'status', '--porcelain'), textOf(place)]).toEqual(['1', '', 'two\n'])
  })
})

describe('a cycle that fails', () => {
  const better = 'said: two lines\n'
  const coder = [{ write: { 'src/a.txt': better, 'src/new.txt': 'new\n' } }, { write: { 'src/a.txt': 'nothing\n' } }]
  const gates = ['lines=grep -q lines src/a.txt', 'done=grep -q done src/a.txt']

  it('AC-06 commits nothing and leaves the last candidate on its branch, uncommitted.', async () => {
    const place = repository()
    const ended = await cycle(place, { coder, gates }, '--max-iterations', '2')
    expect(ended.code, ended.stderr).toBe(4)
    expect(ended.stderr).toContain('the last candidate is left in your files on feature/cycle-05, not committed')
    expect([git(place, 'rev-parse', 'HEAD'), git(place, 'symbolic-ref', '--short', 'HEAD')]).toEqual([git(place, 'rev-parse', 'main'), 'feature/cycle-05'])
    expect([textOf(place), git(place, 'status', '--porcelain').split('\n').length]).toEqual(['nothing\n', 2])
  })

  it('AC-06 leaves the best candidate where that is asked for.', async () => {
    const place = repository()
    const ended = await cycle(place, { coder, gates }, '--max-iterations', '2', '--leave', 'best')
    expect(ended.code, ended.stderr).toBe(4)
    expect(ended.stderr).toContain('the best candidate is left in your files')
    expect([textOf(place), existsSync(join(place.repo, 'src/new.txt'))]).toEqual([better, true])
  })

  it('AC-06 takes back what it left when it is gone on with, and keeps what the user did there.', async () => {
    const place = repository({ 'src/a.txt': 'one\n', 'src/mine.txt': 'old\n' })
    expect((await cycle(place, { coder: [...coder, writes('lines done')], gates }, '--max-iterations', '2')).code).toBe(4)
    place.write('src/mine.txt', 'edited\n')
    const ended = await place.run(['resume', '--max-iterations', '3'])
    expect(ended.code, ended.stderr).toBe(0)
    expect([textOf(place), textOf(place, 'src/mine.txt')]).toEqual(['lines done\n', 'edited\n'])
    expect([git(place, 'rev-list', '--count', 'main..HEAD'), git(place, 'status', '--porcelain')]).toEqual(['1', 'M src/mine.txt'])
  })

  it('AC-06 has what it left taken back by accept too, which then brings it as a commit.', async () => {
    const place = repository()
    expect((await cycle(place, { coder, gates }, '--max-iterations', '2')).code).toBe(4)
    const ended = await place.run(['accept'])
    expect(ended.code, ended.stderr).toBe(0)
    expect([git(place, 'rev-list', '--count', 'main..HEAD'), git(place, 'status', '--porcelain'), textOf(place)]).toEqual(['1', '', 'nothing\n'])
  })
})
