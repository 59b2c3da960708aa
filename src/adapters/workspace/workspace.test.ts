// Tests of a session's workspace on real files and a real store: checkpoints, what is put back, and the scope of a candidate.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Effect, Posture } from '../../core/types.js'
import { plainGit, put, tryGit } from '../../git/fixture.js'
import type { Workspace } from '../../ports.js'
import type { ScopeRules } from '../../text/scope.js'
import { keep } from './salvage.js'
import { snapshot } from './snapshot.js'
import { bench, filesOf, type Bench } from './store.fixture.js'
import { createWorkspace, type WorkspaceOptions } from './workspace.js'

type Ask = Extract<Effect, { kind: 'ask' }>
type Ground = Bench & { workspace: Workspace; start: string; ask: (n: number, tree: string, posture?: Partial<Posture>) => Ask; file: (path: string) => string }

const FILES = { 'src/a.ts': 'one\n', 'src/b.ts': 'two\n', 'docs/c.md': 'three\n' }
const OPEN: ScopeRules & { mode: 'block' } = { allow: [], deny: [], files: 0, lines: 0, mode: 'block' }

async function ground(scope: Partial<WorkspaceOptions['scope']> = {}, files: Readonly<Record<string, string>> = FILES): Promise<Ground> {
  const place = await bench(files)
  const { tree: start } = await snapshot(place.site)
  await keep(place.store, { session: 's', name: 'start', tree: start, parents: [], message: 'start', at: 0 })
  const workspace = createWorkspace({
    ...place.site, base: start, session: 's', openedAt: 0, cwd: place.folder, start, scope: { ...OPEN, ...scope }, acts: {},
  })
  const ask = (n: number, tree: string, posture: Partial<Posture> = {}): Ask => ({
    kind: 'ask', id: `${n}.make`, phase: 'make', iteration: n, plan: 0, tree, pins: start, base: '', opensIteration: true, opensPlan: false, role: 'implementer',
    answers: 'implementer', yields: 'candidate', turn: n, hints: [], nonce: '', decides: false, posture: { stance: null, focus: null, scope: null, roles: {}, ...posture },
  })
  return { ...place, workspace, start, ask, file: (path) => readFileSync(join(place.folder, path), 'utf8') }
}

function refsIn({ store }: Bench): string[] {
  return plainGit(store.path, 'for-each-ref', '--format=%(refname:lstrip=3)').split('\n')
}

