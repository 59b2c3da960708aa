// Tests of reading what Python's unittest prints, from real runs.
import { describe, expect, it } from 'vitest'
import { brief, fixtureRun, fixtureText, runOf } from './fixture.js'

const CART = 'tests.test_cart.Cart'
const EXPECTED = [
  `pass ${CART}.test_adds`,
  `fail ${CART}.test_described | assertion AssertionError: {'a': 1} != {'a': 2}`,
  `pass ${CART}.test_described_ok`,
  `skip ${CART}.test_expected`,
  `skip ${CART}.test_later`,
  `pass ${CART}.test_noisy`,
  `fail ${CART}.test_noisy_fail | assertion AssertionError: bad`,
  `fail ${CART}.test_raises | error ValueError: déjà vu`,
  `fail ${CART}.test_sub | assertion AssertionError: [part] (i=1) 1 != 0`,
  `pass ${CART}.test_sub_ok`,
  "fail tests.test_cart.TestÜ.test_ñ | assertion AssertionError: 'ü' not found in 'abc'",
  'fail tests.test_cleanup.T.test_a | error OSError: teardown',
  'fail tests.test_cleanup.T.test_b | error OSError: teardown',
  "trouble tests.test_bad | collection ModuleNotFoundError: No module named 'nothing_here'",
  'trouble tests.test_cart.Broken.setUpClass | error RuntimeError: no class',
  'trouble tests.test_cleanup.tearDownModule | error RuntimeError: module down',
]

describe('output of unittest', () => {
  it.each([
    ['unittest-3.11.txt', `fail ${CART}.test_unexpected | assertion unexpected success: `],
    ['unittest-3.8.txt', `fail ${CART}.test_unexpected | error : nothing more was reported`],
  ])('is read from %s', (name, unexpected) => {
    const run = fixtureRun('unittest', name)
    expect(run).toMatchObject({ complete: true, note: '' })
    expect(brief(run).toSorted()).toEqual([...EXPECTED, unexpected].toSorted())
    expect(run.cases.find((test) => test.id.endsWith('test_raises'))?.fault?.stack).toContain('File "tests/test_cart.py", line 17')
  })

  it('names the package it ran in', () => {
    expect(fixtureRun('unittest', 'unittest-3.11.txt', { prefix: 'srv' }).cases[0]?.id).toBe(`srv::${CART}.test_adds`)
  })

  it('without tests is a fault', () => {
    expect(brief(fixtureRun('unittest', 'unittest-none.txt'))).toEqual(['trouble test run | no tests : no tests ran'])
  })

  it('of a process that died in mid-run is incomplete', () => {
    const run = fixtureRun('unittest', 'unittest-crash.txt')
    expect(brief(run)).toEqual(['pass test_x.A.test_a'])
    expect(run.complete).toBe(false)
  })

  it('is incomplete wherever it is cut off', () => {
    const text = fixtureText('unittest-3.11.txt')
    const end = text.indexOf('FAILED (')
    for (let at = 1; at < end; at += 61) expect(runOf('unittest', text.slice(0, at)), `cut at ${at}`).toMatchObject({ complete: false })
  })

  it('is incomplete when it names fewer tests than ran, and when it contradicts itself', () => {
    expect(fixtureRun('unittest', 'unittest-dots.txt')).toMatchObject({ complete: false, note: '15 tests ran and 0 are named' })
    const tail = `\n${'-'.repeat(70)}\nRan 1 test in 0.1s\n\n`
    expect(runOf('unittest', `a (m.C.a) ... FAIL\n${tail}OK\n`).note).toBe('tests failed though the report ends with OK')
    expect(runOf('unittest', `a (m.C.a) ... ok\nb (m.C.b) ... ok\n${tail}OK\n`).note).toBe('1 tests ran and 2 are named')
    expect(runOf('unittest', `a (m.C.a) ... ok\nb (m.C.b) ... skipped 'x'\n${tail}OK (skipped=1)\n`).complete).toBe(true)
    expect(runOf('unittest', '').note).toBe('the report is empty')
  })
})
