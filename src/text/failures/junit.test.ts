// Tests of the JUnit export: read back by a strict XML parser and by our own reader of JUnit reports.
import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { failureOf, gateResult } from '../../../test/support/core-cases.js'
import { junitReader } from '../../adapters/gates/readers/junit.js'
import { createNames, plainId } from '../../adapters/gates/readers/names.js'
import type { Failure, GateResult } from '../../core/types.js'
import { junitOf, type JunitInput, type TestList } from './junit.js'
import type { TestRun } from './test-run.js'

const TIMESTAMP = '2026-02-06T10:00:00.000Z'

type Part = { gates?: GateResult[]; failures?: Failure[]; tests?: Record<string, TestList> } & Partial<JunitInput['judgement']>

function exported({ gates = [gateResult('test')], failures = [], tests = {}, found = [], excused = [], flaky = [] }: Part): string {
  return junitOf({ session: 's1', report: { gates, failures }, judgement: { found, excused, flaky }, tests, timestamp: TIMESTAMP })
}

/** Fails on anything that is not well-formed XML 1.0. Element → its attributes, in order. */
function strictly(xml: string): [string, Record<string, string>][] {
  const seen: [string, Record<string, string>][] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => void seen.push([name, attributes as Record<string, string>]))
  parser.write(xml).close()
  return seen
}

function readBack(xml: string): TestRun {
  strictly(xml)
  const reader = junitReader(createNames({ roots: [] }))
  reader.push(xml)
  return reader.end()
}

/** Test → how it came out. */
function outcomes(part: Part): Record<string, string> {
  return Object.fromEntries(readBack(exported(part)).cases.map(({ id, status }) => [id, status]))
}

const failing = gateResult('test', { exit: 'fail' })
const list = (...ids: string[]): Record<string, TestList> => ({ test: { ids, skipped: [] } })