describe('a checkpoint', () => {
  it('GL-02 is kept under the number of its effect, whole, and is the same when it is made again.', async () => {
    const place = await ground()
    put(place.folder, { 'src/a.ts': 'changed\n', 'src/new.ts': 'new\n' })
    const { tree, failures } = await place.workspace.keep(place.ask(3, place.start))
    expect(failures).toEqual([])
    expect(filesOf(place.store, tree)).toEqual({
      'docs/c.md': '100644 three', 'src/a.ts': '100644 changed', 'src/b.ts': '100644 two', 'src/new.ts': '100644 new',
    })
    const before = plainGit(place.store.path, 'rev-parse', 'refs/greenlatch/s/checkpoints/3')
    expect(await place.workspace.keep(place.ask(3, place.start))).toMatchObject({ tree })
    expect(plainGit(place.store.path, 'rev-parse', 'refs/greenlatch/s/checkpoints/3')).toBe(before)
    expect(refsIn(place)).toEqual(['checkpoints/3', 'start'])
  })

  it('is not made of a folder that stands as it did.', async () => {
    const place = await ground()
    expect(await place.workspace.keep(place.ask(1, place.start))).toEqual({ tree: place.start, failures: [], notices: [], changed: '', pins: null, planted: [] })
    expect(refsIn(place)).toEqual(['start'])
  })

  it('holds what an agent changes in node_modules where that is tracked, or new and not ignored.', async () => {
    const place = await ground({}, { ...FILES, '.gitignore': '/node_modules/\n', 'pkg/node_modules/lib.js': 'tracked\n' })
    put(place.folder, { 'node_modules/many.js': 'ignored\n' })
    await place.workspace.stand({ tree: place.start, iteration: 0 }, 'first')
    put(place.folder, { 'node_modules/many.js': 'changed\n' })
    expect(await place.workspace.keep(place.ask(1, place.start))).toMatchObject({ tree: place.start })
    put(place.folder, { 'pkg/node_modules/lib.js': 'changed\n' })
    const first = await place.workspace.keep(place.ask(2, place.start))
    expect(filesOf(place.store, first.tree)['pkg/node_modules/lib.js']).toBe('100644 changed')
    put(place.folder, { 'other/node_modules/new.js': 'new\n' })
    const second = await place.workspace.keep(place.ask(3, first.tree))
    expect(filesOf(place.store, second.tree)['other/node_modules/new.js']).toBe('100644 new')
    put(place.folder, { 'other/node_modules/new.js': 'changed\n' })
    const third = await place.workspace.keep(place.ask(4, second.tree))
    expect(filesOf(place.store, third.tree)['other/node_modules/new.js']).toBe('100644 changed')
    put(place.folder, { '.gitignore': '' })
    const last = await place.workspace.keep(place.ask(5, third.tree))
    expect(filesOf(place.store, last.tree)['node_modules/many.js']).toBe('100644 changed')
  })

  it('holds a program that is none any more for its owner.', async () => {
    const place = await ground()
    chmodSync(join(place.folder, 'src/a.ts'), 0o755)
    const { tree } = await place.workspace.keep(place.ask(1, place.start))
    chmodSync(join(place.folder, 'src/a.ts'), 0o655)
    expect(await place.workspace.keep(place.ask(2, tree))).toMatchObject({ tree: place.start })
  })

  it('takes the files as they are, whatever commits, branches or stash an agent made beside them.', async () => {
    const place = await ground()
    plainGit(place.folder, 'init', '-q')
    plainGit(place.folder, 'add', '-A')
    plainGit(place.folder, 'commit', '-qm', 'mine')
    put(place.folder, { 'src/a.ts': 'stashed\n' })
    plainGit(place.folder, 'stash')
    put(place.folder, { 'src/b.ts': 'stands\n' })
    const { tree } = await place.workspace.keep(place.ask(1, place.start))
    expect(filesOf(place.store, tree)).toMatchObject({ 'src/a.ts': '100644 one', 'src/b.ts': '100644 stands' })
  })

  it('counts the lines between two trees.', async () => {
    const place = await ground()
    put(place.folder, { 'src/a.ts': 'changed\nmore\n' })
    const { tree } = await place.workspace.keep(place.ask(1, place.start))
    expect([await place.workspace.diffLines(place.start, tree), await place.workspace.diffLines(tree, tree)]).toEqual([3, 0])
  })
})

describe('a folder that is put back', () => {
  it('GL-02 stands on the tree again, and what stood there is in salvage.', async () => {
    const place = await ground()
    put(place.folder, { 'src/a.ts': 'left by a gate\n', 'report.xml': 'x' })
    rmSync(join(place.folder, 'docs'), { recursive: true })
    const stood = await place.workspace.stand({ tree: place.start, iteration: 0 }, 'written by the gates')
    expect(stood).toMatchObject({ salvage: 'salvage/1', more: 0 })
    expect(stood.paths.toSorted()).toEqual(['docs/c.md', 'report.xml', 'src/a.ts'])
    expect([place.file('src/a.ts'), place.file('docs/c.md'), existsSync(join(place.folder, 'report.xml'))]).toEqual(['one\n', 'three\n', false])
    const salvaged = plainGit(place.store.path, 'rev-parse', 'refs/greenlatch/s/salvage/1^{tree}')
    expect(filesOf(place.store, salvaged)).toMatchObject({ 'src/a.ts': '100644 left by a gate', 'report.xml': '100644 x' })
  })

  it('needs no salvage when a checkpoint of it is there.', async () => {
    const place = await ground()
    put(place.folder, { 'src/a.ts': 'worse\n' })
    await place.workspace.keep(place.ask(1, place.start))
    expect(await place.workspace.stand({ tree: place.start, iteration: 0 }, 'back to the best')).toMatchObject({ salvage: null, paths: ['src/a.ts'] })
    expect(place.file('src/a.ts')).toBe('one\n')
    expect(await place.workspace.stand({ tree: place.start, iteration: 0 }, 'again')).toEqual({ salvage: null, paths: [], more: 0, notices: [] })
  })
})

