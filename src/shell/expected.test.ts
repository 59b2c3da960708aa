// Tests of the tests that have to be there: fewer are never a pass, and the list cannot be exchanged.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openedWith, procedureOf } from '../../test/support/core-cases.js'
import { openFolder } from '../adapters/journal/folder.js'
import { apply } from '../core/index.js'
import type { GateOutcome } from '../ports.js'
import { expectedOf, plannedList, plannedTests, withMissing } from './expected.js'

type Heard = Exclude<GateOutcome, 'aborted'>

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'greenlatch-expected-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

function heard(ids: string[] | null, skipped: string[] = [], exit: Heard['result']['exit'] = 'pass'): Heard {
  const result = { gate: 'test', exit, complete: true, known: ids !== null, missing: 0, seconds: 1, note: 'exit 0' }
  return { result, failures: [], ids, skipped, files: [] }
}

const expected = { ids: new Set(['a', 'b', 'c']), skipped: new Set(['c']) }

describe('the tests that a gate has to report', () => {
  it('are counted as missing when they are not reported, or are skipped now, and are named', () => {
    expect(withMissing(heard(['a', 'b', 'c', 'd']), expected).result).toMatchObject({ missing: 0, note: 'exit 0' })
    expect(withMissing(heard(['a', 'c']), expected).result).toMatchObject({ missing: 1, note: 'no longer reported: b; exit 0' })
    expect(withMissing(heard(['a', 'b', 'c'], ['b', 'c']), expected).result).toMatchObject({ missing: 1, note: 'skipped now: b; exit 0' })
  })

  it('are all missing when there is no report at all', () => {
    expect(withMissing(heard(null), expected).result.missing).toBe(3)
    expect(withMissing(heard(null, [], 'fail'), expected).result.missing).toBe(3)
  })

  it('are nobody’s business when the gate could not be run, or none are known', () => {
    expect(withMissing(heard(null, [], 'error'), expected).result.missing).toBe(0)
    expect(withMissing(heard(null), { ids: new Set(), skipped: new Set() }).result.missing).toBe(0)
  })

  it('come from the file that the journal names, and from no other', () => {
    const folder = openFolder(place)
    const ref = folder.write('baseline.test.tests.json', JSON.stringify({ ids: ['a'], skipped: ['b'] }))
    const session = { ...apply(null, openedWith(procedureOf({}))), ids: { test: ref } }
    expect(expectedOf(folder, session, 'test')).toEqual({ ids: new Set(['a']), skipped: new Set(['b']), given: new Set(['a']) })
    expect(expectedOf(folder, session, 'other').ids.size).toBe(0)
    writeFileSync(join(place, ref.path), JSON.stringify({ ids: [], skipped: [] }))
    expect(() => expectedOf(folder, session, 'test')).toThrow(/gone or was changed/)
  })

  it('IS-05 of a plan are told from those that were given, and are on record as soon as they can be run', () => {
    const folder = openFolder(place)
    const tests = folder.write('plan-tests.json', '["t.py"]')
    const ref = folder.write('plan.test.tests.json', JSON.stringify({ ids: ['old::a', 't.py::b'], skipped: [], planned: ['t.py::b'] }))
    const session = { ...apply(null, openedWith(procedureOf({}))), ids: { test: ref }, kept: { tests } }
    const expected = expectedOf(folder, session, 'test')
    expect(expected.given).toEqual(new Set(['old::a']))
    const now = heard(['old::a', 't.py::b', 'other.py::c'], [])
    expect(plannedList(now, plannedTests(folder, session), expected)).toBeNull()
    const before = { ids: new Set(['old::a']), given: new Set(['old::a']), skipped: new Set<string>() }
    expect(plannedList(now, ['t.py'], before)).toEqual({ ids: ['old::a', 't.py::b'], skipped: [], planned: ['t.py::b'] })
    expect(plannedList(heard(null), ['t.py'], before)).toBeNull()
    writeFileSync(join(place, tests.path), '[]')
    expect(() => plannedTests(folder, session)).toThrow(/gone or was changed/)
  })
})
