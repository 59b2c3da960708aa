// Tests of reading the JSON reports of jest and vitest, from real runs.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runInPieces, runOf } from './fixture.js'

const CART = 'test/cart.spec.js'

describe('the report of jest', () => {
  it('is read with suites, retries, hooks and files that could not be loaded', () => {
    const run = fixtureRun('jest', 'jest.json')
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(brief(run)).toEqual([
      `pass ${CART}::adds`,
      `fail ${CART}::fails | assertion Error: expect(received).toBe(expected) // Object.is equality`,
      `fail ${CART}::deep | assertion Error: expect(received).toEqual(expected) // deep equality`,
      `fail ${CART}::throws | error TypeError: not a thing`,
      `fail ${CART}::throws text | error Error: thrown: "just text"`,
      `skip ${CART}::skipped`,
      `skip ${CART}::todo`,
      `pass ${CART}::suite > passes`,
      `fail ${CART}::suite > inner > x > fails | error RangeError: async`,
      `pass ${CART}::each 1 2`,
      `fail ${CART}::each a b | assertion Error: expect(received).toBe(expected) // Object.is equality`,
      `pass ${CART}::ünï — 名前`,
      `pass ${CART}::same`,
      `fail ${CART}::same #2 | assertion Error: expect(received).toBe(expected) // Object.is equality`,
      `fail ${CART}::times out | timeout Error: thrown: "Exceeded timeout of 100 ms for a test.`,
      `fail ${CART}::hook > never | error Error: hook broke`,
      `pass ${CART}::after > fine`,
      'pass test/good.spec.js::adds',
      'skip test/good.spec.js::whole > inside',
      'pass test/good.spec.js::retried',
      `trouble ${CART} | error : after broke`,
      "trouble test/load.spec.js | collection : Cannot find module './nothing-here' from 'test/load.spec.js'",
      'trouble test/empty.spec.js | no tests : Your test suite must contain at least one test.',
      'trouble test/syntax.spec.js | collection SyntaxError: test/syntax.spec.js: Unexpected token (2:0)',
    ])
    expect(run.cases[1]).toMatchObject({ file: CART, seconds: 0.008, fault: { stack: expect.stringContaining(`(${CART}:4:33)`) } })
  })
})

describe('the report of vitest', () => {
  it('is read with its own habits', () => {
    const run = fixtureRun('jest', 'vitest.json')
    const lines = brief(run)
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(lines).toContain(`fail ${CART}::fails | assertion AssertionError: expected 1 to be 2 // Object.is equality`)
    expect(lines).toContain(`fail ${CART}::times out | timeout Error: the test or its hook timed out`)
    expect(lines).toContain(`fail ${CART}::same #2 | assertion AssertionError: expected +0 to be 1 // Object.is equality`)
    expect(lines).toContain('pass test/good.spec.js::retried')
    expect(lines.filter((line) => line.startsWith('trouble'))).toEqual([
      'trouble test/empty.spec.js | no tests : No test suite found in file test/empty.spec.js',
      "trouble test/load.spec.js | collection : Cannot find module './nothing-here'",
      expect.stringMatching(/^trouble test\/syntax\.spec\.js \| collection : Failed to parse source/),
    ])
  })

  it('does not let tests pass whose process died, nor a file whose hook threw', () => {
    const run = fixtureRun('jest', 'vitest-crash.json')
    expect(run).toMatchObject({ complete: false, note: 'test/crash.spec.js: 3 tests were not finished' })
    expect(brief(run)).toEqual([
      'pass test/good.spec.js::fine',
      'pass test/good.spec.js::rejects later',
      'skip test/good.spec.js::x > inside',
      'trouble test/crash.spec.js | crash : the process ended before the tests of this file did',
      expect.stringMatching(/^trouble test\/good\.spec\.js \| error : the file failed outside its tests/),
    ])
  })
})

describe('a report that is not as it should be', () => {
  it.each([
    ['', 'the report is empty'],
    ['{"testResults":[', 'the report is no JSON document: it is cut off or something else'],
    ['[1]', 'the report is no JSON document: it is cut off or something else'],
    ['{"a":1}', 'the report is none of jest or vitest: it has no testResults'],
    ['{"numTotalTests":2,"testResults":[{"name":"/checkout/a.js","assertionResults":[]}]}', 'the report counts 2 tests and lists 0'],
    ['{"wasInterrupted":true,"testResults":[]}', 'the run was interrupted'],
    ['{"testResults":[{"name":"/checkout/a.js","assertionResults":[{"title":"a","status":"odd"}]}]}', 'a.js: 1 tests were not finished'],
  ])('%j is incomplete', (text, note) => {
    expect(runOf('jest', text)).toMatchObject({ complete: false, note })
  })

  it('is read behind what was printed before it', () => {
    expect(runOf('jest', `some { words\n${fixtureText('vitest.json')}\n`).cases).toHaveLength(23)
  })

  it('without tests is a fault', () => {
    expect(brief(runOf('jest', '{"numTotalTests":0,"testResults":[]}'))).toEqual(['trouble test run | no tests : no tests ran'])
  })

  it('is not kept when it is larger than 64 MB', () => {
    const pieces = Array.from({ length: 65 }, () => ' '.repeat(1024 * 1024))
    expect(runInPieces('jest', pieces)).toMatchObject({ complete: false, note: 'report larger than 64 MB', cases: [] })
  })
})
