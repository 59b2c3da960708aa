// Tests of clean copies: what they hold, what they never hold, and what becomes of them.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundle, run } from '../../files/fixture.js'
import { plainGit, put, stateOf } from '../../git/fixture.js'
import { fromRepository, withFolder, withRepository } from './checkout.fixture.js'
import { checkoutsIn } from './checkout-remove.js'
import { contentsOf, copiesIn, textAt, withCopies } from './copy.fixture.js'
import { createCopies } from './copy.js'
import type { DependencyPlan, SetupPlan } from './copy-dependencies.js'
import { noSandbox } from '../sandbox/none.js'

const FILES = { 'a.txt': 'one\n', 'src/b.txt': 'two\n', '.gitignore': 'node_modules\n.env\nout\n', 'package-lock.json': 'lock\n' }

async function installed(files: Readonly<Record<string, string>> = FILES) {
  const made = await withRepository(files)
  put(made.user, { 'node_modules/left/index.js': 'left', 'node_modules/left/bin.js': 'run', '.env': 'secret' })
  mkdirSync(join(made.user, 'node_modules/.bin'))
  symlinkSync('../left/bin.js', join(made.user, 'node_modules/.bin/left'))
  return made
}

function dependenciesOf(root: string, users: DependencyPlan['users'], setup: SetupPlan | null = null): { dependencies: DependencyPlan } {
  return { dependencies: { room: join(root, 'state/deps'), session: 's-1', users, setup } }
}

function setupPlan(argv: readonly [string, ...string[]], log: string): SetupPlan {
  return { argv, below: '', limits: { wallSeconds: 60, silenceSeconds: 60, outputBytes: 100_000 }, log, sandbox: noSandbox() }
}

