// Tests of reading JUnit XML, from real runners where this project has them and written after their formats otherwise.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runInPieces, runOf } from './fixture.js'

const PYTEST = [
  'pass tests/test_cart.py::test_empty',
  'fail tests/test_cart.py::test_values[1] | assertion AssertionError: one is bad',
  'pass tests/test_cart.py::test_values[a/b]',
  'pass tests/test_cart.py::test_values[\\xfc > \\xe9]',
  'pass tests/test_cart.py::test_values[x::y]',
  'pass tests/test_cart.py::test_values[a[b]]',
  'fail tests/test_cart.py::TestCart::test_total | assertion AssertionError: assert 4 == 3',
  'fail tests/test_cart.py::TestCart::TestInner::test_deep | error ValueError: déjà red',
  'skip tests/test_cart.py::TestCart::test_later',
  'skip tests/test_cart.py::TestCart::test_known',
  'fail tests/test_cart.py::TestCart::test_strict | assertion : [XPASS(strict)] must fail',
  'fail tests/test_cart.py::test_setup | error RuntimeError: setup broke',
  'fail tests/test_cart.py::test_teardown | error RuntimeError: teardown broke',
  "fail tests/test_cart.py::test_both | assertion AssertionError: assert {'a': 1} == {'a': 2}",
  'fail tests/test_cart.py::test_subtests | assertion AssertionError: assert 1 != 1',
  'fail tests/test_cart.py::Old::test_old | assertion AssertionError: 1 != 2',
  'fail tests/test_cart.py::Old::test_sub | assertion AssertionError: 1 == 1',
  'fail tests/test_inherit.py::TestIt::test_inherited | assertion AssertionError: AssertionError',
]

describe('JUnit XML of pytest', () => {
  it.each(['pytest-xunit1.xml', 'pytest-xunit2.xml'])('is read into node ids from %s', (name) => {
    const run = fixtureRun('junit', name)
    expect(brief(run)).toEqual(PYTEST)
    expect(run).toMatchObject({ complete: true, note: '', more: 0 })
    expect(run.cases[0]).toEqual({ id: PYTEST[0]?.slice(5), file: 'tests/test_cart.py', status: 'pass', seconds: 0.001, fault: null })
    expect(run.cases[6]?.fault?.stack).toContain('tests/test_cart.py:17: AssertionError')
  })

  it('names files from the checkout when it ran in a package', () => {
    const { cases } = fixtureRun('junit', 'pytest-xunit1.xml', { prefix: 'services/shop' })
    expect(cases[0]).toMatchObject({ id: 'services/shop/tests/test_cart.py::test_empty', file: 'services/shop/tests/test_cart.py' })
  })

  it('tells files that could not be collected from tests', () => {
    const run = fixtureRun('junit', 'pytest-collection.xml')
    expect(brief(run)).toEqual([
      "trouble tests/test_bad.py | collection ModuleNotFoundError: No module named 'nothing_here'",
      'trouble tests/test_syntax.py | collection SyntaxError: invalid syntax',
    ])
    expect(run.troubles[0]?.fault.stack).toContain("importing test module 'tests/test_bad.py'")
  })

  it('without tests is a fault, and after an early stop is incomplete', () => {
    expect(brief(fixtureRun('junit', 'pytest-none.xml'))).toEqual(['trouble test run | no tests : no tests ran'])
    expect(fixtureRun('junit', 'pytest-stopped.xml')).toMatchObject({ complete: false, note: 'the run was stopped before its end' })
  })

  it('knows the time limit of pytest-timeout, and that a worker died', () => {
    const failure = (message: string) => {
      const test = `<testcase classname="a" name="b"><failure message="${message}">x</failure></testcase>`
      return runOf('junit', `<testsuite name="pytest">${test}</testsuite>`)
    }
    expect(failure('Failed: Timeout (&gt;1.0s) from pytest-timeout.').cases[0]?.fault?.kind).toBe('timeout')
    expect(failure("worker 'gw0' crashed while running 'a.py::b'").cases[0]?.fault?.kind).toBe('crash')
    expect(failure('TimeoutError: the server did not answer').cases[0]?.fault).toMatchObject({ kind: 'error', type: 'TimeoutError' })
  })
})

