// What is no pass although nothing, or not everything, was reported: each is a failure of its own kind.
import { describe, expect, it } from 'vitest'
import { bareExit, check, project, summary, wrapped, type Heard } from './support/runners.js'
import { some } from './support/subset.js'

const PACKAGE = { 'package.json': '{"private":true}' }
const VITEST = 'node_modules/.bin/vitest run --globals'
const NODE = `const { it } = require('node:test')\n`
const PASSING = {
  bare: `it('passes', () => {})\n`,
  node: `${NODE}it('passes', () => {})\n`,
  python: 'import unittest\nclass TestA(unittest.TestCase):\n    def test_passes(self): pass\n',
}
const GO = { 'go.mod': 'module example.com/m\n\ngo 1.19\n' }
const goTest = (body: string): string =>
  `package m\n\nimport "testing"\n\nfunc TestPasses(t *testing.T) {}\nfunc TestLast(t *testing.T) {\n${body}\n}\n`

function messages({ failures }: Heard): string[] {
  return failures.map(({ subject, message }) => `${subject}: ${message.split('\n')[0]}`)
}

describe('a file that cannot be loaded', () => {
  it.each(some([
    ['node --test', { 'a.test.js': PASSING.node, 'b.test.js': "require('./gone.js')\n" }, 'b.test.js', 'a.test.js::passes'],
    [VITEST, { 'a.test.js': PASSING.bare, 'b.test.js': "import './gone.js'\n" }, 'b.test.js', 'a.test.js::passes'],
    ['node_modules/.bin/jest', { 'a.test.js': PASSING.bare, 'b.test.js': "require('./gone.js')\n" }, 'b.test.js', 'a.test.js::passes'],
    ['pytest -q', { 'test_a.py': 'def test_passes(): pass\n', 'test_b.py': 'import gone\n' }, 'test_b.py', null],
    ['python3 -m unittest', { 'test_a.py': PASSING.python, 'test_b.py': 'import gone\n' }, 'test_b', 'test_a.TestA.test_passes'],
    ['go test ./...', { ...GO, 'm_test.go': goTest(''), 'b/b_test.go': 'package b\n\nvar x = gone\n' }, 'example.com/m/b', null],
  ], 3))('is a failure of that file with %s.', async (command, files, subject, passing) => {
    const heard = await check(project({ ...PACKAGE, ...files }), command)
    expect(heard.result).toMatchObject({ exit: 'fail', known: true })
    expect(heard.failures).toMatchObject([{ subject, message: expect.stringMatching(/gone/), class: 'behaviour' }])
    if (passing !== null) expect(heard.ids).toEqual([passing])
  })
})

const KILLED = `${NODE}it('dies', () => process.kill(process.pid, 'SIGKILL'))\n`
const SLEEPING = `import time\n${PASSING.python}    def test_z(self): time.sleep(600)\n`

describe('a run that breaks off', () => {
  it.each(some([
    ['node_modules/.bin/mocha a.test.js', 'mocha', { 'a.test.js': "it('passes', () => {})\nit('ends it all', () => process.exit(0))\n" }],
    ['python3 -m unittest', 'unittest', { 'test_a.py': `import os\n${PASSING.python}    def test_z(self): os._exit(0)\n` }],
  ], 2))('with exit 0 is no pass with %s.', async (command, runner, files) => {
    const folder = project({ ...PACKAGE, ...files })
    const heard = await check(folder, command)
    expect(bareExit(folder, command)).toBe(0)
    expect(heard.result).toMatchObject({ exit: 'fail', complete: false })
    expect(heard.failures.length).toBeGreaterThan(0)
    expect(heard.result.note).toMatch(/^exit 0; /)
    expect(heard.ids?.join() ?? runner).toMatch(/passes|mocha/)
  })

  it.each(some([
    ['go test', { ...GO, 'm_test.go': goTest('\tpanic(1)') }, 'example.com/m::TestLast', 'example.com/m::TestPasses'],
    ['node --test', { 'a.test.js': PASSING.node, 'b.test.js': KILLED }, 'b.test.js', 'a.test.js::passes'],
  ], 2))('in a crash keeps what was reported with %s.', async (command, files, subject, passing) => {
    const heard = await check(project(files), command)
    expect(heard.result).toMatchObject({ exit: 'fail', known: true })
    expect(heard.failures.map((failure) => failure.subject)).toContain(subject)
    expect(heard.ids).toContain(passing)
  })

  it.each(some([
    ['go test', 8, { ...GO, 'm_test.go': goTest('\tselect {}') }, 'example.com/m::TestPasses'],
    ['python3 -m unittest', 5, { 'test_a.py': SLEEPING }, 'test_a.TestA.test_passes'],
  ], 1))('at the time limit is inconclusive and keeps what was reported with %s.', async (command, timeoutSeconds, files, passing) => {
    const heard = await check(project(files), command, { timeoutSeconds })
    expect(heard.result).toMatchObject({ exit: 'timeout', complete: false, known: true })
    expect(heard.failures.at(-1)).toMatchObject({ subject: expect.stringMatching(/^time limit of \w+$/) as string })
    expect(heard.ids).toContain(passing)
  })
})