describe('the scope of a candidate', () => {
  it.each<[string, (folder: string) => void, string[]]>([
    ['a changed file', (at) => put(at, { 'docs/c.md': 'mine\n' }), ['docs/c.md']],
    ['a new file', (at) => put(at, { 'docs/new.md': 'mine\n' }), ['docs/new.md']],
    ['a deleted file', (at) => rmSync(join(at, 'docs/c.md')), ['docs/c.md']],
    ['a file moved out of scope', (at) => renameSync(join(at, 'src/b.ts'), join(at, 'docs/b.ts')), ['docs/b.ts']],
    ['a mode alone', (at) => chmodSync(join(at, 'docs/c.md'), 0o755), ['docs/c.md']],
    ['a link in place of a file', (at) => { rmSync(join(at, 'docs/c.md')); symlinkSync('/etc/passwd', join(at, 'docs/c.md')) }, ['docs/c.md']],
    ['a folder in place of a file', (at) => { rmSync(join(at, 'docs/c.md')); put(at, { 'docs/c.md/x': '' }) }, ['docs/c.md', 'docs/c.md/x']],
    ['the settings of this tool', (at) => put(at, { 'greenlatch.yaml': 'x' }), ['greenlatch.yaml']],
  ])('RB-09 is left by %s: that part is taken back and kept, the rest stays.', async (_, breach, paths) => {
    const place = await ground({ allow: ['src/**'] })
    put(place.folder, { 'src/a.ts': 'allowed\n' })
    breach(place.folder)
    const { tree, failures, notices } = await place.workspace.keep(place.ask(1, place.start))
    expect(failures.map(({ subject, class: kind, gate }) => [subject, kind, gate])).toEqual(paths.map((path) => [path, 'scope', 'scope']))
    expect(notices.at(-1)).toBe('taken back, kept as salvage/1')
    expect(filesOf(place.store, tree)).toMatchObject({ 'docs/c.md': '100644 three', 'src/a.ts': '100644 allowed' })
    expect(Object.keys(filesOf(place.store, tree)).filter((path) => path !== 'docs/c.md' && !path.startsWith('src/'))).toEqual([])
    expect([place.file('docs/c.md'), place.file('src/a.ts')]).toEqual(['three\n', 'allowed\n'])
  })

  it('RB-09 is known of a file before it is written, by its name below the folder that is worked in.', async () => {
    const place = await ground({ allow: ['src/**'], deny: ['src/b.ts'] })
    const named = (path: string, more: Partial<WorkspaceOptions> = {}): string | null =>
      createWorkspace({ ...place.site, base: place.start, session: 's', openedAt: 0, cwd: place.folder, start: place.start, scope: { ...OPEN, allow: ['src/**'], deny: ['src/b.ts'] }, acts: {}, ...more }).mayWrite(path)
    expect(named('src/new.ts')).toBeNull()
    expect(named('src/b.ts')).toBe('out of scope: denied by "src/b.ts"')
    expect(named('docs/c.md')).toBe('out of scope: no rule allows it')
    expect(named('greenlatch.yaml', { scope: OPEN })).toBe('out of scope: it holds the settings of this tool')
    expect([named('a.ts'), named('a.ts', { cwd: join(place.folder, 'src') })]).toEqual(['out of scope: no rule allows it', null])
    expect(named('docs/c.md', { scope: { ...OPEN, allow: ['src/**'], mode: 'warn' } })).toBeNull()
  })

  it('RB-09 is left by files in the folder of a submodule, whoever may look there: they are taken back and kept.', async () => {
    const place = await ground()
    const lines = `160000 ${'1'.repeat(40)}\tsub\n`
    const index = join(place.root, 'with-submodule')
    tryGit(place.store.path, ['read-tree', place.start], { GIT_INDEX_FILE: index })
    tryGit(place.store.path, ['update-index', '--index-info'], { GIT_INDEX_FILE: index }, lines)
    const start = tryGit(place.store.path, ['write-tree'], { GIT_INDEX_FILE: index }).stdout.trim()
    const workspace = createWorkspace({
      ...place.site, base: place.start, session: 's', openedAt: 0, cwd: place.folder, start, scope: OPEN, acts: {},
    })
    await workspace.stand({ tree: start, iteration: 0 }, 'first')
    put(place.folder, { 'src/a.ts': 'allowed\n', 'sub/hidden': 'gates may look here\n' })
    const { tree, failures } = await workspace.keep(place.ask(1, start))
    expect(failures.map(({ message }) => message)).toEqual(['sub is out of scope: it is a submodule'])
    expect(filesOf(place.store, tree)).toMatchObject({ sub: '160000', 'src/a.ts': '100644 allowed' })
    expect([existsSync(join(place.folder, 'sub/hidden')), existsSync(join(place.folder, 'sub'))]).toEqual([false, true])
    expect(filesOf(place.store, 'refs/greenlatch/s/salvage/1^{tree}')).toMatchObject({ 'sub/hidden': '100644 gates may look here' })
  })

  it('RB-09 is only said when that is what was asked for.', async () => {
    const place = await ground({ deny: ['docs'], mode: 'warn' })
    put(place.folder, { 'docs/c.md': 'mine\n' })
    const { failures, notices, tree } = await place.workspace.keep(place.ask(1, place.start))
    expect([failures, notices]).toEqual([[], ['out of scope: docs/c.md is out of scope: denied by "docs"']])
    expect(filesOf(place.store, tree)['docs/c.md']).toBe('100644 mine')
  })

  it('RB-09 is measured against the start of the session, so that no commit of the agent hides a change.', async () => {
    const place = await ground({ deny: ['docs'] })
    put(place.folder, { 'docs/c.md': 'mine\n' })
    const first = await place.workspace.keep(place.ask(1, place.start))
    put(place.folder, { 'docs/c.md': 'mine again\n', 'src/a.ts': 'x\n' })
    const second = await place.workspace.keep(place.ask(2, first.tree))
    expect(second.failures.map(({ subject }) => subject)).toEqual(['docs/c.md'])
    expect(second.failures[0]?.fingerprint).toBe(first.failures[0]?.fingerprint)
  })

  it('RB-10 a diff over its budget is taken back whole, and kept.', async () => {
    const place = await ground({ files: 1 })
    put(place.folder, { 'src/a.ts': 'x\n', 'src/b.ts': 'y\n' })
    const { tree, failures } = await place.workspace.keep(place.ask(1, place.start))
    expect(tree).toBe(place.start)
    expect(failures.map(({ message }) => message)).toEqual(['2 files and 4 lines changed, at most 1 file allowed'])
    expect([place.file('src/a.ts'), refsIn(place)]).toEqual(['one\n', ['salvage/1', 'start']])
  })

  it('RB-10 a NUL in a file does not make its lines weigh nothing.', async () => {
    const place = await ground({ lines: 20 })
    put(place.folder, { 'src/a.ts': `${'a line of some length that is changed\n'.repeat(100)}\0` })
    const { tree, failures } = await place.workspace.keep(place.ask(1, place.start))
    expect(tree).toBe(place.start)
    expect(failures.map(({ message }) => message)).toEqual(['1 file and 49 lines changed, at most 20 lines allowed'])
  })

  it('RB-10 the budget of a rung is measured against the tree the agent was given.', async () => {
    const place = await ground()
    put(place.folder, { 'src/a.ts': 'x\n', 'src/b.ts': 'y\n' })
    const first = await place.workspace.keep(place.ask(1, place.start))
    writeFileSync(join(place.folder, 'src/a.ts'), 'z\n')
    const narrow = { scope: { files: 1, lines: 2 } }
    expect((await place.workspace.keep(place.ask(2, first.tree, narrow))).failures).toEqual([])
    put(place.folder, { 'src/a.ts': '1\n2\n3\n' })
    const third = await place.workspace.keep(place.ask(3, first.tree, narrow))
    expect(third).toMatchObject({ tree: first.tree, failures: [{ class: 'scope' }] })
  })
})

