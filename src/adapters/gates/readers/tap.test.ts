// Tests of reading TAP, from real runs of node:test and after the formats of others.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runOf } from './fixture.js'

describe('TAP of node:test', () => {
  it('is read with nested tests, escapes, directives and faults', () => {
    const run = fixtureRun('tap', 'node.tap')
    const lines = brief(run)
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(lines.slice(0, 16)).toEqual([
      'pass adds',
      'fail fails with #hash and \\ back | assertion AssertionError: Expected values to be strictly equal:',
      'fail deep diff | assertion AssertionError: Expected values to be loosely deep-equal:',
      'fail throws | error TypeError: not a thing',
      'fail throws a string | error : just text',
      'pass ünïcödé — 名前',
      'skip skipped',
      'skip skipped plain',
      'skip todo failing',
      'skip todo',
      'pass suite > passes',
      'fail suite > fails | assertion AssertionError: no good',
      'pass suite > inner > passes',
      'fail suite > inner > async fails | error RangeError: async',
      'pass parent > child passes',
      'fail parent > child fails | assertion AssertionError: Expected values to be strictly deep-equal:',
    ])
    expect(lines).toContain('fail parent | assertion : a subtest failed')
    expect(lines).toContain('pass adds #2')
    expect(lines.some((line) => line.includes('forged'))).toBe(false)
  })

  it('keeps message, stack, file and time of a failing test', () => {
    expect(fixtureRun('tap', 'node.tap').cases[1]).toMatchObject({
      file: 'test/cart.test.js',
      seconds: 0.001412397,
      fault: {
        message: 'Expected values to be strictly equal:\n\n1 !== 2',
        stack: expect.stringMatching(/^TestContext\.<anonymous> \(test\/cart\.test\.js:4:51\)\n/),
      },
    })
  })

  it('takes no file for a test, and what a dying file printed for the reason', () => {
    const run = fixtureRun('tap', 'node.tap')
    expect(run.cases.some((test) => test.id.includes('/checkout') || test.id.includes('exit0'))).toBe(false)
    expect(brief(run).filter((line) => line.startsWith('trouble test/'))).toEqual([
      'trouble test/exit.test.js | crash : test failed (exit 3)',
      expect.stringMatching(/^trouble test\/late\.test\.js \| crash Error: Test "leaves a rejection" at test\/late\.test\.js:2:1 /),
      "trouble test/load.test.js | collection Error: Cannot find module 'test/nothing-here.js' imported from test/load.test.js",
    ])
  })

  it('knows time limits and hooks that throw', () => {
    const lines = brief(fixtureRun('tap', 'node-hooks.tap'))
    expect(lines).toEqual(
      expect.arrayContaining([
        'fail times out | timeout : test timed out after 50ms',
        'fail each > one | error : each broke',
        'fail same name #2 | assertion AssertionError: second of the same name',
        'pass parent',
        'fail parent fails itself | error : own',
        'trouble test/hang.test.js | timeout : test timed out after 2000ms',
        'trouble with a broken after | error : after broke',
      ]),
    )
    expect(lines.some((line) => / (?:skipped suite|empty suite|each)(?: \||$)/.test(line))).toBe(false)
  })

  it('has the file in every id when the reporter says it', () => {
    const text = `TAP version 13
# Subtest: suite
    # Subtest: a
    ok 1 - a
      ---
      file: '/checkout/test/it''s.test.js'
      duration_ms: 1
      ...
    1..1
ok 1 - suite
  ---
  file: '/checkout/test/it''s.test.js'
  type: 'suite'
  ...
1..1
`
    expect(runOf('tap', text).cases).toEqual([
      { id: "test/it's.test.js::suite > a", file: "test/it's.test.js", status: 'pass', seconds: 0.001, fault: null },
    ])
  })

  it('of versions that nest tests in their file names the file', () => {
    const inside = '    # Subtest: one\n    ok 1 - one\n    not ok 2 - two\n    1..2\n'
    const text = `# Subtest: /checkout/a.test.mjs\n${inside}not ok 1 - /checkout/a.test.mjs\n1..1\n`
    expect(brief(runOf('tap', text))).toEqual(['pass a.test.mjs::one', 'fail a.test.mjs::two | assertion : '])
    expect(runOf('tap', text).troubles).toEqual([])
  })
})

