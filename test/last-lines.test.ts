// What is said at the end, and how lines look: what fails by name, every way on, and words that are whole on a narrow terminal.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI } from './support/cli.js'
import { makeWorkshop, refusal } from './support/repositories.js'

describe('the end of a session that got nowhere', () => {
  it('names what would not go away, on the last screen and in the log, with every way on.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const gate = shop.program('gate', 'for i in 1 2 3 4 5; do echo "FAIL case-$i"; done; exit 1')
    const agent = shop.program('agent', 'cat >/dev/null; echo x >> a')
    const { code, stderr } = await shop.run(['run', 'converge', 'x', '--max-iterations', '2', '--ai-cmd', agent, '--gate', gate])
    expect(code).toBe(4)
    expect(stderr).toMatch(/^ {2}failing: +FAIL case-1, FAIL case-2, FAIL case-3 and 2 more$/m)
    expect(stderr).not.toContain('greenlatch undo')
    const [, resume = ''] = /^ {2}go on: +greenlatch (resume \S+ --max-iterations 4)$/m.exec(stderr) ?? []
    expect((await shop.run(['logs'])).stdout).toMatch(/decided {3}@exhausted by .*; still failing: FAIL case-1, FAIL case-2, FAIL case-3 and 2 more$/m)
    expect((await shop.run(resume.split(' '))).code).toBe(4)
  })

  it('is not sent from redo to undo and back where there is nothing for either.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', 'true'])
    for (const verb of ['undo', 'redo']) expect(refusal(await shop.run([verb]))[2]).toMatch(/^greenlatch status \S+$/)
  })
})

describe('a path to limit a diff to', () => {
  it('that is in neither state is said to be in neither, and from where paths are taken.', async () => {
    const shop = makeWorkshop({ 'sub/a': 'x\n', b: 'b\n' })
    await shop.work([{ write: { 'sub/a': 'y\n' } }])
    mkdirSync(join(shop.repo, 'empty'), { recursive: true })
    const wrong = await shop.run(['diff', '--', 'sub/a'], { cwd: join(shop.repo, 'sub') })
    expect(wrong.stderr).toContain('there is no "sub/sub/a" in start or iteration 1 (paths are taken from the folder you are in)\n')
    const none = await shop.run(['diff', '--iter', '1..1', '--', 'nosuch'])
    expect(none.stderr).toContain('there is no "nosuch" in iteration 1 (paths')
    const same = await shop.run(['diff', '--', 'b'])
    expect(same.stderr).toBe('nothing changed from start to iteration 1\n')
  })
})

describe('on a terminal of 60 columns', () => {
  it.each([['run', '--help'], ['run', 'x']])('no word of %s %s is broken.', (...args) => {
    const shop = makeWorkshop()
    const command = `stty cols 60 rows 24 && '${process.execPath}' '${CLI}' ${args.join(' ')}`
    const env = { PATH: process.env['PATH'], HOME: shop.home, GREENLATCH_STATE_HOME: shop.state }
    const { stdout } = spawnSync('script', ['--quiet', '--command', command, '/dev/null'], { cwd: shop.repo, env, encoding: 'utf8' })
    const long = stdout.split(/\r?\n/).filter((line) => line.length > 60)
    expect(stdout.length).toBeGreaterThan(60)
    expect(long.filter((line) => !/^ {2}(\$ greenlatch|next:)/.test(line))).toEqual([])
  })
})
