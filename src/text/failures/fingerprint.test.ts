// Tests of a failure's identity, of its message for people, and of comparing sets of failures.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSets, failureOf, FINGERPRINT_VERSION, fingerprintOf } from './fingerprint.js'
import { normaliseLine } from './noise.js'
import type { Fault, TestCase, Trouble } from './test-run.js'

const STACK = 'RangeError: 5 of 4 slots used\n    at reserve (src/shop.ts:12:5)\n    at test/shop.test.ts:3:1'
const FAULT: Fault = { kind: 'error', type: 'RangeError', message: '5 of 4 slots used', stack: STACK }
const ID = 'test/shop.test.ts::reserves'

function printOf(changes: Partial<Fault> = {}, id = ID, gate = 'tests'): string {
  return fingerprintOf({ gate, id, fault: { ...FAULT, ...changes } })
}

function caseOf(fault: Fault | null): TestCase {
  return { id: ID, file: 'test/shop.test.ts', status: 'fail', seconds: 1, fault }
}

/** What changes from run to run though the fault is the same. */
type Run = {
  line: number
  column: number
  port: number
  pid: number
  hex: string
  ms: number
  uuid: string
  name: string
  at: Date
  colour: boolean
  eol: string
}

const runs = fc.record<Run>({
  line: fc.integer({ min: 1, max: 99_999 }),
  column: fc.integer({ min: 1, max: 200 }),
  port: fc.integer({ min: 1024, max: 65_535 }),
  pid: fc.integer({ min: 1, max: 4_000_000 }),
  hex: fc.stringMatching(/^[0-9a-f]{8,12}$/),
  ms: fc.integer({ min: 0, max: 1_000_000 }),
  uuid: fc.uuid(),
  name: fc.stringMatching(/^[A-Za-z0-9]{6}$/),
  at: fc.date({ min: new Date('2025-01-02'), max: new Date('2033-01-01'), noInvalidDate: true }),
  colour: fc.boolean(),
  eol: fc.constantFrom('\n', '\r\n'),
})

function seen(run: Run): Fault {
  const text = [
    `job ${run.uuid} of pid ${run.pid} stopped at ${run.at.toISOString()} after ${run.ms}ms: 5 of 4 slots used`,
    `by <Chunk object at 0x${run.hex}> on 127.0.0.1:${run.port} in /tmp/run-${run.name}/log.txt, src/shop.ts:${run.line}`,
  ].join(run.eol)
  const message = run.colour ? `\u001b[31m${text}\u001b[39m` : text
  const stack = `RangeError: ${message}\n    at reserve (src/shop.ts:${run.line}:${run.column})\n    at test/shop.test.ts:${run.line + 3}:1`
  return { kind: 'error', type: 'RangeError', message, stack }
}

describe('a fingerprint', () => {
  it('carries the version of its recipe', () => {
    expect(FINGERPRINT_VERSION).toBe(2)
    expect(printOf()).toMatch(/^2:[0-9a-f]{16}$/)
  })

  it('is the one that was given out before, for as long as its version stands', () => {
    expect(printOf()).toBe('2:78216ff98eec1af0')
  })

  it('RB-03 stays the same in every other run of the same fault', () => {
    const uuid = 'f47ac10b-58cc-4372-a567-0e02b2c3d479'
    const numbers = { line: 1, column: 2, port: 1024, pid: 3, ms: 4 }
    const first = { ...numbers, hex: '00000001', uuid, name: 'AbCdEf', at: new Date('2026-11-16'), colour: false, eol: '\n' }
    const expected = printOf(seen(first))
    fc.assert(fc.property(runs, (run) => {
      expect(printOf(seen(run))).toBe(expected)
    }))
  })

  it.each([
    ['gate', printOf({}, undefined, 'lint')],
    ['test', printOf({}, 'test/shop.test.ts::releases')],
    ['type', printOf({ type: 'TypeError' })],
    ['value', printOf({ message: '6 of 4 slots used' })],
    ['function', printOf({ stack: FAULT.stack.replace('reserve', 'release') })],
    ['cause', printOf({ stack: `${FAULT.stack} {\n  [cause]: Error: disk is full` })],
  ])('is another for another %s', (_what, other) => {
    expect(other).not.toBe(printOf())
  })

  it('takes the file for the function when that has no name', () => {
    const at = (file: string) => printOf({ stack: `x\n    at ${file}:1:1` })
    expect(at('src/a.ts')).not.toBe(at('src/b.ts'))
  })

  it('does not care whether the runner wrote the type before the message', () => {
    expect(printOf({ message: `RangeError: ${FAULT.message}` })).toBe(printOf())
    expect(printOf({ message: `shop.errors.RangeError: ${FAULT.message}` })).toBe(printOf())
    expect(printOf({ message: `not a RangeError: ${FAULT.message}` })).not.toBe(printOf())
  })

  it('is one for all time-outs of a test, wherever it was and however long the limit', () => {
    const late = (message: string, name: string) => printOf({ kind: 'timeout', message, stack: `x\n    at ${name} (src/a.ts:1:1)` })
    expect(late('Test timed out in 5000ms.', 'a')).toBe(late('Test timed out in 10000ms.', 'b'))
    expect(late('Test timed out in 5000ms.', 'a')).not.toBe(printOf())
  })

  it.each([
    ['Maximum call stack size exceeded', 'RangeError'],
    ['maximum recursion depth exceeded in comparison', 'RecursionError'],
    ['', 'java.lang.StackOverflowError'],
  ])('is one for a recursion without an end, in whichever function it ended: %s', (message, type) => {
    const deep = (name: string) => printOf({ type, message, stack: `x\n    at ${name} (src/a.ts:1:1)` })
    expect(deep('isEven')).toBe(deep('isOdd'))
  })

  it('is made of any fault without an error, and always the same', () => {
    const text = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((codes) => String.fromCharCode(...codes))
    fc.assert(fc.property(text, text, text, (type, message, stack) => {
      expect(printOf({ type, message, stack })).toBe(printOf({ type, message, stack }))
    }))
  })
})