describe('a clean copy', () => {
  it('holds exactly the tree and the dependencies the session began with, whatever lies ignored in the checkout', async () => {
    const { copies, checkout, take, user } = await withCopies(await installed())
    const tree = await take({ 'a.txt': 'changed\n', 'new/c.txt': 'three\n', '.env': 'set by an agent', 'out/x': 'x' })
    writeFileSync(join(checkout, 'node_modules/left/index.js'), 'by an agent')
    rmSync(join(checkout, 'node_modules/.bin/left'))
    symlinkSync('/bin/true', join(checkout, 'node_modules/.bin/left'))
    const before = stateOf(user)
    const { top: cwd, notices } = await copies.copy(tree, 'a test')
    const modes = Object.keys(contentsOf(cwd))
    expect(modes).toEqual([
      '.gitignore', 'a.txt', 'new', 'new/c.txt', 'node_modules', 'node_modules/.bin', 'node_modules/.bin/left', 'node_modules/left',
      'node_modules/left/bin.js', 'node_modules/left/index.js', 'package-lock.json', 'src', 'src/b.txt',
    ])
    expect([textAt(cwd, 'a.txt'), textAt(cwd, 'node_modules/left/index.js')]).toEqual(['changed\n', 'left'])
    expect([readlinkSync(join(cwd, 'node_modules/.bin/left')), notices]).toEqual(['../left/bin.js', []])
    expect(cwd.startsWith(checkout) && !cwd.startsWith(`${checkout}/`)).toBe(true)
    expect(stateOf(user)).toEqual(before)
  })

  it('keeps rights, links, odd names and read-only files; a submodule is an empty folder', async () => {
    const made = await installed()
    const odd = Buffer.from(`${made.user}/caf\xe9\n"`, 'latin1')
    writeFileSync(odd, 'odd')
    writeFileSync(join(made.user, 'run'), '#!/bin/sh\n')
    chmodSync(join(made.user, 'run'), 0o755)
    chmodSync(join(made.user, 'a.txt'), 0o444)
    chmodSync(join(made.user, 'node_modules/left/index.js'), 0o400)
    symlinkSync('../a.txt', join(made.user, 'src/link'))
    plainGit(made.user, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
    mkdirSync(join(made.user, 'sub'))
    plainGit(made.user, 'add', 'run', 'src/link', '--', ':(glob)caf*')
    plainGit(made.user, 'commit', '-qm', 'odd')
    const { copies, request } = await withCopies(await fromRepository(made.user, made.root))
    const { top: cwd } = await copies.copy(request.start, 'a test')
    const modeOf = (path: string): number => lstatSync(join(cwd, path)).mode & 0o777
    expect([modeOf('run') & 0o100, modeOf('node_modules/left/index.js')]).toEqual([0o100, 0o400])
    expect([readlinkSync(join(cwd, 'src/link')), lstatSync(join(cwd, 'sub')).isDirectory()]).toEqual(['../a.txt', true])
    expect(readFileSync(Buffer.from(`${cwd}/caf\xe9\n"`, 'latin1'), 'utf8')).toBe('odd')
  })

  it('has a repository as the checkout has: the same commit, the same history, and the work as changes', async () => {
    const { copies, checkout, take, user } = await withCopies(await installed())
    plainGit(user, 'tag', 'v1')
    const tree = await take({ 'a.txt': 'changed\n', 'c.txt': 'new\n' })
    const { top: cwd } = await copies.copy(tree, 'a test')
    const looks = (folder: string): string[] => [
      plainGit(folder, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
      plainGit(folder, 'status', '--porcelain'),
      plainGit(folder, 'log', '--format=%s'),
    ]
    expect(looks(cwd)).toEqual(looks(checkout))
    expect(looks(cwd)[1]).toBe(' M a.txt\n?? c.txt')
    plainGit(cwd, 'add', '-A')
    plainGit(cwd, 'commit', '-qm', 'by a gate')
    expect(plainGit(user, 'log', '--all', '--format=%s')).toBe('first')
  })

  it('is made of a folder without git as a whole, dependencies of the folder below that is worked in included', async () => {
    const made = await withFolder({ 'a.txt': 'one\n', 'pkg/b.txt': 'two\n' })
    put(made.user, { 'pkg/node_modules/x/index.js': 'x' })
    const { copies, take, room } = await withCopies(made, { below: 'pkg' })
    const { top } = await copies.copy(await take({ 'pkg/b.txt': 'changed\n' }), 'a test')
    expect(top).toBe(join(room, 's-1.copy-1'))
    expect([textAt(top, 'pkg/b.txt'), textAt(top, 'pkg/node_modules/x/index.js')]).toEqual(['changed\n', 'x'])
    expect(plainGit(top, 'status', '--porcelain')).toContain(' M pkg/b.txt')
  })

  it('has the folder that is worked in even where the tree has none, and refuses a link there', async () => {
    const { copies, take, checkout } = await withCopies(await installed(), { below: 'src' })
    rmSync(join(checkout, 'src'), { recursive: true })
    expect(lstatSync((await copies.copy(await take(), 'a test')).top).isDirectory()).toBe(true)
    symlinkSync('/etc', join(checkout, 'src'))
    await expect(copies.copy(await take(), 'a test')).rejects.toMatchObject({ name: 'Refusal', code: 6 })
  })

  it('in a session that works in place has the dependencies from before any agent worked there', async () => {
    const made = await installed()
    const { copies, request } = await withCopies(made, dependenciesOf(made.root, { folder: made.user, by: 'agents' }))
    writeFileSync(join(made.user, 'node_modules/left/index.js'), 'by an agent')
    const { top: cwd, notices } = await copies.copy(request.start, 'a test')
    expect([textAt(cwd, 'node_modules/left/index.js'), notices]).toEqual(['left', []])
    rmSync(join(made.root, 'state/deps'), { recursive: true })
    const second = await copies.copy(request.start, 'a test')
    expect(textAt(second.top, 'node_modules/left/index.js')).toBe('by an agent')
    expect(second.notices).toEqual([expect.stringContaining('where agents have worked')])
  })

  it('has no history, and says so, when the user’s repository is gone', async () => {
    const { copies, take, user } = await withCopies(await installed())
    const tree = await take({ 'a.txt': 'changed\n' })
    rmSync(join(user, '.git'), { recursive: true })
    const { top: cwd, notices } = await copies.copy(tree, 'a test')
    expect(notices).toEqual([expect.stringContaining('the clean copy has no history')])
    expect([plainGit(cwd, 'status', '--porcelain'), plainGit(cwd, 'rev-list', '--count', 'HEAD')]).toEqual([' M a.txt', '1'])
  })
})

describe('dependencies of a clean copy', () => {
  it('are the user’s from the beginning when the lockfile has changed and no command makes others, and that is said', async () => {
    const { copies, take, user } = await withCopies(await installed())
    writeFileSync(join(user, 'node_modules/left/index.js'), 'installed later')
    const { top: cwd, notices } = await copies.copy(await take({ 'package-lock.json': 'changed\n' }), 'a test')
    expect(textAt(cwd, 'node_modules/left/index.js')).toBe('left')
    expect(notices).toEqual([expect.stringMatching(/^package-lock\.json is not the one your dependencies were installed for/)])
  })

  it('are made by the command in a copy that is thrown away, once for each state of the lockfiles', async () => {
    const made = await installed()
    const log = join(made.root, 'ran')
    const script = `echo "$PWD" >> '${log}'; mkdir -p node_modules; cat package-lock.json > node_modules/made`
    const setup = setupPlan(['/bin/sh', '-c', `${script}; echo left-over > out.txt; echo no > a.txt`], join(made.root, 'log'))
    const { copies, take, room } = await withCopies(made, dependenciesOf(made.root, null, setup))
    const first = await copies.copy(made.request.start, 'a test')
    expect([textAt(first.top, 'node_modules/made'), existsSync(join(first.top, 'out.txt'))]).toEqual(['lock\n', false])
    expect(textAt(first.top, 'a.txt')).toBe('one\n')
    await first.remove()
    const second = await copies.copy(await take({ 'package-lock.json': 'changed\n' }), 'a test')
    expect([textAt(second.top, 'node_modules/made'), second.notices]).toEqual(['changed\n', []])
    await copies.copy(made.request.start, 'a test')
    expect(readFileSync(log, 'utf8')).toBe(`${join(room, 's-1.copy-1')}\n`.repeat(2))
  })

  it('are those of the beginning when the command fails, and that is said', async () => {
    const made = await installed()
    const script = 'mkdir node_modules; echo half > node_modules/x; echo no network >&2; exit 3'
    const setup = setupPlan(['/bin/sh', '-c', script], join(made.root, 'log'))
    const { copies, take } = await withCopies(made, dependenciesOf(made.root, { folder: made.user, by: 'agents' }, setup))
    const { top: cwd, notices } = await copies.copy(await take({ 'package-lock.json': 'changed\n' }), 'a test')
    expect([existsSync(join(cwd, 'node_modules/x')), textAt(cwd, 'node_modules/left/index.js')]).toEqual([false, 'left'])
    expect(notices).toEqual([expect.stringMatching(/^setup failed in a clean copy \(exit 3: no network\)/)])
    expect(textAt(made.root, 'log.stderr')).toBe('no network\n')
  })
})

describe('a copy that cannot be made', () => {
  it('is named in one line, and what was made of it is gone', async () => {
    const { copies, request, room, plan } = await withCopies(await installed())
    const files = join(plan.dependencies.room, readdirSync(plan.dependencies.room)[0] ?? '', 'files/node_modules')
    run(['mount', '-t', 'tmpfs', '-o', 'size=64k,nr_inodes=12', 'tmpfs', room])
    onTestFinished(() => void run(['umount', room]))
    await expect(copies.copy(request.start, 'a test')).rejects.toMatchObject({ code: 10, message: expect.stringMatching(/no space/i) })
    expect([copiesIn(room), existsSync(files)]).toEqual([[], true])
  })

  it('since its command was stopped on request comes without waiting for it', async () => {
    const made = await installed()
    const started = join(made.root, 'started')
    const setup = setupPlan(['/bin/sh', '-c', `touch '${started}'; sleep 1000`], join(made.root, 'log'))
    const { copies, take } = await withCopies(made, dependenciesOf(made.root, { folder: made.user, by: 'agents' }, setup))
    const stop = new AbortController()
    const watch = setInterval(() => existsSync(started) && stop.abort(), 20)
    onTestFinished(() => clearInterval(watch))
    const { notices } = await copies.copy(await take({ 'package-lock.json': 'changed\n' }), 'a test', stop.signal)
    expect(notices).toEqual([expect.stringContaining('stopped on request')])
  })
})

describe('what becomes of copies', () => {
  it('several are apart, and all are gone at the end', async () => {
    const { copies, request, take, room } = await withCopies(await installed())
    const [one, other] = [await copies.copy(request.start, 'a test'), await copies.copy(await take({ 'a.txt': 'x' }), 'a test')]
    expect([textAt(one.top, 'a.txt'), textAt(other.top, 'a.txt')]).toEqual(['one\n', 'x'])
    for (const copy of [one, other, one]) await copy.remove()
    await copies.close()
    expect(copiesIn(room)).toEqual([])
    expect(checkoutsIn(room).map(({ session }) => session)).toEqual(['s-1'])
  })

  it('what a killed process left is removed by the next one, wherever it was killed', { timeout: 90_000 }, async () => {
    const { plan, request, room, root } = await withCopies(await installed())
    writeFileSync(join(root, 'plan.json'), JSON.stringify({ plan, tree: request.start }))
    const child = bundle(`import { readFileSync } from 'node:fs'
import { createCopies } from './adapters/workspace/copy.js'
const { plan, tree } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const copy = await createCopies(plan).copy(tree, 'a test')
process.kill(process.pid, 'SIGKILL')`)
    // Its own renames alone: the mark, the rules, the folder, the mark, the mark, the dependencies.
    for (const inject of [[], ['rename:signal=SIGKILL:when=3'], ['rename:signal=SIGKILL:when=6']]) {
      const flags = inject.flatMap((what) => ['-e', `inject=${what}`])
      const command = ['-qq', '-o', '/dev/null', '-e', 'trace=rename', ...flags, 'node', child, join(root, 'plan.json')]
      const { signal } = spawnSync('strace', command)
      expect([signal, copiesIn(room).length > 0]).toEqual(['SIGKILL', true])
      const copies = createCopies(plan)
      expect(copiesIn(room)).toEqual([])
      const { top: cwd, remove } = await copies.copy(request.start, 'a test')
      expect(textAt(cwd, 'node_modules/left/index.js')).toBe('left')
      await remove()
      await copies.close()
    }
  })

  it('nothing else that lies beside them is touched, and something of others in their place is refused', async () => {
    const { plan, room, copies, request } = await withCopies(await installed())
    put(room, { 's-1.copy-9/mine': 'x', 's-2.copy-1/theirs': 'x', 's-1.copy-1/mine': 'x' })
    createCopies(plan)
    expect(copiesIn(room)).toEqual(['s-1.copy-1', 's-1.copy-9', 's-2.copy-1'])
    await expect(copies.copy(request.start, 'a test')).rejects.toThrow('carries no mark')
  })
})
