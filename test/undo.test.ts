// `diff`, `undo` and `redo`: what each iteration did, the way back and forward through them, and that nothing is lost on it.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, eventsOf, until, type Place } from './support/cli.js'
import { makeWorkshop, refusal, tryGit, workedOnce, type Workshop } from './support/repositories.js'

const TURNS = [{ write: { a: 'one\n' } }, { write: { b: 'two\n' } }, { write: { a: 'three\n' } }]
const worked = workedOnce(TURNS, { a: 'zero\n' })

function checkout(place: Place): string {
  const session = place.session()
  return join(dirname(dirname(session)), 'checkouts', basename(session))
}

async function said(shop: Workshop, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await shop.run(args)
  expect([code, stderr.startsWith('greenlatch:')]).toEqual([0, false])
  return stdout.trim()
}

describe('a session whose candidate kept a gate from running', () => {
  it('goes on by itself: that candidate has failed, and the next one is asked for.', async () => {
    const shop = makeWorkshop({ 'lib/tool': '#!/bin/sh\nexec test -e fixed\n' })
    const agent = shop.program('agent', 'cat > /dev/null', 'if [ -e "$ROOT/broke" ]; then touch fixed; else rm lib/tool; touch "$ROOT/broke"; fi')
    chmodSync(join(shop.repo, 'lib/tool'), 0o755)
    shop.git('commit', '-qam', 'to be run')
    const ended = await shop.run(['run', 'converge', 'x', '--gate', 't=D=lib; "$D/tool"', '--ai-cmd', agent])
    expect([ended.code, shop.starts('agent').length, (await shop.status())['iteration']]).toEqual([0, 3, 3])
  })
})