describe('a run without tests', () => {
  it.each(some([
    ['node_modules/.bin/vitest run', 1, {}],
    ['node_modules/.bin/vitest run --passWithNoTests', 0, {}],
    ['node_modules/.bin/jest --passWithNoTests', 0, {}],
    ['node_modules/.bin/mocha', 1, {}],
    ['node --test', 0, {}],
    ['pytest -q', 5, {}],
    ['python3 -m unittest', null, {}],
    ['go test ./...', 0, { ...GO, 'm.go': 'package m\n' }],
  ], 4))('is no pass with %s.', async (command, exit, files) => {
    const heard = await check(project({ ...PACKAGE, ...files }), command)
    expect(heard.result).toMatchObject({ exit: 'fail', known: true })
    if (exit !== null) expect(heard.result.note).toContain(`exit ${exit}`)
    expect(messages(heard)).toEqual(['test run: no tests ran'])
    expect(heard.ids).toEqual([])
  })

  it('is none when another package has tests.', async () => {
    const folder = project({ 'a/a.test.js': PASSING.node, 'b/keep': '' })
    expect((await check(folder, '(cd a && node --test) && (cd b && node --test)')).result).toMatchObject({ exit: 'pass', known: true })
  })
})

describe('an assertion that is only printed', () => {
  const body = "console.assert(1 === 2, 'one is two')"
  it.each(some([
    ['node a.test.js', { 'a.test.js': body }],
    ['node --test', { 'a.test.js': `${NODE}it('passes', () => { ${body} })\n` }],
    [VITEST, { 'a.test.js': `it('passes', () => { ${body} })\n` }],
    ['node_modules/.bin/mocha a.test.js', { 'a.test.js': `it('passes', () => { ${body} })\n` }],
  ], 2))('is a failure although %s ends with 0.', async (command, files) => {
    const heard = await check(project({ ...PACKAGE, ...files }), command)
    expect(heard.result).toMatchObject({ exit: 'fail', note: expect.stringMatching(/^exit 0/) })
    expect(messages(heard)).toEqual(['console.assert: console.assert: Assertion failed: one is two'])
  })

  it('is read from what jest prints, too.', async () => {
    const heard = await check(project({ ...PACKAGE, 'a.test.js': `it('passes', () => { ${body} })\n` }), 'node_modules/.bin/jest')
    expect(heard.result.exit).toBe('fail')
    expect(messages(heard)).toEqual([expect.stringMatching(/^console\.assert: .*one is two/)])
  })

  it('is nothing in the output of a command that runs no tests.', async () => {
    expect((await check(project({}), 'echo "Assertion failed: x"')).result).toMatchObject({ exit: 'pass', known: false })
  })
})

describe('a command that says something else than its tests', () => {
  it('fails with its lines when the tests pass and what comes after them does not.', async () => {
    const heard = await check(wrapped('node --test', { 'a.test.js': PASSING.node }), 'npm test && npm run lint')
    expect(summary(heard)).toEqual({
      exit: 'fail', known: true, complete: true, failing: ['src/a.js:<line>: error: unused'], ids: ['a.test.js::passes'], skipped: [],
    })
    expect(heard.result.note).toBe('exit 3; 1 test')
  })

  it('fails when it hides that tests fail.', async () => {
    const folder = project({ 'a.test.js': `${NODE}it('fails', () => { throw new Error('x') })\n` })
    const heard = await check(folder, 'node --test || true')
    expect(heard.result).toMatchObject({ exit: 'fail', complete: true, note: 'exit 0; 1 of 1 test failed' })
    expect(heard.failures).toMatchObject([{ subject: 'a.test.js::fails' }])
  })

  it('is unusable when it is not found, whatever ran before it.', async () => {
    const heard = await check(project({ 'a.test.js': PASSING.node }), 'node --test && no-such-program-here')
    expect(heard.result).toMatchObject({ exit: 'error', note: expect.stringContaining('command not found') })
    expect(heard.failures).toEqual([])
  })

  it('shows what a runner says that cannot start at all.', async () => {
    const folder = project({ ...PACKAGE, 'a.test.js': '', '.mocharc.json': '{"require":["./gone.js"]}' })
    const heard = await check(folder, 'node_modules/.bin/mocha a.test.js')
    expect(heard.result).toMatchObject({ exit: 'fail', complete: false, known: false })
    expect(messages(heard).join('\n')).toMatch(/^mocha: ended without a report\n[^]*Cannot find module/)
  })
})
