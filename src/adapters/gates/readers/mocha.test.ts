// Tests of reading mocha's JSON report, from a real run.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runOf } from './fixture.js'

const CART = 'test/cart.js'

describe('the report of mocha', () => {
  it('is read with retries, hooks and tests of one name', () => {
    const run = fixtureRun('mocha', 'mocha.json')
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(brief(run)).toEqual([
      `pass ${CART}::adds`,
      `fail ${CART}::fails | assertion AssertionError: Expected values to be strictly equal:`,
      `fail ${CART}::throws | error TypeError: not a thing`,
      `fail ${CART}::throws text | error Error: the string "just text" was thrown, throw an Error :)`,
      `skip ${CART}::skipped`,
      `skip ${CART}::pending`,
      `pass ${CART}::ünï — 名前`,
      `pass ${CART}::same`,
      `fail ${CART}::same #2 | assertion AssertionError: Expected values to be strictly deep-equal:`,
      expect.stringMatching(/^fail test\/cart\.js::times out \| timeout Error: Timeout of 50ms exceeded\./),
      `pass ${CART}::retried`,
      'pass test/other.js::adds',
      `pass ${CART}::suite > passes`,
      `fail ${CART}::suite inner > fails | error RangeError: async`,
      `pass ${CART}::after > fine`,
      `trouble ${CART}::hook > "before all" hook for "never" | error Error: hook broke`,
      `trouble ${CART}::each hook > "before each" hook for "one" | error Error: each broke`,
      `trouble ${CART}::after > "after all" hook for "fine" | error Error: after broke`,
    ])
  })

  it('keeps suites apart where their titles are listed', () => {
    const test = { title: 'c', fullTitle: 'a b c', titlePath: ['a', 'b', 'c'], file: '/checkout/t.js', duration: 1, err: {} }
    const text = JSON.stringify({ stats: { tests: 1, failures: 0, end: 'x' }, tests: [test], pending: [], failures: [], passes: [test] })
    expect(runOf('mocha', text).cases).toEqual([{ id: 't.js::a > b > c', file: 't.js', status: 'pass', seconds: 0.001, fault: null }])
  })

  it('takes a hook for trouble even when it is called like a failing test', () => {
    const failure = { title: 'a', fullTitle: 'a', file: '/checkout/t.js', err: { message: 'x' } }
    const text = JSON.stringify({ stats: { tests: 1, failures: 2, end: 'x' }, tests: [failure], pending: [], failures: [failure, failure] })
    expect(brief(runOf('mocha', text))).toEqual(['fail t.js::a | error : x', 'trouble t.js::a | error : x'])
  })

  it.each([
    [(text: string) => text.slice(0, -10), 'the report is no JSON document: it is cut off or something else'],
    [(text: string) => text.replace('"tests": 15', '"tests": 16'), 'the report counts 16 tests and lists 15'],
    [(text: string) => text.replace('"failures": 9', '"failures": 1'), 'the report counts 1 failures and lists 9'],
    [(text: string) => text.replace(/"end": ".*"/, '"end": ""'), 'the run did not come to its end'],
    [() => '{"testResults":[]}', 'the report is none of mocha: it has no stats and tests'],
  ])('is incomplete when it is cut off or contradicts itself (%#)', (spoil, note) => {
    expect(runOf('mocha', spoil(fixtureText('mocha.json')))).toMatchObject({ complete: false, note })
  })

  it('without tests is a fault', () => {
    const text = '{"stats":{"tests":0,"failures":0,"end":"x"},"tests":[],"pending":[],"failures":[],"passes":[]}'
    expect(brief(runOf('mocha', text))).toEqual(['trouble test run | no tests : no tests ran'])
  })
})
