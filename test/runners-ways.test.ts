// The many ways in which a command reaches its runners, and all that has to stay as it is without us.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareExit, check, logOf, project, summary } from './support/runners.js'
import { some } from './support/subset.js'

const NODE = `const { it } = require('node:test')\n`
const passing = (name: string): string => `${NODE}it('${name}', () => {})\n`
const FAILING = `${NODE}it('fails', () => { throw new Error('x') })\n`
const manifest = (fields: object): string => JSON.stringify({ private: true, ...fields })

describe('several packages in one command', () => {
  it('are told apart in a workspace of npm.', async () => {
    const folder = project({
      'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: 'npm test --workspaces' } }),
      'packages/a/package.json': manifest({ name: 'a', scripts: { pretest: 'node --test pre.test.js', test: 'vitest run --globals' } }),
      'packages/a/pre.test.js': passing('before'),
      'packages/a/vitest.config.js': "export default { test: { include: ['in.spec.js'] } }\n",
      'packages/a/in.spec.js': "it('one', () => {})\n",
      'packages/b/package.json': manifest({ name: 'b', scripts: { test: 'node --test', posttest: 'echo after' } }),
      'packages/b/one.test.js': passing('one') + FAILING.slice(NODE.length),
    })
    const heard = await check(folder, 'npm test')
    expect(summary(heard)).toEqual({
      exit: 'fail', known: true, complete: true, failing: ['packages/b/one.test.js::fails'], skipped: [],
      ids: ['packages/a/in.spec.js::one', 'packages/a/pre.test.js::before', 'packages/b/one.test.js::fails', 'packages/b/one.test.js::one'],
    })
  })

  it('are told apart for pytest, wherever its configuration lies.', async () => {
    const test = 'def test_one(): pass\n'
    const configured = { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'b/pytest.ini': '[pytest]\n' }
    const folder = project({ ...configured, 'a/test_a.py': test, 'b/test_b.py': test })
    const heard = await check(folder, 'cd a && python3 -m pytest -q && cd ../b && python3 -m pytest -q')
    expect(summary(heard)).toMatchObject({ exit: 'pass', known: true, ids: ['a/test_a.py::test_one', 'b/test_b.py::test_one'] })
  })

  it('are told apart in a workspace of Cargo.', async () => {
    const member = (name: string): Record<string, string> => ({
      [`${name}/Cargo.toml`]: `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`,
      [`${name}/src/lib.rs`]: '#[test]\nfn one() {}\n',
    })
    const folder = project({ 'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n', ...member('a'), ...member('b') })
    const heard = await check(folder, 'cargo test --offline')
    expect(summary(heard)).toMatchObject({ exit: 'pass', known: true, ids: ['src/lib.rs (a)::one', 'src/lib.rs (b)::one'] })
  })

  it('are told apart when they run side by side.', async () => {
    const names = ['a', 'b', 'c', 'd']
    const folder = project(Object.fromEntries(names.map((name) => [`${name}/one.test.js`, passing(name)])))
    const heard = await check(folder, `${names.map((name) => `(cd ${name} && node --test) &`).join(' ')} wait`)
    expect(summary(heard)).toMatchObject({ exit: 'pass', ids: names.map((name) => `${name}/one.test.js::${name}`) })
  })

  it('all run when one test of the last is wanted.', async () => {
    const python = { 'test_b.py': 'def test_b(): pass\ndef test_c(): assert False\n', 'c/test_d.py': 'def test_d(): pass\n' }
    const folder = project({ 'a/one.test.js': passing('one'), ...python })
    const heard = await check(folder, '(cd a && node --test) && pytest -q c && pytest -q', { only: ['test_b.py::test_b'] })
    expect(summary(heard)).toMatchObject({ exit: 'pass', complete: true, ids: ['test_b.py::test_b'], failing: [] })
  })
})

