// Tests of what reports say together, and of holding them against how the command ended.
import { describe, expect, it } from 'vitest'
import type { Fault, TestCase, TestRun, Trouble } from '../../../text/failures/test-run.js'
import type { Start } from './reports.js'
import { NOTHING_TOLD, toldBy, type Told } from './told.js'
import { verdictOf, verdictOnly } from './verdict.js'

const EMPTY: TestRun = { cases: [], more: 0, troubles: [], complete: true, note: '' }
const test = (id: string, status: TestCase['status'] = 'pass'): TestCase => ({ id, file: null, status, seconds: null, fault: null })
const trouble = (subject: string, kind: Fault['kind']): Trouble => ({ subject, fault: { kind, type: '', message: kind, stack: '' } })
const runOf = (cases: TestCase[], rest: Partial<TestRun> = {}): TestRun => ({ ...EMPTY, cases, ...rest })
const start = (runner: string, run: TestRun | null, folder = ''): Start => ({ runner, folder, run })
const told = (...starts: Start[]): Told => toldBy(starts, 0)

describe('what reports say together', () => {
  it('is one test where two runs name the same, and it fails when either does.', () => {
    const both = told(start('vitest', runOf([test('a', 'fail'), test('b', 'skip')])), start('vitest', runOf([test('a'), test('b')])))
    expect(both.cases.map(({ id, status }) => `${id} ${status}`)).toEqual(['a fail', 'b pass'])
  })

  it('is incomplete, and a crash of its own, when a runner left nothing.', () => {
    expect(told(start('vitest', runOf([test('a')])), start('jest', null, 'pkg'))).toMatchObject({
      known: true, complete: false, silent: 1, notes: ['jest in pkg left no report'],
      troubles: [{ subject: 'jest in pkg', fault: { kind: 'crash' } }],
    })
  })

  it('is a run without tests when jest or mocha said so and left nothing, and no fault beside other tests.', () => {
    const empty = { subject: 'test run', fault: { kind: 'no tests' } }
    expect(toldBy([start('jest', null)], 1)).toMatchObject({ known: true, complete: true, troubles: [empty] })
    expect(toldBy([start('jest', null, 'a'), start('jest', runOf([test('a')]))], 1)).toMatchObject({ complete: true, troubles: [] })
    expect(toldBy([start('vitest', null)], 1)).toMatchObject({ complete: false, silent: 1 })
  })

  it('keeps a test file without tests as a fault, whatever else there is.', () => {
    const troubles = [trouble('a.test.js', 'no tests'), trouble('test run in b', 'no tests')]
    expect(told(start('jest', runOf([test('x')], { troubles }))).troubles.map(({ subject }) => subject)).toEqual(['a.test.js'])
  })

  it('does not miss the report of a file that may have no tests.', () => {
    expect(told(start('file', null))).toMatchObject({ known: false, complete: true, silent: 0, hasTests: true })
  })
})

describe('a verdict', () => {
  const green = told(start('vitest', runOf([test('a'), test('b')])))
  const red = told(start('vitest', runOf([test('a', 'fail'), test('b')])))

  it('is a pass only when both exit status and reports are.', () => {
    expect(verdictOf(green, 'pass', [])).toMatchObject({ exit: 'pass', complete: true, notes: ['2 tests'] })
    expect(verdictOf(red, 'pass', [])).toMatchObject({ exit: 'fail', reads: 'the reports', notes: ['1 of 2 tests failed'] })
    expect(verdictOf(green, 'fail', [])).toMatchObject({ exit: 'fail', reads: 'the output' })
    expect(verdictOf(green, 'pass', ['Assertion failed'])).toMatchObject({ exit: 'fail', troubles: [{ subject: 'console.assert' }] })
  })

  it('is no pass on a report that is cut off.', () => {
    const cut = told(start('node', runOf([test('a')], { complete: false, note: 'the report is cut off' })))
    expect(verdictOf(cut, 'pass', [])).toMatchObject({
      exit: 'fail', complete: false, troubles: [{ subject: 'report', fault: { kind: 'crash', message: 'the report is cut off' } }],
    })
    expect(verdictOf(cut, 'fail', [])).toMatchObject({ exit: 'fail', complete: false, reads: 'the output' })
  })

  it('reads the output when a runner could not say what is wrong, and only then.', () => {
    expect(verdictOf(red, 'fail', []).reads).toBe('the reports')
    expect(verdictOf(told(start('vitest', runOf([test('a', 'fail')])), start('jest', null)), 'fail', []).reads).toBe('the output')
    expect(verdictOf(NOTHING_TOLD, 'fail', []).reads).toBe('the output')
  })

  it('at a time limit does not blame a runner for the report it could not write.', () => {
    expect(verdictOf(told(start('vitest', null)), 'timeout', [])).toMatchObject({ exit: 'timeout', complete: false, troubles: [] })
  })

  it('does not say the same assertion twice.', () => {
    const fault: Fault = { kind: 'assertion', type: 'console.assert', message: 'Assertion failed: x', stack: '' }
    const said: Trouble = { subject: 'console.assert', fault }
    const both = told(start('node', runOf([test('a')], { troubles: [said] })))
    expect(verdictOf(both, 'pass', ['Assertion failed: x']).troubles).toHaveLength(1)
  })
})

describe('a verdict on some tests alone', () => {
  const cases = [test('a.js::x'), test('a.js::y', 'fail'), test('a.js::z', 'skip')]
  const all = told(start('vitest', runOf(cases, { troubles: [trouble('b.js', 'collection')] })))

  it('knows nothing of other tests, nor of how the command ended for them.', () => {
    const alone = { exit: 'pass', complete: true, cases: [{ id: 'a.js::x' }], troubles: [], notes: [] }
    expect(verdictOnly(all, 'fail', ['a.js::x'])).toMatchObject(alone)
    expect(verdictOnly(all, 'pass', ['a.js::x', 'a.js::y'])).toMatchObject({ exit: 'fail', complete: true })
  })

  it('is none where a wanted test was not run, and names its file where that could not be loaded.', () => {
    const skipped = { exit: 'fail', complete: false, cases: [], notes: ['1 of 1 wanted test not reported'] }
    expect(verdictOnly(all, 'pass', ['a.js::z'])).toMatchObject(skipped)
    expect(verdictOnly(all, 'fail', ['b.js::w'])).toMatchObject({ exit: 'fail', complete: false, troubles: [{ subject: 'b.js' }] })
    expect(verdictOnly(all, 'timeout', ['a.js::x']).exit).toBe('timeout')
  })
})
