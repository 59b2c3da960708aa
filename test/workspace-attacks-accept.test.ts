// What of the user's could be lost by accepting a result: each is refused or kept, and nothing is said that is not so.
import { chmodSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hook, makeWorkshop, refusal, type Workshop } from './support/repositories.js'

const FLAGS = ['assume-unchanged', 'skip-worktree'] as const

/** An edit of the same size and, to the second, of the same time as the commit: only by reading the file can it be told. */
function editUnseen(shop: Workshop, path: string, text: string): void {
  const { mtimeMs } = statSync(join(shop.repo, path))
  shop.put({ [path]: text })
  for (const touched of [path, '.git/index']) utimesSync(join(shop.repo, touched), Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000))
}

describe('a file that git is told to take for unchanged', () => {
  async function hiding(flag: string, ...args: readonly string[]): Promise<Workshop> {
    const shop = makeWorkshop({ a: 'one\n', b: 'b\n' })
    shop.git('config', 'core.trustctime', 'false')
    shop.git('update-index', `--${flag}`, 'a')
    if (args.length > 0) shop.put({ b: 'dirty\n' })
    await shop.work([{ write: { a: 'result\n' } }], ...args)
    return shop
  }

  it.each(FLAGS)('is not overwritten when it was edited (%s).', async (flag) => {
    const shop = await hiding(flag)
    editUnseen(shop, 'a', 'two\n')
    const [code, message, next] = refusal(await shop.run(['accept']))
    expect([code, message]).toEqual([2, '"a" of yours would be overwritten and is not committed; git is told to take it for unchanged'])
    expect(next).toContain(`git update-index --no-${flag} a`)
    expect([shop.file('a'), shop.git('log', '--oneline').split('\n').length]).toEqual(['two\n', 1])
  })

  it.each(FLAGS)('lets the result through when it was not (%s).', async (flag) => {
    const shop = await hiding(flag)
    expect(await shop.run(['accept'])).toMatchObject({ code: 0 })
    expect([shop.file('a'), shop.git('status', '--porcelain')]).toEqual(['result\n', ''])
  })

  it.each(FLAGS)('counts as it stands where files alone are changed (%s).', async (flag) => {
    const shop = makeWorkshop({ a: 'one\ntwo\nthree\nfour\nfive\n', b: 'b\n' })
    shop.git('config', 'core.trustctime', 'false')
    shop.git('update-index', `--${flag}`, 'a')
    editUnseen(shop, 'a', 'ONE\ntwo\nthree\nfour\nfive\n')
    const id = await shop.work([{ write: { a: 'ONE\ntwo\nthree\nfour\nFIVE\n' } }], '--dirty', 'include')
    expect((await shop.run(['diff', id, '--iter', 'start..1'])).stdout).not.toContain('-one')
    expect(await shop.run(['accept'])).toMatchObject({ code: 0 })
    expect(shop.file('a')).toBe('ONE\ntwo\nthree\nfour\nFIVE\n')
  })
})

describe('a file that goes through a filter', () => {
  async function notebook(): Promise<Workshop> {
    const shop = makeWorkshop({ '.gitattributes': '*.nb filter=strip\n*.big filter=gone\n', b: 'b\n' })
    shop.git('config', 'filter.strip.clean', "sed '/^out/d'")
    shop.git('config', 'filter.strip.smudge', 'cat')
    shop.put({ 'x.nb': 'code\nout 1\n', 'y.nb': 'code\nout 2\n', 'run.nb': 'code\nout 3\n', 'z.big': 'z\n' })
    chmodSync(join(shop.repo, 'run.nb'), 0o755)
    // Older than the index, as files are that nobody has touched for a while.
    for (const path of ['x.nb', 'y.nb', 'run.nb', 'z.big']) utimesSync(join(shop.repo, path), 1000, 1000)
    shop.commit('notebooks')
    expect([shop.git('show', 'HEAD:x.nb'), shop.file('x.nb')]).toEqual(['code', 'code\nout 1\n'])
    shop.put({ b: 'dirty\n' })
    const agent = shop.program('agent', 'cat > /dev/null', 'echo more >> x.nb; echo more >> run.nb; ls -l run.nb > "$ROOT/mode"; echo done')
    const run = ['run', 'ooda', 'x', '--max-iterations', '1', '--ai-cmd', agent, '--dirty', 'include']
    expect(await shop.run(run)).toMatchObject({ code: 0 })
    return shop
  }

  it('is worked on as it stands, and accepting leaves what only the filter would take out of it.', async () => {
    const shop = await notebook()
    expect(shop.read('mode')).toMatch(/^-rwx/)
    expect(await shop.run(['accept'])).toMatchObject({ code: 0 })
    expect(['x.nb', 'y.nb', 'run.nb'].map((path) => shop.file(path))).toEqual(['code\nout 1\nmore\n', 'code\nout 2\n', 'code\nout 3\nmore\n'])
    expect(shop.git('diff', '--name-only').split('\n')).toEqual(['b', 'run.nb', 'x.nb'])
  })

  it('is not committed to a branch without its filter.', async () => {
    const shop = await notebook()
    const [code, message, next] = refusal(await shop.run(['accept', '--branch', 'result']))
    expect([code, next]).toEqual([2, expect.stringContaining('greenlatch accept')])
    expect(message).toContain('the filter "strip" would store')
    expect(shop.git('branch', '--list', 'result')).toBe('')
  })
})

describe('a hook that fails', () => {
  it('is said to have left what it wrote itself, and nothing else is left.', async () => {
    const shop = makeWorkshop()
    await shop.work([{ write: { a: 'result\n' } }])
    shop.put({ 'mine.txt': 'mine\n' })
    hook(shop, 'pre-commit', 'echo log > hook.log; echo formatted >> sub/b; echo formatted >> a; exit 1')
    const { code, stderr } = await shop.run(['accept', '--hooks'])
    expect(code).toBe(1)
    expect(stderr).toContain('all is as it was but for what they wrote themselves ("hook.log", "sub/b")')
    expect(shop.git('status', '--porcelain').split('\n')).toEqual([' M sub/b', '?? hook.log', '?? mine.txt'])
    hook(shop, 'pre-commit', 'exit 1')
    expect((await shop.run(['accept', '--hooks'])).stderr).toContain('all is as it was: ')
  })
})