describe('what the checks depend on', () => {
  const TESTED = {
    'src/a.rs': 'fn one() -> i32 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() { assert_eq!(super::one(), 1); }\n}\n',
    'test/a.test.js': "it('adds', () => { expect(1 + x).toBe(2) })\n",
    'docs/c.md': 'three\n',
  }

  async function pinned(permit: NonNullable<WorkspaceOptions['pinned']>['permit'] = [], scope: Partial<WorkspaceOptions['scope']> = {}): Promise<Ground> {
    const place = await ground(scope, TESTED)
    const workspace = createWorkspace({
      ...place.site, base: place.start, session: 's', openedAt: 0, cwd: place.folder, start: place.start, scope: { ...OPEN, ...scope }, acts: {},
      pinned: { commands: '', gateFiles: [], permit },
    })
    return { ...place, workspace }
  }

  it('GL-03 is put back when a candidate changes it, kept in salvage and named, and the rest stays.', async () => {
    const place = await pinned()
    put(place.folder, { 'test/a.test.js': "it.skip('adds', () => { expect(1 + x).toBe(2) })\n", 'docs/c.md': 'mine\n', 'conftest.py': 'evil\n', 'test/b.test.js': '' })
    const { tree, failures, notices } = await place.workspace.keep(place.ask(1, place.start))
    expect(failures.map(({ subject, class: kind }) => [subject, kind])).toEqual([['integrity: conftest.py', 'integrity'], ['integrity: test/a.test.js', 'integrity']])
    expect(notices).toContain('the checks depend on test/a.test.js: line 1: skipped "adds"')
    expect(notices.at(-1)).toBe('taken back, kept as salvage/1')
    expect(filesOf(place.store, tree)).toEqual({
      'docs/c.md': '100644 mine', 'src/a.rs': `100644 ${TESTED['src/a.rs'].trimEnd()}`, 'test/a.test.js': `100644 ${TESTED['test/a.test.js'].trimEnd()}`, 'test/b.test.js': '100644 ',
    })
    expect([place.file('test/a.test.js'), existsSync(join(place.folder, 'conftest.py'))]).toEqual([TESTED['test/a.test.js'], false])
    expect(filesOf(place.store, 'refs/greenlatch/s/salvage/1^{tree}')).toMatchObject({ 'conftest.py': '100644 evil' })
  })

  it('GL-03 is measured against the start, so that no later candidate builds on what was done before.', async () => {
    const place = await pinned(['runner'])
    put(place.folder, { 'conftest.py': 'allowed\n' })
    const first = await place.workspace.keep(place.ask(1, place.start))
    expect([first.failures, filesOf(place.store, first.tree)['conftest.py']]).toEqual([[], '100644 allowed'])
    put(place.folder, { 'test/a.test.js': '' })
    const second = await place.workspace.keep(place.ask(2, first.tree))
    expect([second.tree, second.failures.map(({ subject }) => subject)]).toEqual([first.tree, ['integrity: test/a.test.js']])
    expect((await place.workspace.seal(second.tree, place.start, [])).exceptions).toEqual(['runner configuration changed: conftest.py (what decides how checks run was added)'])
  })

  it('I9 names what a gate wrote over of the files it judges by, and no report or new file.', async () => {
    const place = await pinned()
    const written = ['test/a.test.js', 'src/a.rs', 'docs/c.md', 'test/new.test.js', 'coverage/lcov.info']
    const { exceptions } = await place.workspace.seal(place.start, place.start, written)
    expect(exceptions).toEqual(['test/a.test.js was written over while the check ran, and put back'])
  })

  it('GL-03 goes on failing while tests beside code are not as they were, also when nothing is changed any more.', async () => {
    const place = await pinned()
    put(place.folder, { 'src/a.rs': TESTED['src/a.rs'].replace('{ 1 }', '{ 2 }').replace('(), 1)', '(), 2)') })
    const first = await place.workspace.keep(place.ask(1, place.start))
    expect(first.failures.map(({ subject }) => subject)).toEqual(['integrity: src/a.rs'])
    expect(filesOf(place.store, first.tree)['src/a.rs']).toContain('{ 2 }')
    const idle = await place.workspace.keep(place.ask(2, first.tree))
    expect([idle.tree, idle.failures]).toEqual([first.tree, first.failures])
    put(place.folder, { 'src/a.rs': TESTED['src/a.rs'].replace('{ 1 }', '{ 2 - 1 }') })
    expect((await place.workspace.keep(place.ask(3, first.tree))).failures).toEqual([])
  })

  it('is told together with what is out of scope.', async () => {
    const place = await pinned([], { deny: ['docs'] })
    put(place.folder, { 'test/a.test.js': '', 'docs/c.md': 'mine\n', 'src/b.ts': 'work\n' })
    const { tree, failures } = await place.workspace.keep(place.ask(1, place.start))
    expect(failures.map(({ class: kind, subject }) => [kind, subject])).toEqual([['scope', 'docs/c.md'], ['integrity', 'integrity: test/a.test.js']])
    expect(filesOf(place.store, tree)).toMatchObject({ 'docs/c.md': '100644 three', 'src/b.ts': '100644 work' })
  })

  it('is nothing where nothing is proved in the end.', async () => {
    const place = await ground({}, TESTED)
    put(place.folder, { 'test/a.test.js': '' })
    expect((await place.workspace.keep(place.ask(1, place.start))).failures).toEqual([])
  })
})

