// Tests of measuring a candidate against the pins, on trees of a real store.
import { chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { put } from '../../git/fixture.js'
import { measureIntegrity, type Integrity, type IntegrityPlan } from './integrity.js'
import { snapshot } from './snapshot.js'
import { filesOf, known } from './store.fixture.js'
import { replacePaths } from './take-back.js'

const TEST = "import { add } from '../src/add.js'\nit('adds', () => { expect(add(1, 2)).toBe(3) })\nit('subs', () => { expect(add(2, -1)).toBe(1) })\n"
const FILES = {
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'src/lib.rs': 'pub fn one() -> i32 { 1 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() { assert_eq!(super::one(), 1); }\n}\n',
  'test/add.test.js': TEST,
  'test/data/large.json': '{}\n',
  'vitest.config.js': 'export default {\n  test: {},\n}\n',
  'package.json': '{\n  "name": "a",\n  "scripts": { "test": "vitest run" },\n  "dependencies": { "zod": "1" }\n}\n',
  'package-lock.json': '{}\n',
  '.github/workflows/ci.yml': 'on: push\n',
  'scripts/check.sh': 'exit 1\n',
}

type Measured = Integrity & { from: string; to: string; restored: Record<string, string>; start: Record<string, string> }

async function measured(change: (folder: string) => void, more: Partial<IntegrityPlan> = {}, files: Record<string, string> = FILES): Promise<Measured> {
  const { store, site, folder, tree: from } = await known(files)
  change(folder)
  const { tree: to } = await snapshot(site)
  const found = await measureIntegrity({ store, start: from, permit: [], gateFiles: ['scripts/check.sh'], commands: '[]', caseInsensitive: false, ...more }, to)
  const restored = await replacePaths(site, { in: to, from, paths: found.paths })
  return { ...found, from, to, restored: filesOf(store, restored), start: filesOf(store, from) }
}

function edit(path: keyof typeof FILES, from: string, to: string): (folder: string) => void {
  return (folder) => put(folder, { [path]: FILES[path].replace(from, to) })
}

/** `way` leads to `tools`, `tools/all.sh` to a file elsewhere. */
async function throughLinks(gateFile: string, change: (folder: string) => void): Promise<string[]> {
  const { store, site, folder } = await known({ 'tools/check.sh': 'exit 1\n', 'other/all.sh': 'exit 1\n', 'src/a.js': 'a\n' })
  symlinkSync('tools', join(folder, 'way'))
  symlinkSync('../other/all.sh', join(folder, 'tools/all.sh'))
  symlinkSync('..', join(folder, 'src/up'))
  symlinkSync('..', join(folder, 'out'))
  const { tree: start } = await snapshot(site)
  change(folder)
  const { tree } = await snapshot({ ...site, base: start })
  const { failures } = await measureIntegrity({ store, start, permit: [], gateFiles: [gateFile], commands: '[]', caseInsensitive: false }, tree)
  return failures.map(({ subject }) => subject.replace('integrity: ', ''))
}

describe('what a gate runs through a link', () => {
  it.each<[string, string, (folder: string) => void, string[]]>([
    ['the file that it leads to', 'way/check.sh', (at) => put(at, { 'tools/check.sh': 'true\n' }), ['tools/check.sh']],
    ['the link', 'way/check.sh', (at) => { rmSync(join(at, 'way')); symlinkSync('other', join(at, 'way')) }, ['way']],
    ['a file behind two links', 'way/all.sh', (at) => put(at, { 'other/all.sh': 'true\n' }), ['other/all.sh']],
    ['the second link', 'way/all.sh', (at) => { rmSync(join(at, 'tools/all.sh')); put(at, { 'tools/all.sh': 'true\n' }) }, ['tools/all.sh']],
    ['not a link beside it', 'tools/check.sh', (at) => { rmSync(join(at, 'tools/all.sh')); symlinkSync('../src/a.js', join(at, 'tools/all.sh')) }, []],
    ['a file behind a link to the folder above', 'src/up/tools/check.sh', (at) => put(at, { 'tools/check.sh': 'true\n' }), ['tools/check.sh']],
    ['not what lies outside the tree', 'out/tools/check.sh', (at) => put(at, { 'tools/check.sh': 'true\n' }), []],
    ['nothing of it', 'way/check.sh', (at) => put(at, { 'src/a.js': 'b\n', 'other/all.sh': 'true\n' }), []],
  ])('GL-03 is pinned with it: %s is changed', async (_, gateFile, change, subjects) => {
    expect(await throughLinks(gateFile, change)).toEqual(subjects)
  })
})

describe('a runner that is handed files by a pattern', () => {
  const UNIT = { 'unit/add.js': "test('adds', () => { assert.equal(add(1, 2), 3) })\n", 'src/add.js': 'a\n', 'package.json': '{ "scripts": { "test": "node --test unit/*.js" } }\n' }
  const byPattern = { gateFiles: ['unit/*.js'], commands: JSON.stringify([{ name: 'test', run: 'node --test unit/*.js' }]) }
  const byScript = { gateFiles: [], commands: JSON.stringify([{ name: 'test', run: 'npm test' }]) }
  const weaken = (at: string): void => put(at, { 'unit/add.js': "test('adds', () => {})\n" })

  it('GL-03 has them pinned as if they were named', async () => {
    const named = await measured(weaken, byPattern, UNIT)
    expect([named.failures, named.exceptions]).toEqual([[], ['runner configuration changed: unit/add.js (line 1: a file that a gate runs was changed)']])
    const run = await measured(weaken, byScript, UNIT)
    expect(run.failures.map(({ subject }) => subject)).toEqual(['integrity: unit/add.js'])
  })

  it('takes another of them for a new test', async () => {
    const found = await measured((at) => put(at, { 'unit/more.js': "test('more', () => {})\n", 'src/add.js': 'b\n' }), byScript, UNIT)
    expect([found.failures, found.exceptions]).toEqual([[], []])
  })
})

describe('a candidate', () => {
  it.each<[string, (folder: string) => void, string[]]>([
    ['skips a test', edit('test/add.test.js', "it('adds'", "it.skip('adds'"), ['test/add.test.js: line 2: skipped "adds"']],
    ['edits and deletes tests', (at) => put(at, { 'test/add.test.js': TEST.replace(/it\('subs.*\n/, '').replace('toBe(3)', 'toBe(4)') }), [
      'test/add.test.js: line 3: deleted "subs"; line 2: expected value edited "adds" (3 → 4)',
    ]],
    ['deletes a test file', (at) => rmSync(join(at, 'test/add.test.js')), ['test/add.test.js: line 2: deleted "adds"; line 3: deleted "subs"']],
    ['renames a test file', (at) => renameSync(join(at, 'test/add.test.js'), join(at, 'src/add.js.txt')), ['test/add.test.js: line 2: deleted "adds"; line 3: deleted "subs"']],
    ['makes a test file a link', (at) => { rmSync(join(at, 'test/add.test.js')); symlinkSync('../src/add.js', join(at, 'test/add.test.js')) }, ['test/add.test.js: made a link']],
    ['gives a test file another mode', (at) => chmodSync(join(at, 'test/add.test.js'), 0o755), ['test/add.test.js: given another mode']],
    ['changes data of tests beyond all measure', (at) => writeFileSync(join(at, 'test/data/large.json'), 'x'.repeat(1_100_000)), ['test/data/large.json: changed']],
    ['changes binary data of tests', (at) => writeFileSync(join(at, 'test/data/large.json'), '\0'), ['test/data/large.json: changed']],
    ['adds a test that is focused', (at) => put(at, { 'test/new.test.js': "it.only('new', () => {})\n" }), ['test/new.test.js: line 1: focused "new"']],
    ['adds a link among tests', (at) => symlinkSync('/tmp', join(at, 'test/more')), ['test/more: made a link']],
    ['changes settings of the runner', edit('vitest.config.js', '{}', '{ include: [] }'), ['vitest.config.js: line 2: what decides how checks run was changed']],
    ['adds settings of a runner', (at) => put(at, { 'test/conftest.py': 'x' }), ['test/conftest.py: what decides how checks run was added']],
    ['sets the test script to true', edit('package.json', 'vitest run', 'true'), ['package.json: line 3: "scripts.test" changed']],
    ['changes a dependency and locks it', (at) => { edit('package.json', '"1"', '"2"')(at); edit('package-lock.json', '{}', '[]')(at); put(at, { 'yarn.lock': 'x' }) }, [
      'package-lock.json: line 1: the lockfile was changed', 'package.json: line 4: "dependencies.zod" changed', 'yarn.lock: the lockfile was added',
    ]],
    ['breaks a manifest', edit('package.json', '}', ''), ['package.json: cannot be read']],
    ['makes a manifest a link', (at) => { rmSync(join(at, 'package.json')); symlinkSync('/tmp/package.json', join(at, 'package.json')) }, ['package.json: made a link']],
    ['rewrites a CI file', edit('.github/workflows/ci.yml', 'push', 'never'), ['.github/workflows/ci.yml: line 1: a CI file was changed']],
    ['rewrites what a gate runs', edit('scripts/check.sh', '1', '0'), ['scripts/check.sh: line 1: a file that a gate runs was changed']],
    ['brings its own packages', (at) => put(at, { 'node_modules/.bin/vitest': '', 'node_modules/vitest/x.js': '', 'a/node_modules/y.js': '' }), [
      'a/node_modules/: an installed package was added', 'node_modules/: 2 installed files were changed',
    ]],
    ['puts a folder where a test file was', (at) => { rmSync(join(at, 'test/add.test.js')); put(at, { 'test/add.test.js/x.txt': '' }) }, ['test/add.test.js: line 2: deleted "adds"; line 3: deleted "subs"']],
    ['puts a link where the tests were', (at) => { renameSync(join(at, 'test'), join(at, 'other')); symlinkSync('other', join(at, 'test')) }, [
      'test: made a link', 'test/add.test.js: line 2: deleted "adds"; line 3: deleted "subs"', 'test/data/large.json: line 1: deleted (the file)',
    ]],
  ])('GL-03 that %s fails, and all of it can be put back.', async (_, change, messages) => {
    const { failures, restored, start, exceptions } = await measured(change)
    expect(failures.map(({ message }) => message)).toEqual(messages)
    expect(failures.map(({ subject }) => subject)).toEqual(messages.map((message) => `integrity: ${message.split(': ')[0]}`))
    expect(restored).toMatchObject(start)
    expect(Object.keys(restored).filter((path) => !(path in start) && !/^(?:other|src)\//.test(path))).toEqual([])
    expect(exceptions).toEqual([])
  })

  it.each<[string, (folder: string) => void]>([
    ['changes code', edit('src/add.js', 'a + b', 'b + a')],
    ['changes code beside tests in one file', edit('src/lib.rs', '{ 1 }', '{ 2 - 1 }')],
    ['adds a test file', (at) => put(at, { 'test/new.test.js': "it('new', () => {})\n", 'test/data/new.json': '{}' })],
    ['adds a test to a file', (at) => put(at, { 'test/add.test.js': `${TEST}it('new', () => { expect(add(0, 0)).toBe(0) })\n` })],
    ['changes what is free in a manifest', edit('package.json', '"name": "a"', '"name": "b",\n  "version": "2"')],
    ['adds a lockfile of another kind', (at) => put(at, { 'yarn.lock': 'x' })],
  ])('that %s keeps the pins.', async (_, change) => {
    const found = await measured(change)
    expect(found.to).not.toBe(found.from)
    expect(found).toMatchObject({ failures: [], paths: [], exceptions: [], findings: [] })
  })

  it('that changed nothing keeps the pins.', async () => {
    expect(await measured(() => {})).toMatchObject({ failures: [], paths: [], exceptions: [], findings: [] })
  })

  it('that touches tests beside code fails, and its work stays.', async () => {
    const change = (at: string): void => put(at, { 'src/lib.rs': FILES['src/lib.rs'].replace('{ 1 }', '{ 2 }').replace('(), 1)', '(), 2)') })
    const { failures, paths, findings } = await measured(change)
    expect(failures.map(({ message }) => message)).toEqual(['src/lib.rs: line 5: expected value edited "tests > is_one" (1 → 2)'])
    expect(paths).toEqual([])
    expect(findings).toMatchObject([{ file: 'src/lib.rs', line: 5, what: 'expected value edited', test: 'tests > is_one' }])
    expect((await measured((at) => rmSync(join(at, 'src/lib.rs')))).paths).toEqual(['src/lib.rs'])
  })
})

describe('a file that a script of the package runs', () => {
  const files = {
    ...FILES, 'tools/all.mjs': 'run()\n', 'a/package.json': '{ "scripts": { "test": "./run.sh" } }', 'a/run.sh': 'exit 1\n',
    'package.json': '{ "scripts": { "test": "npm run all", "all": "node tools/all.mjs", "start": "node src/add.js" } }',
  }
  const change = (at: string): void => put(at, { 'tools/all.mjs': '\n', 'a/run.sh': '\n', 'src/add.js': 'export const add = 1\n' })

  it.each([
    ['[{ "name": "test", "run": "npm test" }]', ['tools/all.mjs']],
    ['[{ "name": "test", "run": ["npm", "test"], "cwd": "a" }]', ['a/run.sh']],
    ['[{ "name": "test", "run": "npm test", "cwd": "src" }, { "run": 1 }, null]', ['tools/all.mjs']],
    ['no JSON', []],
    ['[{ "name": "test", "run": "cd a && npm test" }]', ['a/run.sh']],
    ['[{ "name": "test", "run": "npm --prefix a test" }]', ['a/run.sh', 'tools/all.mjs']],
    ['[{ "name": "test", "run": "node --import ./tools/all.mjs --test" }]', ['tools/all.mjs']],
  ])('is pinned when a gate comes to it: %s.', async (commands, paths) => {
    expect((await measured(change, { commands }, files)).paths).toEqual(paths)
  })
})

describe('a program that a gate starts', () => {
  it('and that may be the work itself is changed without leave, and is an exception.', async () => {
    const { failures, paths, exceptions } = await measured((at) => put(at, { 'calc.py': 'two\n', 'scripts/check.py': 'no\n' }), { gateFiles: ['calc.py', 'scripts/check.py'] }, { 'calc.py': 'one\n', 'scripts/check.py': 'yes\n' })
    expect([failures.map(({ message }) => message), paths]).toEqual([['scripts/check.py: line 1: a file that a gate runs was changed'], ['scripts/check.py']])
    expect(exceptions).toEqual(['runner configuration changed: calc.py (line 1: a file that a gate runs was changed)'])
  })
})

describe('a program that is there to check', () => {
  it('is no work, whatever it is called: what a script of a package starts, and what is started by its path.', async () => {
    const files = { 'package.json': '{ "scripts": { "test": "node harness.mjs" } }\n', 'harness.mjs': 'one\n', 'prove.py': 'one\n' }
    const change = (at: string): void => { put(at, { 'harness.mjs': 'two\n', 'prove.py': 'two\n' }); chmodSync(join(at, 'prove.py'), 0o755) }
    const { failures } = await measured(change, { gateFiles: ['prove.py'], commands: '[{ "name": "test", "run": "npm test" }]' }, files)
    expect(failures.map(({ subject }) => subject)).toEqual(['integrity: harness.mjs', 'integrity: prove.py'])
  })
})

describe('a new module of Python', () => {
  const files = { 'calc.py': 'def add(a, b):\n    return a - b\n', 'test_calc.py': 'def test_adds():\n    assert False\n', 'app/__init__.py': '', 'checks/run.py': 'import json\n', 'test_a.js': '\n' }
  const run = (commands: string, added: Record<string, string>): Promise<Measured> => measured((at) => put(at, added), { commands }, files)

  it.each<[string, Record<string, string>]>([
    ['by the name of a test', { 'test_calc/__init__.py': 'def test_adds():\n    pass\n' }],
    ['by the name of one that every program loads', { 'argparse.py': '\n', 'tests/test_new.py': '\n', 'tests/json.py': '\n' }],
    ['beside a program of a gate', { 'checks/json.py': '\n' }],
  ])('that takes the place of another fails, and is taken away: %s.', async (_, added) => {
    const gates = JSON.stringify([{ name: 'a', run: 'python3 -m pytest' }, { name: 'b', run: 'cd checks && python3 run.py' }])
    const { failures, paths } = await run(gates, added)
    const taken = Object.keys(added).filter((path) => !path.endsWith('test_new.py'))
    expect(paths).toEqual(taken)
    expect(failures.map(({ message }) => message)).toEqual(taken.map((path) => `${path}: what decides how checks run was added`))
  })

  it('that takes the place of none is welcome.', async () => {
    const added = { 'app/types.py': '\n', 'app/queue.py': '\n', 'checks/more.py': '\n', 'test_calc_more.py': '\n', 'html/index.html': '\n' }
    expect((await run('[{ "name": "a", "run": "python3 -m pytest" }]', added)).paths).toEqual([])
  })
})

describe('what is permitted', () => {
  const change = (at: string): void => {
    edit('test/add.test.js', "it('adds'", "it.skip('adds'")(at)
    put(at, { 'package.json': FILES['package.json'].replace('vitest run', 'true').replace('"1"', '"2"'), 'package-lock.json': '[]\n', 'conftest.py': '', 'yarn.lock': '' })
    edit('.github/workflows/ci.yml', 'push', 'never')(at)
  }

  it('stays and is listed.', async () => {
    const { failures, paths, exceptions } = await measured(change, { permit: ['tests', 'dependencies', 'runner', 'ci'] })
    expect([failures, paths]).toEqual([[], []])
    expect(exceptions).toEqual([
      'CI files changed: .github/workflows/ci.yml (line 1: a CI file was changed)',
      'runner configuration changed: conftest.py (what decides how checks run was added)',
      'dependencies changed: package-lock.json (line 1: the lockfile was changed)',
      'runner configuration changed: package.json (line 3: "scripts.test" changed)',
      'dependencies changed: package.json (line 4: "dependencies.zod" changed)',
      'tests changed: test/add.test.js (line 2: skipped "adds")',
      'dependencies changed: yarn.lock (the lockfile was added)',
    ])
  })

  it('does not cover what was not named: a manifest needs leave for every pinned key that changed.', async () => {
    const { failures, paths, exceptions } = await measured(change, { permit: ['dependencies'] })
    expect(paths).toEqual(['.github/workflows/ci.yml', 'conftest.py', 'package.json', 'test/add.test.js'])
    expect(failures.map(({ subject }) => subject)).toEqual(paths.map((path) => `integrity: ${path}`))
    expect(exceptions).toEqual(['dependencies changed: package-lock.json (line 1: the lockfile was changed)', 'dependencies changed: yarn.lock (the lockfile was added)'])
  })
})

describe('a breach', () => {
  it('keeps its fingerprint whatever is tried on the file, and shares it with no other.', async () => {
    const one = await measured(edit('test/add.test.js', 'toBe(3)', 'toBe(4)'))
    const other = await measured((at) => rmSync(join(at, 'test/add.test.js')))
    const third = await measured(edit('vitest.config.js', '{}', '[]'))
    const prints = [one, other, third].map(({ failures }) => failures.map(({ fingerprint, gate, class: kind }) => `${gate} ${kind} ${fingerprint}`)[0])
    expect(prints[0]).toBe(prints[1])
    expect(new Set(prints).size).toBe(2)
    expect(prints[0]).toMatch(/^integrity integrity \d+:/)
  })

  it('is said within 240 characters, on one line, without codes for terminals.', async () => {
    const name = `a\u001b[31m ${'long '.repeat(60)}`
    const files = { ...FILES, 'test/add.test.js': `it('x', () => { expect(1).toBe(y) })\nit('${name}', () => {})\nit('z', () => {})\n` }
    const { failures } = await measured((at) => rmSync(join(at, 'test/add.test.js')), {}, files)
    expect(failures[0]?.message).toMatch(/^test\/add\.test\.js: line 1: deleted "x"; 2 more$/)
    const long = await measured((at) => put(at, { [`test/${'long'.repeat(50)}/conftest.py`]: '\n' }))
    expect(long.failures[0]?.message).toHaveLength(240 - 1)
  })

  it('is one of at most fifty, and of all the others together.', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`test/${index + 10}.txt`, `${index}\n`]))
    const { failures, paths } = await measured((at) => rmSync(join(at, 'test'), { recursive: true }), {}, files)
    expect([failures.length, paths.length, failures.at(-1)?.message]).toEqual([51, 60, '10 more pinned files were changed'])
  })

  it('in a name that is no text is found by its bytes.', async () => {
    const { failures, paths } = await measured((at) => writeFileSync(Buffer.concat([Buffer.from(`${at}/test/`), Buffer.from([0xff]), Buffer.from('conftest.py')]), ''))
    expect([failures, paths]).toEqual([[], []])
    const found = await measured((at) => { put(at, { 'src/__mocks__/a': '' }); writeFileSync(Buffer.concat([Buffer.from(`${at}/src/__mocks__/`), Buffer.from([0xff])]), '') })
    expect(found.paths).toEqual(['src/__mocks__/a', 'src/__mocks__/\xff'])
  })

  it('takes with it what stands in the way where names differ only by case.', async () => {
    const change = (at: string): void => {
      rmSync(join(at, 'test/add.test.js'))
      put(at, { 'Test/Add.test.js': "it('new', () => {})\n", 'test/other.test.js': '' })
    }
    expect((await measured(change)).paths).toEqual(['test/add.test.js'])
    expect((await measured(change, { caseInsensitive: true })).paths).toEqual(['Test/Add.test.js', 'test/add.test.js'])
  })
})