describe('JUnit XML of others', () => {
  it('of node:test keeps nested suites apart and files that died', () => {
    expect(brief(fixtureRun('junit', 'node.xml'))).toEqual(
      expect.arrayContaining([
        'pass suite > passes',
        'fail suite > inner > async fails | error RangeError: async',
        'fail throws | error TypeError: not a thingsecond line',
        'skip todo failing',
        'pass adds #2',
        'trouble test/exit.test.js | crash : test failed',
      ]),
    )
    const hooks = fixtureRun('junit', 'node-hooks.xml')
    expect(brief(hooks)).toContain('fail times out | timeout : test timed out after 50ms')
    expect(brief(hooks)).toContain('trouble test/hang.test.js | timeout : test timed out after 2000ms')
    expect(hooks.cases.some((test) => test.id.startsWith('/'))).toBe(false)
  })

  it('of vitest names file and test', () => {
    const lines = brief(fixtureRun('junit', 'vitest.xml'))
    expect(lines).toContain('pass test/cart.spec.js::suite > passes')
    expect(lines).toContain('fail test/cart.spec.js::same #2 | assertion AssertionError: expected +0 to be 1 // Object.is equality')
    expect(lines).toContain('fail test/cart.spec.js::times out | timeout Error: Test timed out in 100ms.')
    expect(lines).toContain('trouble test/empty.spec.js | no tests Error: No test suite found in file test/empty.spec.js')
    expect(lines.some((line) => line.startsWith('trouble test/load.spec.js | collection'))).toBe(true)
  })

  it('of Maven takes the last word of a retried test, ignores output, and knows classes that do not start', () => {
    const run = fixtureRun('junit', 'surefire.xml')
    expect(brief(run)).toEqual([
      'pass com.acme.CartTest > adds',
      'fail com.acme.CartTest > totals | assertion org.opentest4j.AssertionFailedError: expected: <3> but was: <4>',
      'fail com.acme.CartTest > removes | error java.lang.NullPointerException: Cannot invoke "java.util.List.size()"',
      'skip com.acme.CartTest > later',
      'pass com.acme.CartTest > shaky',
      'fail com.acme.CartTest > slow | timeout org.junit.runners.model.TestTimedOutException: test timed out after 5000 milliseconds',
      'trouble com.acme.BrokenTest | collection java.lang.IllegalStateException: no driver',
    ])
    expect(run.cases[1]?.fault?.stack).toContain('CartTest.java:21')
  })

  it('of Gradle, RSpec, PHPUnit and .NET gives each its own names', () => {
    expect(brief(fixtureRun('junit', 'gradle.xml'))).toEqual([
      'pass com.acme.PriceTest > rounds()',
      'pass com.acme.PriceTest > [1] 1, 2',
      'fail com.acme.PriceTest > [2] 3, 4 | assertion java.lang.AssertionError: 3 is not 4',
      'skip com.acme.PriceTest > later()',
      'trouble com.acme.OtherTest | collection java.lang.NoClassDefFoundError: com/acme/Gone',
    ])
    expect(brief(fixtureRun('junit', 'rspec.xml'))).toEqual([
      'pass spec/cart_spec.rb::Cart adds items',
      'pass spec/cart_spec.rb::Cart adds items #2',
      'fail spec/models/price_spec.rb::Price rounds | assertion RSpec::Expectations::ExpectationNotMetError: expected: 3',
      'skip spec/cart_spec.rb::Cart later',
    ])
    const php = 'tests/CartTest.php::Acme.Tests.CartTest'
    const phpType = 'PHPUnit\\Framework\\ExpectationFailedException'
    expect(brief(fixtureRun('junit', 'phpunit.xml'))).toEqual([
      `pass ${php} > testAdds`,
      `pass ${php} > testTotals with data set "empty"`,
      `fail ${php} > testTotals with data set "two" | assertion ${phpType}: Failed asserting that 4 matches expected 3.`,
      `fail ${php} > testRemoves | error TypeError: Cart::remove(): Argument #1 must be of type int, null given`,
    ])
    expect(brief(fixtureRun('junit', 'dotnet.xml'))).toEqual([
      'pass Acme.Tests.CartTests > Adds(x: 1, y: 2)',
      'pass Acme.Tests.CartTests > Adds(x: 2, y: 2)',
      'fail Acme.Tests.CartTests > Totals | assertion failure: Assert.Equal() Failure',
      'skip Acme.Tests.CartTests > Later',
    ])
  })
})

describe('JUnit XML that is not as it should be', () => {
  it('is incomplete wherever it is cut off', () => {
    const text = fixtureText('pytest-xunit1.xml')
    for (let at = 1; at < text.trimEnd().length; at += 37) {
      expect(runOf('junit', text.slice(0, at)), `cut at ${at}`).toMatchObject({ complete: false })
    }
  })

  it.each([
    ['', 'the report is empty'],
    ['no tests', 'the report is empty'],
    ['<html><body></body></html>', 'the report is no JUnit XML'],
    ['<testsuite><testcase name="a"></testsuite>', 'the report is no well-formed XML'],
    ['<testsuite failures="2"><testcase classname="a" name="b"/></testsuite>', 'the report counts 2 failures and shows none'],
  ])('%j is not believed', (text, note) => {
    expect(runOf('junit', text)).toMatchObject({ complete: false, note })
  })

  it('takes an error outside any test as trouble of its suite', () => {
    const text = '<testsuite name="cart" errors="1"><error type="LoadError" message="cannot load"/></testsuite>'
    expect(brief(runOf('junit', text))).toEqual(['trouble cart | error LoadError: cannot load'])
  })

  it('drops endless output and keeps a bounded part of an endless message', () => {
    const megabyte = 'noise <&] '.repeat(100_000)
    const noise = Array.from({ length: 30 }, () => megabyte)
    const text = ['<testsuite name="s"><testcase classname="a.B" name="c"><system-out><![CDATA[', ...noise, ']]></system-out>',
      '<failure message="m" type="T"><![CDATA[', ...noise, ']]></failure></testcase></testsuite>']
    const { cases, complete } = runInPieces('junit', text)
    expect(complete).toBe(true)
    expect(cases).toHaveLength(1)
    expect(cases[0]?.fault?.stack.length).toBeLessThanOrEqual(8000)
  })
})
