// Tests of gathering: limits, tests reported twice, runs without tests.
import { describe, expect, it } from 'vitest'
import { MOST_CASES, type Fault } from '../../../text/failures/test-run.js'
import { createCollector } from './collect.js'
import { createNames } from './names.js'

const collector = () => createCollector(createNames({ roots: [] }))
const fault = (message: string): Fault => ({ kind: 'error', type: 'T', message, stack: '' })

describe('a collector', () => {
  it('counts a test that failed once as failing when it comes again, with the first fault and the time of both', () => {
    const into = collector()
    into.add({ id: 'a', file: null, status: 'fail', seconds: 1, fault: fault('first') }, 'again')
    into.add({ id: 'a', file: 'x.py', status: 'pass', seconds: 2 }, 'again')
    into.add({ id: 'b', file: null, status: 'skip' }, 'again')
    into.add({ id: 'b', file: null, status: 'pass' }, 'again')
    into.add({ id: 'b', file: null, status: 'fail', fault: fault('second') }, 'again')
    expect(into.finish('is wrong').cases).toEqual([
      { id: 'a', file: 'x.py', status: 'fail', seconds: 3, fault: fault('first') },
      { id: 'b', file: null, status: 'fail', seconds: null, fault: fault('second') },
    ])
  })

  it('numbers tests that share a name in the order they come, and never gives a number twice', () => {
    const into = collector()
    for (const id of ['a', 'a #2', 'a', 'a', 'b']) into.add({ id, file: null, status: 'pass' }, 'another')
    expect(into.finish('is wrong').cases.map((test) => test.id)).toEqual(['a', 'a #2', 'a #3', 'a #4', 'b'])
  })

  it('keeps only so many tests by name, and every failing one beyond', () => {
    const into = collector()
    for (let n = 0; n < MOST_CASES + 50; n += 1) into.add({ id: `t${n}`, file: null, status: 'pass' }, 'another')
    into.add({ id: 'late', file: null, status: 'fail', fault: fault('x') }, 'another')
    const run = into.finish('is wrong')
    expect(run.cases).toHaveLength(MOST_CASES + 1)
    expect(run.cases.at(-1)).toMatchObject({ id: 'late', status: 'fail' })
    expect(run.more).toBe(50)
  })

  it('keeps less text of each fault when there are very many', () => {
    const into = collector()
    const long = { ...fault('m'.repeat(5000)), stack: 's'.repeat(20_000) }
    for (let n = 0; n < 2000; n += 1) into.add({ id: `t${n}`, file: null, status: 'fail', fault: long }, 'another')
    const { cases } = into.finish('is wrong')
    const chars = cases.reduce((sum, test) => sum + (test.fault?.message.length ?? 0) + (test.fault?.stack.length ?? 0), 0)
    expect(cases[0]?.fault?.message).toHaveLength(1999)
    expect(chars).toBeLessThan(9_000_000)
    expect(cases.at(-1)?.fault).toMatchObject({ stack: '', message: expect.stringMatching(/^m{100,}/) })
  })

  it('keeps of thousands of faults more only that there are some, so that memory stays bounded', () => {
    const into = collector()
    for (let n = 0; n < 20_010; n += 1) into.add({ id: `t${n}`, file: null, status: 'fail', fault: fault('x') }, 'another')
    const { cases } = into.finish('is wrong')
    expect(cases).toHaveLength(20_010)
    expect(cases[19_999]?.fault?.message).toBe('x')
    expect(cases.at(-1)).toMatchObject({ status: 'fail', fault: { message: expect.stringContaining('too many failures') } })
  })

  it('calls a run without tests a fault of its own, unless something else is wrong or none are needed', () => {
    const noTests = [{ subject: 'test run', fault: { kind: 'no tests', type: '', message: 'no tests ran', stack: '' } }]
    expect(collector().finish('is wrong')).toEqual({ cases: [], more: 0, troubles: noTests, complete: true, note: '' })
    expect(collector().finish('is fine').troubles).toEqual([])
    const doubted = collector()
    doubted.doubt('cut off')
    doubted.doubt('cut off')
    expect(doubted.finish('is wrong')).toMatchObject({ troubles: [], complete: false, note: 'cut off' })
    const troubled = collector()
    troubled.trouble('x', fault('y'))
    expect(troubled.finish('is wrong').troubles.map((trouble) => trouble.subject)).toEqual(['x'])
  })

  it('says of a failing test of which nothing more is known that nothing was reported, and of no passing one', () => {
    const into = collector()
    into.add({ id: 'a', file: null, status: 'fail' }, 'again')
    into.add({ id: 'b', file: null, status: 'pass', fault: fault('x') }, 'again')
    expect(into.finish('is wrong').cases.map((test) => test.fault?.message ?? null)).toEqual(['nothing more was reported', null])
  })
})