describe('a failure', () => {
  it('of a test is told by its id, with type, message and own place', () => {
    const failure = failureOf('tests', caseOf(FAULT))
    expect(failure).toEqual({
      gate: 'tests',
      subject: 'test/shop.test.ts::reserves',
      class: 'behaviour',
      fingerprint: printOf(),
      message: 'RangeError: 5 of 4 slots used\nat src/shop.ts:12 in reserve',
      runs: { failed: 1, of: 1 },
    })
  })

  it('of a test that said nothing still has an identity', () => {
    expect(failureOf('tests', caseOf(null)).fingerprint).toMatch(/^2:/)
  })

  it('outside any test is told by its subject', () => {
    const fault: Fault = { kind: 'collection', type: 'SyntaxError', message: "Unexpected token '}'", stack: '' }
    const trouble: Trouble = { subject: 'test/a.test.ts', fault }
    expect(failureOf('tests', trouble)).toMatchObject({ subject: 'test/a.test.ts', message: "SyntaxError: Unexpected token '}'" })
  })

  it('of plain output is its line: what happens to follow it does not count, a function that is named below does', () => {
    const fault = (rest: string): Fault => ({ kind: 'error', type: '', message: `Error: x\n${rest}`, stack: '' })
    const plain = (rest: string) => failureOf('build', { subject: 'Error: x', fault: fault(rest) }).fingerprint
    expect(plain('some other output')).toBe(plain('yet another line 17'))
    expect(plain('    at load (src/a.ts:1:1)')).not.toBe(plain('    at save (src/a.ts:1:1)'))
  })

  it('of plain output keeps its identity in another temporary folder, and the file that stands above its line', () => {
    const plain = (subject: string, message: string) => {
      return failureOf('build', { subject, fault: { kind: 'error', type: '', message, stack: '' } }).fingerprint
    }
    const inFolder = (folder: string) => `Error: no rows in ${folder}/rows-${folder.length} today`
    const [one, other] = ['/tmp', '/var/tmp/build-17/scratch'].map((folder) => plain(normaliseLine(inFolder(folder)), inFolder(folder)))
    expect(one).toBe(other)
    expect(plain('src/a.js <line> error bad', '3:5  error  bad')).toBe(plain('src/a.js <line> error bad', '30:1  error  bad'))
    expect(plain('src/a.js <line> error bad', '3:5  error  bad')).not.toBe(plain('src/b.js <line> error bad', '3:5  error  bad'))
  })

  it('has a message of at most 240 characters that always ends with the place', () => {
    const long = (text: string) => failureOf('tests', caseOf({ ...FAULT, message: text })).message
    fc.assert(fc.property(fc.string({ maxLength: 1000 }), (text) => {
      expect(long(text).length).toBeLessThanOrEqual(240)
      expect(long(text)).toMatch(/at src\/shop\.ts:12 in reserve$/)
    }))
    expect(long('x'.repeat(1000))).toHaveLength(240)
  })
})

describe('comparing sets of failures', () => {
  const failing = (subject: string, fingerprint = `2:${subject}`) => ({ gate: 'tests', subject, fingerprint })
  const [a, b, c] = [failing('a'), failing('b'), failing('c')] as const

  it('tells new, fixed and same apart', () => {
    expect(compareSets([a, b], [b, c])).toEqual({ fresh: [c], regressed: [], changed: [], same: [b], fixed: [a] })
  })

  it('calls regressed what failed once, was gone and is back, even with another fault', () => {
    const back = failing('c', '2:other')
    expect(compareSets([a], [a, back], [c, a])).toMatchObject({ regressed: [back], fresh: [], same: [a] })
  })

  it('calls changed what fails of another fault than before; it is neither fixed nor new', () => {
    const other = failing('a', '2:other')
    expect(compareSets([a], [other])).toEqual({ fresh: [], regressed: [], changed: [other], same: [], fixed: [] })
  })

  it('keeps gates apart', () => {
    const lint = { ...a, gate: 'lint', fingerprint: '2:lint' }
    expect(compareSets([a], [lint])).toMatchObject({ fresh: [lint], fixed: [a] })
  })

  it('puts every failure of the later set in exactly one place', () => {
    const [gate, subject, fingerprint] = [fc.constantFrom('x', 'y'), fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3')]
    const some = fc.array(fc.record({ gate, subject, fingerprint }))
    fc.assert(fc.property(some, some, some, (before, after, earlier) => {
      const { fresh, regressed, changed, same } = compareSets(before, after, earlier)
      expect([...fresh, ...regressed, ...changed, ...same].toSorted(byText)).toEqual(after.toSorted(byText))
    }))
  })
})

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