describe('the folder that is worked in', () => {
  async function below(): Promise<Ground & { outside: string }> {
    const place = await ground()
    const outside = join(place.root, 'outside')
    put(outside, { 'a.ts': 'outside\n' })
    const workspace = createWorkspace({
      ...place.site, base: place.start, session: 's', openedAt: 0, cwd: join(place.folder, 'src'), start: place.start, scope: OPEN, acts: {},
    })
    return { ...place, workspace, outside }
  }

  it('is put back when an agent has put a link in its place, and the rest of its work stays.', async () => {
    const place = await below()
    renameSync(join(place.folder, 'src'), join(place.folder, 'moved'))
    symlinkSync(place.outside, join(place.folder, 'src'))
    put(place.folder, { 'docs/c.md': 'changed\n' })
    const { tree, notices } = await place.workspace.keep(place.ask(1, place.start))
    expect(Object.keys(filesOf(place.store, tree))).toEqual(['docs/c.md', 'moved/a.ts', 'moved/b.ts', 'src/a.ts', 'src/b.ts'])
    expect([place.file('src/a.ts'), place.file('docs/c.md')]).toEqual(['one\n', 'changed\n'])
    expect(notices).toEqual([expect.stringContaining('"src", which is worked in, was replaced; put back (kept as salvage/1)')])
    expect(readFileSync(join(place.outside, 'a.ts'), 'utf8')).toBe('outside\n')
  })

  it('is refused while it leads elsewhere.', async () => {
    const place = await below()
    expect(place.workspace.cwd).toBe(join(place.folder, 'src'))
    rmSync(join(place.folder, 'src'), { recursive: true })
    symlinkSync(place.outside, join(place.folder, 'src'))
    expect(() => place.workspace.cwd).toThrow('"src" there is no folder')
  })

  it('is refused while the whole folder is a link, also where that leads to the very same files.', async () => {
    const place = await ground()
    await place.workspace.stand({ tree: place.start, iteration: 0 }, 'first')
    renameSync(place.folder, join(place.root, 'same'))
    symlinkSync(join(place.root, 'same'), place.folder)
    expect(() => place.workspace.cwd).toThrow('is no folder any more, but a link')
    await expect(place.workspace.keep(place.ask(1, place.start))).rejects.toThrow('is no folder any more, but a link')
    await expect(place.workspace.stand({ tree: place.start, iteration: 0 }, 'again')).rejects.toThrow('is no folder any more, but a link')
  })
})