describe('the JUnit export of a check', () => {
  it('holds every listed test in its order, with what it came to', () => {
    const skipped = 'tests/test_b.py::T::test_c'
    const ids = ['src/a.test.ts::adds > small', 'src/a.test.ts::adds > large', skipped, 'example.com/m/cart::TestAdd/small']
    const wrong = failureOf('src/a.test.ts::adds > large', { message: 'AssertionError: 1 is not 2\nat src/a.ts' })
    const run = readBack(exported({ gates: [failing], failures: [wrong], tests: { test: { ids, skipped: [skipped] } } }))
    expect(run.complete).toBe(true)
    expect(run.cases.map(({ id, status }) => [id, status])).toEqual([
      ['src/a.test.ts::adds > small', 'pass'], ['src/a.test.ts::adds > large', 'fail'], ['tests/test_b.py::T::test_c', 'skip'],
      ['example.com/m/cart::TestAdd/small', 'pass'],
    ])
    expect(run.cases[1]?.fault).toMatchObject({ kind: 'assertion', type: 'AssertionError', message: '1 is not 2\nat src/a.ts' })
    expect(run.cases[0]?.file).toBe('src/a.test.ts')
  })

  it('counts what it shows', () => {
    const part: Part = { gates: [failing], failures: [failureOf('b')], tests: { test: { ids: ['a', 'b', 'c'], skipped: ['c'] } } }
    const elements = strictly(exported(part))
    expect(elements.slice(0, 2)).toEqual([
      ['testsuites', { name: 'greenlatch s1', tests: '3', failures: '1', errors: '0', skipped: '1' }],
      ['testsuite', { name: 'gate test', tests: '3', failures: '1', errors: '0', skipped: '1', time: '1.000', timestamp: TIMESTAMP }],
    ])
  })

  it('shows failures that were set aside as skipped, with why, so that they turn nothing red', () => {
    const odd = failureOf('odd', { runs: { failed: 1, of: 3 }, before: { failed: 2, of: 5 } })
    const aside = { excused: ['old'], flaky: ['odd'] }
    const part: Part = { gates: [failing], failures: [odd, failureOf('old')], tests: list('odd', 'old', 'fine'), ...aside }
    expect(outcomes(part)).toEqual({ odd: 'skip', old: 'skip', fine: 'pass' })
    const elements = strictly(exported(part))
    expect(elements).toContainEqual(['skipped', { message: 'flaky, failed 1 of 3: odd is wrong' }])
    expect(elements).toContainEqual(['skipped', { message: 'excused, failed 1 of 1: old is wrong' }])
    expect(elements).toContainEqual(['property', { name: 'greenlatch.status', value: 'flaky' }])
    expect(elements).toContainEqual(['property', { name: 'greenlatch.runs_at_start', value: '2 of 5' }])
  })

  it.each([
    ['was not run', { exit: 'not run', complete: false }],
    ['could not be run', { exit: 'error', complete: false }],
    ['hit its time limit', { exit: 'timeout' }],
    ['broke off', { exit: 'fail', complete: false }],
    ['kept tests back', { exit: 'pass', missing: 1 }],
    ['has more failures than are listed', { exit: 'fail', more: 2 }],
  ] as const)('calls no test passed whose gate %s', (_what, part) => {
    expect(outcomes({ gates: [gateResult('test', part)], tests: list('a', 'b') })).toEqual({ a: 'skip', b: 'skip' })
  })

  it('shows failures that no list names, those of the engine, and gates that have no tests', () => {
    const unrun = gateResult('types', { exit: 'not run', complete: false, note: 'an earlier gate did not pass' })
    const found = [failureOf('change: no change', { gate: 'change' })]
    const part: Part = { gates: [gateResult('lint'), unrun, failing], failures: [failureOf('src/a.c:<line>: error: x')], found }
    expect(outcomes(part)).toEqual({ lint: 'pass', types: 'skip', 'src/a.c:<line>: error: x': 'fail', 'change: no change': 'fail' })
  })

  it('finds the failure of a test whose id is longer than records keep', () => {
    const id = `src/a.test.ts::${'long '.repeat(80)}end`
    const failures = [failureOf(`${id.slice(0, 239)}…`)]
    expect(outcomes({ gates: [failing], failures, tests: list(id, 'b') })).toEqual({ [id]: 'fail', b: 'pass' })
  })

  it('is well-formed and holds every name and message, whatever characters they are made of', () => {
    const odd = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(fc.array(fc.tuple(odd, odd), { maxLength: 8 }), odd, (tests, note) => {
        const ids = tests.map(([id]) => id)
        const failures = tests.filter((_test, at) => at % 2 === 0).map(([id, message]) => failureOf(id, { message }))
        const elements = strictly(exported({ gates: [{ ...failing, note }], failures, tests: list(...ids), flaky: ids.slice(0, 1) }))
        expect(elements.filter(([name]) => name === 'testcase').length).toBeGreaterThanOrEqual(new Set(ids).size)
      }),
      { numRuns: 60 },
    )
  })

  it('replaces what XML cannot hold and keeps all the rest', () => {
    const message = 'a\u0000b\u001b[31mc\ud800d\ufffee & <f> "g" ]]> \ud83d\ude00\tx\ny\rz'
    const elements = strictly(exported({ gates: [failing], failures: [failureOf('odd', { message })] }))
    expect(elements.find(([name]) => name === 'failure')?.[1]['message']).toBe(
      'a\ufffdb\ufffd[31mc\ufffdd\ufffde & <f> "g" ]]> \ud83d\ude00\tx\ny\rz',
    )
  })

  it('gives our own reader back the ids it was made of', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((text) => !['test', 'suite', 'unknown'].includes(text))
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    const inFile = fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), name).map(([parts, rest]) => `${parts.join('/')}.ts::${rest}`)
    const ids = fc.uniqueArray(inFile.filter((id) => id === plainId(id) && !/ #\d+$/.test(id)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(ids, (all) => {
        const failures = all.slice(0, 2).map((id) => failureOf(id))
        const came = readBack(exported({ gates: [failing], failures, tests: list(...all) })).cases.map(({ id, status }) => [id, status])
        expect(came).toEqual(all.map((id, at) => [id, at < 2 ? 'fail' : 'pass']))
      }),
      { numRuns: 200 },
    )
  })
})