describe('TAP of others', () => {
  it('has names after what is inside, in braces, or none at all', () => {
    const text = `    ok 1 - inner
        ok 1 - deep
        1..1
    not ok 2 - middle
    1..2
not ok 1 - outer
ok 2 - buffered # time=5.2ms {
    ok 1 - x # time=1ms
    1..1
}
ok 3
not ok
ok 5 - skipping # skip no network
not ok 6 - later # TODO write it
1..6
`
    const run = runOf('tap', text)
    expect(brief(run)).toEqual([
      'pass outer > inner',
      'pass outer > middle > deep',
      'fail outer > middle | assertion : ',
      'fail outer | assertion : a subtest failed',
      'pass buffered > x',
      'pass buffered',
      'pass test 3',
      'fail test | assertion : ',
      'skip skipping',
      'skip later',
    ])
    expect(run.complete).toBe(true)
  })

  it('does not put a test into one that has ended', () => {
    const text = '# Subtest: a\nok 1 - a\n    ok 1 - inner\n    1..1\nok 2 - b\n1..2\n'
    expect(brief(runOf('tap', text))).toEqual(['pass a', 'pass b > inner', 'pass b'])
  })

  it('tells what is wrong in comments (perl) or in other entries (tape)', () => {
    const text = `1..2
not ok 1 - adds
#   Failed test 'adds'
#   at t/cart.t line 5.
#          got: '1'
#     expected: '2'
not ok 2 should be equal
  ---
    operator: equal
    expected: 2
    actual:   1
    at: Test.<anonymous> (/checkout/test/a.js:5:7)
    stack: |-
      Error: should be equal
          at Test.assert (/checkout/test/a.js:5:7)
  ...
`
    const { cases, complete } = runOf('tap', text)
    expect(complete).toBe(true)
    expect(cases[0]?.fault?.message).toBe("Failed test 'adds'\nat t/cart.t line 5.\ngot: '1'\nexpected: '2'")
    expect(cases[1]?.id).toBe('should be equal')
  })
})

describe('TAP with a long text that nobody asks for', () => {
  it('keeps the stack that follows it', () => {
    const long = '      x\n'.repeat(12_000)
    const text = `1..1\nnot ok 1 - adds\n  ---\n  whatever: |-\n${long}  stack: |-\n    adds (/checkout/test/a.js:5:7)\n  ...\n`
    expect(runOf('tap', text).cases[0]?.fault?.stack).toContain('a.js:5:7')
  })
})

describe('TAP that is not as it should be', () => {
  it.each([
    ['', 'the report is no TAP'],
    ['some words\n', 'the report is no TAP'],
    ['1..3\nok 1\nok 2\n', '3 tests were planned and 2 reported'],
    ['ok 1\nok 2\n', 'the report has no plan: it is cut off'],
    ['# Subtest: a\n    ok 1 - b\n', 'the report is cut off'],
    ['1..1\nok 1 - a\n  ---\n  duration_ms: 3\n', 'the report is cut off'],
    ['    ok 1 - b\n    1..2\nok 1 - a\n1..1\n', '2 tests were planned and 1 reported'],
  ])('%j is incomplete', (text, note) => {
    expect(runOf('tap', text)).toMatchObject({ complete: false, note })
  })

  it('keeps the names of tests whose surroundings never came', () => {
    const run = runOf('tap', '# Subtest: outer\n    # Subtest: inner\n    not ok 1 - inner\n')
    expect(run.cases.map((test) => test.id)).toEqual(['outer > inner'])
  })

  it('is incomplete wherever it is cut off', () => {
    const text = fixtureText('node-hooks.tap')
    const plan = text.lastIndexOf('1..12')
    for (let at = 1; at < plan; at += 23) expect(runOf('tap', text.slice(0, at)), `cut at ${at}`).toMatchObject({ complete: false })
  })

  it('is a crash when the runner gives up, and a fault when it ran no tests', () => {
    const run = runOf('tap', '1..4\nok 1 - a\nBail out! no database\n')
    expect(run.complete).toBe(false)
    expect(brief(run)).toEqual(['pass a', 'trouble test run | crash Bail out!: no database'])
    expect(brief(runOf('tap', 'TAP version 13\n1..0 # SKIP nothing here\n'))).toEqual(['trouble test run | no tests : no tests ran'])
  })

  it('stays bounded with names and texts that never end', () => {
    const long = 'x'.repeat(500_000)
    const { cases } = runOf('tap', `not ok 1 - ${long}\n  ---\n  error: |-\n${`    ${long}\n`.repeat(5)}  ...\n1..1\n`)
    expect(cases).toHaveLength(1)
    expect(JSON.stringify(cases).length).toBeLessThan(12_000)
  })
})
