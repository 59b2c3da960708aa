// A result that was accepted: what is said of it is true, and the command that is named takes it back.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, makePlace, until, type Place } from './support/cli.js'
import { makeWorkshop, refusal, tryGit, type Workshop } from './support/repositories.js'

const WRITES = { write: { a: 'ONE\ntwo\n', 'new/c': 'c\n' } }

/** As a person would type it, with `greenlatch` on their path. */
function type(place: Place, command: string): number | null {
  const env = { ...place.env, GIT_EDITOR: 'true' }
  return spawnSync('sh', ['-c', `greenlatch() { '${process.execPath}' '${CLI}' "$@"; }; ${command}`], { cwd: place.repo, env }).status
}

function takeBackIn(stderr: string): string {
  return /^ {2}take it back: +(.+)$/m.exec(stderr)?.[1] ?? `no command in: ${stderr}`
}

describe('what was accepted is taken back by the command that is named, also by undo', () => {
  const shopWith = async (...flags: string[]): Promise<Workshop> => {
    const shop = makeWorkshop({ a: 'one\ntwo\n' })
    if (flags.includes('--dirty')) shop.put({ mine: 'uncommitted\n' })
    await shop.work([WRITES], ...flags)
    return shop
  }

  it.each([[['--squash'], 'git revert '], [['--merge'], 'git revert -m 1 '], [['--branch', 'try'], 'git branch -D try']])('as a commit: accept %j.', async (flags, begins) => {
    const shop = await shopWith()
    const before = shop.git('rev-parse', 'HEAD^{tree}')
    const { code, stderr } = await shop.run(['accept', ...flags])
    expect([code, takeBackIn(stderr)]).toEqual([0, expect.stringContaining(begins)])
    expect(refusal(await shop.run(['undo']))[2]).toBe(takeBackIn(stderr))
    expect(type(shop, takeBackIn(stderr))).toBe(0)
    expect([shop.git('rev-parse', 'HEAD^{tree}'), shop.git('status', '--porcelain'), tryGit(shop.repo, ['rev-parse', '--verify', '-q', 'try']).status]).toEqual([before, '', 1])
    expect((await shop.run(['accept'])).code).toBe(0)
    expect(shop.file('new/c')).toBe('c\n')
  })

  it('and the way is free again, to the proved result and all of it.', async () => {
    const shop = makeWorkshop({ a: '1\n2\n3\n4\n5\n' })
    const gate = shop.program('gate', 'for n in 1 5; do grep -qx "$n" a && echo "FAIL $n"; done; ! grep -qx "[15]" a')
    const agent = shop.scripted([{ write: { a: 'x\n2\n3\n4\n5\n' } }, { write: { a: 'x\n2\n3\n4\ny\n' } }])
    expect((await shop.run(['run', 'converge', '--agent', agent, '--gate', gate])).code).toBe(0)
    await shop.run(['undo', '--to', '1'])
    const { stderr } = await shop.run(['accept'])
    expect((await shop.run(['redo'])).code).toBe(2)
    expect(type(shop, takeBackIn(stderr))).toBe(0)
    expect(await shop.run(['redo'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^iteration 2 \((?!unverified)/) as string })
    expect((await shop.run(['accept'])).code).toBe(0)
    expect(shop.file('a')).toBe('x\n2\n3\n4\ny\n')
  })

  it('as files, where what was written since stays.', async () => {
    const shop = await shopWith('--dirty', 'include')
    const { code, stdout, stderr } = await shop.run(['accept'])
    expect([code, stdout]).toEqual([0, `2 files written into ${shop.repo}\n`])
    expect(refusal(await shop.run(['undo']))[2]).toBe(takeBackIn(stderr))
    shop.put({ later: 'l\n' })
    expect(type(shop, `cd .git/.. && mkdir -p sub && cd sub && ${takeBackIn(stderr)}`)).toBe(0)
    expect([shop.file('a'), shop.file('mine'), shop.file('later'), shop.git('status', '--porcelain')]).toEqual(['one\ntwo\n', 'uncommitted\n', 'l\n', '?? later\n?? mine'])
  })

  it('as files of a folder without git.', async () => {
    const place = makePlace()
    rmSync(join(place.repo, '.git'), { recursive: true })
    place.write('a', 'one\ntwo\n')
    expect((await place.run(['run', 'ooda', 'x', '--max-iterations', '1', '--agent', place.scripted([WRITES])])).code).toBe(0)
    const { stderr } = await place.run(['accept'])
    expect(place.read('repo/a')).toBe('ONE\ntwo\n')
    expect(type(place, takeBackIn(stderr))).toBe(0)
    expect([place.read('repo/a'), place.read('repo/new/c')]).toEqual(['one\ntwo\n', ''])
    expect((await place.run(['accept'])).code).toBe(0)
    expect(place.read('repo/a')).toBe('ONE\ntwo\n')
  })
})

describe('a state that was chosen', () => {
  it('GL-02 is named with what the checks said of it: by undo, status, accept and in the commit.', async () => {
    const shop = makeWorkshop({ n: '9\n' })
    const gate = shop.program('gate', 'for i in $(seq $(cat n)); do echo "FAIL case-$i"; done; test "$(cat n)" = 0')
    const agent = shop.scripted([{ write: { n: '2\n' } }, { write: { n: '1\n' } }])
    expect((await shop.run(['run', 'converge', '--max-iterations', '2', '--agent', agent, '--gate', gate])).code).toBe(4)
    expect((await shop.run(['status', '--short'])).stdout).toContain('· stands on iteration 2 (1 failing) ·')
    expect((await shop.run(['undo', '--to', '1'])).stderr).toContain('went from iteration 2 to iteration 1 (2 failing)')
    expect((await shop.run(['sessions'])).stdout).toContain('· stands on iteration 1 (2 failing) ·')
    expect((await shop.run(['status'])).stdout).toMatch(/^stands on {2}iteration 1 \(2 failing\)\nfailing {4}FAIL case-1\n {11}FAIL case-2$/m)
    expect((await shop.run(['report'])).stdout).toMatch(/^outcome +exhausted; another state was chosen since, which is unverified\nwhy +a person chose iteration 1 \(2 failing\); it had ended with: .+\npattern +budget too small .+\nstands on +iteration 1 \(2 failing\)\nproved +no$/m)
    expect((await shop.run(['report', '--md'])).stdout).toContain('`a person chose iteration 1 (2 failing); it had ended with: ')
    const { stderr } = await shop.run(['accept'])
    expect(stderr).toMatch(/^warning: iteration 1 does not pass: FAIL case-1, FAIL case-2$/m)
    expect(stderr).toMatch(/^iteration 1, 2 failing \(session exhausted, unverified\): 1 file, 2 lines changed$/m)
    expect(shop.git('log', '-1', '--format=%B')).toContain('\nGreenlatch-Outcome: exhausted, unverified, 2 iterations\nGreenlatch-Result: iteration 1, 2 failing\n')
    expect((await shop.run(['status'])).stdout).toMatch(/^accepted {3}commit [0-9a-f]{40} on main$/m)
    expect(await shop.status()).toMatchObject({ stands_on: 'iteration 1', failing: 2, accepted: true })
  })

  it('that was cancelled before it was checked is accepted with a warning, and with the way to what was.', async () => {
    const shop = makeWorkshop({ n: '2\n' })
    const agent = shop.program('agent', 'cat > /dev/null', 'echo $(($(cat n) - 1)) > n')
    const gate = shop.program('gate', 'for i in $(seq $(cat n)); do echo "FAIL case-$i"; done', '[ "$(cat n)" != 0 ] || sleep 60', 'false')
    const run = shop.start(['run', 'converge', 'x', '--ai-cmd', agent, '--gate', gate])
    await until('the third check', () => shop.starts('gate').length >= 3)
    expect(await shop.run(['stop', '--cancel'])).toMatchObject({ code: 0 })
    await run.ended
    const { stderr } = await shop.run(['accept'])
    expect(stderr).toMatch(/^warning: iteration 2 was never checked; what was checked and did best: {2}greenlatch undo \S+ --to 1$/m)
  })

  it('of a session that was cut off is refused where it is no better than the start, and the way to have it all the same is named.', async () => {
    const shop = makeWorkshop({ n: '1\n' })
    const agent = shop.program('agent', 'cat > /dev/null', 'echo more >> notes; [ "$GREENLATCH_ITERATION" = 1 ] || sleep 60')
    const run = shop.start(['run', 'converge', 'x', '--ai-cmd', agent, '--gate', 'g=echo FAIL case; exit 1'])
    await until('the second ask', () => shop.starts('agent').length >= 2)
    run.send('SIGINT')
    await run.ended
    const head = shop.git('rev-parse', 'HEAD')
    const refused = await shop.run(['accept'])
    expect([refused.code, shop.git('rev-parse', 'HEAD')]).toEqual([2, head])
    expect(refused.stderr).toMatch(/is not over, and iteration 1 is no better than what it began with \(to have it all the same: greenlatch diff \S+ \| git apply\)\n {2}next: greenlatch resume \S+\n$/)
    expect([type(shop, 'greenlatch diff | git apply'), shop.git('status', '--porcelain')]).toEqual([0, '?? notes'])
  })

  it('and taken back by the user is told as not accepted everywhere, and can be accepted again.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    await shop.work([WRITES])
    const { stdout } = await shop.run(['accept'])
    expect((await shop.run(['status', '--short'])).stdout).toContain('· accepted ·')
    shop.git('revert', '--no-edit', stdout.trim())
    expect((await shop.run(['status'])).stdout).toMatch(/^accepted {3}commit [0-9a-f]{40} on main, and taken back since$[^]*greenlatch accept /m)
    for (const words of [['status', '--short'], ['sessions']]) expect((await shop.run(words)).stdout).not.toContain('accepted')
    expect(await shop.status()).toMatchObject({ accepted: false })
    expect((await shop.run(['explain'])).stdout).toContain('greenlatch accept ')
    expect(await shop.run(['accept'])).toMatchObject({ code: 0 })
    expect(await shop.status()).toMatchObject({ accepted: true })
  })

  it('that nobody has checked is not called free of failures.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    await shop.run(['open', 'converge', 'x', '--agent', shop.scripted([WRITES]), '--gate', 'true'])
    await shop.run(['step'])
    expect((await shop.run(['status', '--short'])).stdout).toContain('· not checked ·')
    expect((await shop.run(['status'])).stdout).toMatch(/^failing {4}not checked$/m)
    await shop.work([WRITES])
    expect((await shop.run(['accept'])).stderr).toMatch(/^iteration 1, not checked \(session completed, unverified\): /m)
  })
})