describe('a runner is found', () => {
  const others = {
    'go.mod': 'module example.com/own\n\ngo 1.19\n',
    'a_test.go': 'package own\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {}\n',
    'test_c.py': 'def test_one(): pass\n',
  }
  const javascript = { 'a.test.js': "it('one', () => {})\n", 'b.test.js': passing('one') }
  const folder = project({ 'package.json': manifest({}), ...javascript, ...others })
  it.each(some([
    ['npx --no mocha a.test.js', 'a.test.js::one'],
    ['node node_modules/mocha/bin/mocha.js a.test.js', 'a.test.js::one'],
    ['node --no-warnings node_modules/.bin/jest a.test.js', 'a.test.js::one'],
    ['node b.test.js', 'b.test.js::one'],
    ['node --test-reporter dot --test b.test.js', 'b.test.js::one'],
    ['node --test --test-reporter=spec --test-reporter-destination=own.txt b.test.js', 'b.test.js::one'],
    ['node_modules/.bin/vitest run --globals --reporter=junit --outputFile=own.xml a.test.js', 'a.test.js::one'],
    ['node_modules/.bin/jest --json --outputFile own.json a.test.js', 'a.test.js::one'],
    ['python3 -Bm pytest -q', 'test_c.py::test_one'],
    ['go test -json', 'example.com/own::TestOne'],
    ['pytest -q --junitxml=own-pytest.xml', 'test_c.py::test_one'],
    ['PYTEST_ADDOPTS=-q PYTHONPATH=src pytest', 'test_c.py::test_one'],
  ], 5))('in %s.', async (command, id) => {
    const heard = await check(folder, command)
    expect(heard.result).toMatchObject({ exit: 'pass', known: true, complete: true })
    expect(heard.ids).toEqual([id])
    const own = /own[\w.-]+/.exec(command)?.[0]
    if (own !== undefined) expect(readFileSync(join(folder, own), 'utf8')).toContain('one')
  })

  it('by the environment, when it is called by its path.', async () => {
    mkdirSync(join(folder, 'venv'))
    writeFileSync(join(folder, 'venv/pytest'), '#!/bin/sh\nPATH=${PATH#*:}\nexec python3 -m pytest "$@"\n', { mode: 0o755 })
    const heard = await check(folder, 'venv/pytest -q')
    expect(summary(heard)).toMatchObject({ exit: 'pass', known: true, ids: ['test_c.py::test_one'] })
  })
})

describe('what stays as it is', () => {
  const plain = { 'plain.js': 'console.log(process.argv.slice(2).join())', 'plain.py': 'import sys\nprint(sys.argv[1:])' }
  const folder = project({ 'package.json': manifest({}), ...plain })

  it.each(some([
    'node -p 6*7', 'echo "process.exit(5)" | node -', 'node plain.js a --test', 'python3 -c "exit(6)"', 'python3 plain.py -m unittest',
    'pytest --version', 'python3 -m unittest --help', 'go version', 'cargo --version', 'node_modules/.bin/vitest --version',
    'node_modules/.bin/mocha --help', 'node_modules/.bin/jest --listTests',
  ], 5))('%s prints and ends as it does without us, and no tests are told.', async (command) => {
    const heard = await check(folder, command)
    const plain = await check(folder, command, { runner: 'none' })
    expect(heard.result).toMatchObject({ known: false, note: plain.result.note })
    expect(logOf(heard)).toBe(logOf(plain))
  })

  it('is what a test finds in its environment, and what it starts is no test of ours.', async () => {
    const inner = `const { spawnSync } = require('node:child_process')
const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
it('starts others', () => {
  const { status } = spawnSync('npm', ['test'], { cwd: 'inner', env, encoding: 'utf8' })
  if (status !== 1) throw new Error('inner ended with ' + status)
  const isOurs = ([name, value]) => /GREENLATCH_RE|script_shell|PYTEST|PYTHONPATH/.test(name) || /\\.run-/.test(value)
  const own = Object.entries(process.env).filter(isOurs)
  if (own.length > 0) throw new Error('found ' + own)
})\n`
    const nested = { 'inner/package.json': manifest({ scripts: { test: 'node --test' } }), 'inner/a.test.js': FAILING }
    const heard = await check(project({ 'outer.test.js': NODE + inner, ...nested }), 'node --test outer.test.js')
    expect(summary(heard)).toMatchObject({ exit: 'pass', ids: ['outer.test.js::starts others'], failing: [] })
  })

  it('is the shell that npm runs scripts with.', async () => {
    const script = 'echo "shell: ${BASH_VERSION:-none}"'
    const scripts = { 'package.json': manifest({ scripts: { test: script } }) }
    expect(logOf(await check(project(scripts), 'npm test'))).toContain('shell: none')
    expect(logOf(await check(project({ ...scripts, '.npmrc': 'script-shell=bash\n' }), 'npm test'))).toMatch(/shell: \d/)
    expect(logOf(await check(project(scripts), 'npm test', { env: { npm_config_script_shell: 'bash' } }))).toMatch(/shell: \d/)
  })

  it('is which programs there are.', async () => {
    const folder = project({ 'bin/keep': '' })
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }
    expect(logOf(await check(folder, 'command -v mocha || echo no mocha', { env }))).toBe('no mocha\n')
  })

  it('is the program itself, when a manager of versions looks for it on PATH again.', async () => {
    const search = 'without=$(echo "$PATH" | sed "s#[^:]*/manager:##")\nexec "$(PATH=$without command -v node)" "$@"\n'
    const manager = `#!/bin/sh\necho managed\n${search}`
    const folder = project({ 'manager/node': manager, 'a.js': 'console.log(1)' })
    chmodSync(join(folder, 'manager/node'), 0o755)
    const env = { PATH: `${join(folder, 'manager')}:${process.env['PATH']}` }
    expect(logOf(await check(folder, 'node a.js', { env, timeoutSeconds: 30 }))).toBe('managed\n1\n')
  })

  it('is all of it with "runner: none".', async () => {
    const heard = await check(project({ 'a.test.js': passing('one') }), 'env; node --test', { runner: 'none', env: { OWN: 'mine' } })
    expect(summary(heard)).toMatchObject({ exit: 'pass', known: false, ids: null })
    expect(logOf(heard)).toMatch(/^OWN=mine$/m)
    expect(logOf(heard)).not.toMatch(/GREENLATCH_REPORTS/)
  })

  it('is the checkout: nothing is left in it, and nothing beside the session but the log.', async () => {
    const folder = project({ 'test_a.py': 'import unittest\nclass TestA(unittest.TestCase):\n    def test_a(self): pass\n' })
    const heard = await check(folder, 'python3 -m unittest; ls -A; ls "$GREENLATCH_REPORTS/.."')
    expect(logOf(heard)).toMatch(/^bin\nlib\nonly\nreports$/m)
    expect(existsSync(join(folder, '__pycache__'))).toBe(false)
    expect(bareExit(folder, `ls -d '${heard.files[0]?.replace(/\.log$/, '')}'.run-*`)).not.toBe(0)
  })
})