describe('diff', () => {
  it('GL-02 shows the way from the start to the result, what one iteration did, and what lies between two places.', async () => {
    const { shop } = await worked()
    const patches = await Promise.all([[], ['--iter', '2'], ['--iter', '1..3'], ['--iter', 'last..start']].map((args) => said(shop, 'diff', ...args)))
    const lines = patches.map((patch) => patch.split('\n').filter((line) => /^[+-][^+-]/.test(line)))
    expect(lines).toEqual([['-zero', '+three', '+two'], ['+two'], ['-one', '+three', '+two'], ['-three', '+zero', '-two']])
    expect(shop.git('status', '--porcelain')).toBe('')
  })

  it('is a patch that git takes, byte for byte, whatever is in it.', async () => {
    const shop = makeWorkshop({ a: 'x\n' })
    const agent = shop.program('odd', String.raw`printf '\000\377bin' > bin; printf 'caf\351\n\033[31m' > latin; printf y > "$(printf 'new\nline')"; chmod +x a`)
    expect((await shop.run(['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent])).code).toBe(0)
    const { status } = tryGit(shop.repo, ['apply', '--index', '-'], {}, rawDiff(shop))
    expect(status).toBe(0)
    expect([...readFileSync(join(shop.repo, 'bin'))]).toEqual([0, 255, 98, 105, 110])
    expect(readFileSync(join(shop.repo, 'latin'), 'latin1')).toBe('caf\xe9\n\x1b[31m')
    const shown = await shop.startInTerminal(['diff', '--', 'latin']).ended
    expect(shown.stdout).toContain('+caf')
    expect(shown.stdout).not.toContain('\x1b[31m')
  })

  it('is limited to paths, as they are named where one stands.', async () => {
    const shop = makeWorkshop({ 'sub/a': 'x\n', '-a': 'x\n' })
    await shop.work([{ write: { 'sub/a': 'y\n', '-a': 'z\n', b: 'b\n' } }])
    expect(await said(shop, 'diff', '--stat', '--', 'sub')).toBe('modified            +1 −1  sub/a')
    expect(await said(shop, 'diff', '--stat', '--', '-a', 'b')).toBe('modified            +1 −1  -a\nadded               +1 −0  b')
    const inside = await shop.run(['diff', '--stat', '--', 'a'], { cwd: join(shop.repo, 'sub') })
    expect(inside.stdout).toBe('modified            +1 −1  sub/a\n')
    expect(await said(shop, 'diff', '--', 'nothing')).toBe('')
    expect((await said(shop, 'diff', '--', '-a')).match(/^diff /gm)).toHaveLength(1)
  })

  it('is told to programs as a list of changes.', async () => {
    const { shop, id: session } = await worked()
    expect(JSON.parse(await said(shop, 'diff', '--json'))).toMatchObject({
      session,
      from: { name: 'start', iteration: 0 },
      to: { name: 'iteration 3', iteration: 3 },
      changes: [{ status: 'modified', path: 'a', added: 1, removed: 1, old_mode: '100644', new_mode: '100644' }, { status: 'added', path: 'b', added: 1, removed: 0 }],
      added: 2,
      removed: 1,
    })
    expect((await said(shop, 'diff', '--output', 'jsonl')).split('\n').map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(['a', 'b'])
  })

  it('refuses what it cannot make sense of, in one line with the next command.', async () => {
    const { shop, id } = await worked()
    const cases: [string[], string][] = [
      [['--iter', '4'], `session ${id} has no place "4": it has start, 1 to 3, last`],
      [['--iter', '1..best'], 'has no place "best"'],
      [['--iter', 'salvage/1'], 'has no place "salvage/1"'],
      [['--iter', '0'], 'nothing led to the start'],
      [['--iter', '1..'], 'has no place "1.."'],
      [['--iter', ''], 'has no place ""'],
      [['nonsense'], '"nonsense" is neither a session nor a file that is here: paths'],
      [[id, 'a'], '"a": paths come after --'],
      [['--', '../out'], 'is not inside'],
      [['--', ''], 'is not inside'],
    ]
    for (const [args, message] of cases) {
      expect(refusal(await shop.run(['diff', ...args]))).toEqual([2, expect.stringContaining(message), expect.stringContaining('greenlatch ')])
    }
  })
})

/** Not as text, which would change what is none. */
function rawDiff(shop: Workshop): Buffer {
  const env = { PATH: process.env['PATH'], HOME: shop.home, GREENLATCH_STATE_HOME: shop.state }
  return spawnSync(process.execPath, [CLI, 'diff'], { cwd: shop.repo, env }).stdout
}

describe('undo and redo', () => {
  it('GL-02 go back and forward through the iterations, and the checkout with them.', async () => {
    const { shop, id } = await worked()
    const files = (): unknown => [readFileSync(join(checkout(shop), 'a'), 'utf8'), existsSync(join(checkout(shop), 'b'))]
    const before = shop.everything()
    expect(await said(shop, 'undo')).toBe('iteration 2 (unverified)')
    expect(files()).toEqual(['one\n', true])
    expect(await said(shop, 'undo')).toBe('iteration 1 (unverified)')
    expect(await said(shop, 'undo')).toBe('start (unverified)')
    expect(files()).toEqual(['zero\n', false])
    expect(refusal(await shop.run(['undo']))).toEqual([2, `session ${id} stands on its start: there is nothing to undo`, `greenlatch redo ${id}`])
    for (const number of [1, 2, 3]) expect(await said(shop, 'redo')).toBe(`iteration ${number} (unverified)`)
    expect(files()).toEqual(['three\n', true])
    expect(refusal(await shop.run(['redo']))).toEqual([2, `nothing was undone in session ${id}`, `greenlatch undo ${id}`])
    expect(await said(shop, 'undo', '--to', '1')).toBe('iteration 1 (unverified)')
    expect(await said(shop, 'undo', '--to', 'last')).toBe('iteration 3 (unverified)')
    expect(refusal(await shop.run(['undo', '--to', '3'])).slice(0, 2)).toEqual([2, `session ${id} stands on iteration 3 already`])
    expect(refusal(await shop.run(['undo', '--to', '7'])).slice(0, 2)).toEqual([2, expect.stringContaining('has no place "7"')])
    expect(shop.everything()).toEqual(before)
  })

  it('decide what is delivered, shown and accepted.', async () => {
    const { shop, id } = await worked()
    const { stdout } = await shop.run(['undo', '--to', '2', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ session: id, from: { iteration: 3 }, to: { iteration: 2 }, label: 'unverified', salvage: null, redo: 1 })
    expect(await said(shop, 'diff', '--stat')).toBe('modified            +1 −1  a\nadded               +1 −0  b')
    await said(shop, 'accept')
    expect([shop.file('a'), shop.file('b')]).toEqual(['one\n', 'two\n'])
  })

  it('GL-02 pass over what was tried and not kept.', async () => {
    const shop = makeWorkshop({ n: '9\n' })
    const gate = shop.program('gate', 'for i in $(seq $(cat n)); do echo "FAIL case-$i"; done; test "$(cat n)" = 0')
    const agent = shop.scripted([{ write: { n: '2\n' } }, { write: { n: '5\n' } }, { write: { n: '1\n' } }])
    expect((await shop.run(['run', 'converge', '--max-iterations', '3', '--agent', agent, '--gate', gate])).code).toBe(4)
    const restored = eventsOf(shop.session()).flatMap((event) => (event.type === 'decided' && event.decision.restore ? [event.decision.restore.iteration] : []))
    expect(restored).toEqual([1])
    expect([await said(shop, 'undo'), readFileSync(join(checkout(shop), 'n'), 'utf8')]).toEqual(['iteration 1 (unverified)', '2\n'])
    expect([await said(shop, 'undo', '--to', 'best'), readFileSync(join(checkout(shop), 'n'), 'utf8')]).toEqual(['iteration 3 (unverified)', '1\n'])
  })

  it('keep what stands in the checkout and is in no iteration.', async () => {
    const { shop } = await worked()
    writeFileSync(join(checkout(shop), 'precious'), 'by hand\n')
    const { stderr } = await shop.run(['undo'])
    expect(stderr).toContain('what stood there was in no iteration and is kept as salvage/1')
    expect(existsSync(join(checkout(shop), 'precious'))).toBe(false)
    expect(await said(shop, 'diff', '--iter', 'last..salvage/1')).toContain('+by hand')
    expect(await said(shop, 'undo', '--to', 'salvage/1')).toBe('salvage/1 (unverified)')
    expect(readFileSync(join(checkout(shop), 'precious'), 'utf8')).toBe('by hand\n')
    expect(refusal(await shop.run(['undo'])).slice(0, 2)).toEqual([2, 'no iteration led to salvage/1, so there is none before it'])
  })

  it("work in the user's own folder when the session did, and keep what they have written since.", async () => {
    const shop = makeWorkshop({ a: 'zero\n', '.gitignore': '*.ign\n' })
    shop.put({ 'x.ign': 'ignored\n' })
    await shop.work(TURNS, '--in-place')
    shop.put({ mine: 'since\n' })
    const index = readFileSync(join(shop.repo, '.git/index'))
    const { stdout, stderr } = await shop.run(['undo', '--to', 'start'])
    expect([stdout, stderr]).toEqual(['start (unverified)\n', expect.stringContaining('is kept as salvage/1')])
    expect(readFileSync(join(shop.repo, '.git/index'))).toEqual(index)
    expect([shop.file('a'), existsSync(join(shop.repo, 'mine')), shop.file('x.ign'), shop.git('status', '--porcelain')]).toEqual(['zero\n', false, 'ignored\n', ''])
    expect(await said(shop, 'undo', '--to', 'salvage/1')).toBe('salvage/1 (unverified)')
    expect(shop.file('mine')).toBe('since\n')
  })

  it('give a resumed session the tree it goes on from, also one that was cut off in the middle.', async () => {
    const shop = makeWorkshop({ log: '' })
    const agent = shop.program('agent', 'echo "$(wc -l < log)" >> log; test "$(wc -l < log)" -lt 3 || test -e "$ROOT/go" || sleep 60')
    const running = shop.start(['run', 'ooda', 'x', '--max-iterations', '4', '--ai-cmd', agent])
    await running.says(/Iteration 3\/4 starting/)
    await until('the third line of the log', () => readFileSync(join(checkout(shop), 'log'), 'utf8').split('\n').length > 3)
    running.send('SIGINT')
    await running.ended
    expect(await said(shop, 'undo')).toBe('iteration 1')
    expect(readFileSync(join(checkout(shop), 'log'), 'utf8')).toBe('0\n')
    writeFileSync(join(shop.root, 'go'), '')
    const { code } = await shop.run(['resume'])
    expect(code).toBe(0)
    expect(await said(shop, 'diff', '--iter', '1..last')).toMatch(/\+1\n\+2$/m)
    const stood = eventsOf(shop.session()).flatMap((event) => (event.type === 'asked' && event.effect.kind === 'ask' ? [[event.effect.iteration, event.effect.id]] : []))
    expect(stood).toEqual([[1, '1.act'], [2, '2.act'], [3, '3.act'], [3, '4.act'], [4, '5.act']])
    expect(refusal(await shop.run(['redo'])).slice(0, 2)).toEqual([2, expect.stringContaining('has gone on since the undo')])
  })

  it('need no checkout: one that is not there is made when the session goes on.', async () => {
    const { shop } = await worked()
    await said(shop, 'clean', '--yes')
    expect(await said(shop, 'undo')).toBe('iteration 2 (unverified)')
    expect(existsSync(checkout(shop))).toBe(false)
  })

  it('need neither the agent nor the script that it had.', async () => {
    const { shop } = await worked()
    renameSync(join(shop.root, 'script.json'), join(shop.root, 'gone.json'))
    expect(await said(shop, 'undo')).toBe('iteration 2 (unverified)')
    await said(shop, 'accept')
    expect(shop.file('a')).toBe('one\n')
  })

  it('are refused where there is no session, with the next command.', async () => {
    const shop = makeWorkshop()
    const none = [2, 'there is no session here yet', 'greenlatch run --help']
    for (const command of ['undo', 'redo', 'diff', 'accept']) expect(refusal(await shop.run([command]))).toEqual(none)
    for (const command of ['undo', 'redo']) expect(refusal(await shop.run([command, 'x', 'y']))[0]).toBe(2)
  })
})