describe('reports that the command itself writes', () => {
  const report = { path: 'out/**/*.xml', format: 'junit' } as const
  const xml = (tests: string): string => `<testsuite name="s" tests="2">${tests}</testsuite>`
  const GOOD = '<testcase classname="app.SumTest" name="adds" time="0.1"/>'
  const BAD = '<testcase classname="app.SumTest" name="fails"><failure type="AssertionError" message="1 is not 2"/></testcase>'

  it('count when they are of this run, those of earlier runs do not, and both is said.', async () => {
    const folder = project({ 'out/old/old.xml': xml(BAD), 'new.xml': xml(GOOD + BAD) })
    const heard = await check(folder, 'mkdir -p out/new && cp -p new.xml out/new/; exit 1', { report })
    expect(summary(heard)).toEqual({
      exit: 'fail', known: true, complete: true, failing: ['app.SumTest > fails'], skipped: [],
      ids: ['app.SumTest > adds', 'app.SumTest > fails'],
    })
    expect(heard.result.note).toBe('exit 1; 1 of 2 tests failed; 1 report of an earlier run not read')
  })

  it('are no pass when there is none of this run.', async () => {
    const heard = await check(project({ 'out/old.xml': xml(GOOD) }), 'true', { report })
    expect(heard.result).toMatchObject({ exit: 'fail', complete: false, known: false, note: expect.stringContaining('no report in out') })
    expect(heard.failures).toMatchObject([{ subject: 'report out/**/*.xml' }])
  })

  it('say more than the exit status, and are looked for in the folder of the gate.', async () => {
    const folder = project({ 'srv/new.tap': 'TAP version 13\nok 1 - adds\nnot ok 2 - fails\n1..2\n' })
    const heard = await check(folder, 'cp new.tap out.tap', { cwd: 'srv', report: { path: 'out.tap', format: 'tap' } })
    expect(summary(heard)).toMatchObject({ exit: 'fail', known: true, failing: ['srv::fails'], ids: ['srv::adds', 'srv::fails'] })
  })
})

describe('limits for one test', () => {
  const slow = 'setTimeout(done, 1500)'
  it.each(some([
    ['node_modules/.bin/mocha a.test.js', { 'a.test.js': `it('slow', (done) => { ${slow} })\n` }],
    ['node_modules/.bin/vitest run --globals', { 'a.test.js': `it('slow', () => new Promise((done) => { ${slow} }))\n` }],
  ], 1))('are handed to %s.', async (command, files) => {
    const folder = project({ 'package.json': manifest({}), ...files })
    const heard = await check(folder, command, { testTimeoutSeconds: 0.3 })
    expect(heard.result).toMatchObject({ exit: 'fail', known: true })
    expect(heard.failures.map(({ subject }) => subject)).toEqual(['a.test.js::slow'])
  })
})
