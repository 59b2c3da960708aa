// Tests of finding failing lines and of their identity across runs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failingLines, fingerprintOf, normaliseLine } from './failing-lines.js'

const fault = (n: { line: number; port: number; hex: string; ms: number; uuid: string; temp: string; time: Date }) =>
  [
    `src/deep/a.ts:${n.line}:${n.line + 1}: error: connect 127.0.0.1:${n.port} at 0x${n.hex} after ${n.ms}ms`,
    `(${n.ms / 1000} seconds) id ${n.uuid} in /tmp/work-${n.temp}/out-${n.line}/log.txt`,
    `on ${n.time.toISOString()} pid ${n.port} line ${n.line}`,
  ].join(' ')

const subjects = (output: string) => failingLines(output).map((line) => line.subject)

describe('failing lines', () => {
  it.each([
    ['src/a.ts(3,5): error TS2322: Type A is not B', 'src/a.ts(<line>): error TS2322: Type A is not B'],
    ['src/a.ts:3:5 - error TS2322: Type A is not B', 'src/a.ts:<line> - error TS2322: Type A is not B'],
    ['lib/x.c:12:9: error: unknown type name', 'lib/x.c:<line>: error: unknown type name'],
    ['error[E0382]: borrow of moved value: `x`', 'error[E0382]: borrow of moved value: `x`'],
    ['not ok 7 - adds two numbers # time=3ms', 'not ok <number> - adds two numbers # time=<duration>'],
    ['--- FAIL: TestAdd (0.01s)', '--- FAIL: TestAdd (<duration>)'],
    ['FAIL\tgithub.com/a/b\t0.012s', 'FAIL github.com/a/b <duration>'],
    ['panic: runtime error: index out of range [5] with length 3', 'panic: runtime error: index out of range [5] with length 3'],
    ["thread 'main' (4711) panicked at src/main.rs:3:5:", "thread 'main' (<number>) panicked at src/main.rs:<line>:"],
    ['test parser::reads_dates ... FAILED', 'test parser::reads_dates ... FAILED'],
    ['FAILED tests/test_a.py::test_x - assert 1 == 2', 'FAILED tests/test_a.py::test_x - assert 1 == 2'],
    ['  ✖ adds two numbers (1.234ms)', '✖ adds two numbers (<duration>)'],
    ['\u001b[31m  ✗ adds two numbers\u001b[39m', '✗ adds two numbers'],
    ['AssertionError [ERR_ASSERTION]: 1 == 2', 'AssertionError [ERR_ASSERTION]: 1 == 2'],
    ['make: *** [Makefile:3: test] Error 1', 'make: *** [Makefile:<line>: test] Error 1'],
  ])('reads %j as one failure', (line, subject) => {
    expect(subjects(`all is well\n${line}\nok 3 - another\n`)).toEqual([subject])
  })

  it.each([
    'ok 1 - error handling works',
    'not ok 2 - later # TODO not written yet',
    'Tests:       2 failed, 5 passed, 7 total',
    '✖ 3 problems (3 errors, 0 warnings)',
    'Found 2 errors in the same file.',
    '=================== 2 failed, 1 passed in 0.12s ===================',
    'FAILED (failures=2)',
    'npm error Lifecycle script `test` failed with error:',
    'no error here, the file error.ts is fine',
  ])('does not take %j for a failure', (line) => {
    expect(subjects(line)).toEqual([])
  })

  it('takes what was raised from a traceback, whatever it is called', () => {
    const output = 'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in f\n    g()\nmylib.Overrun: too many rows\n'
    expect(subjects(output)).toEqual(['mylib.Overrun: too many rows'])
  })

  it('keeps the file with errors that are listed below its name', () => {
    const output = 'src/a.js\n  3:5  error  x is not defined  no-undef\n\nsrc/b.js\n  9:1  error  x is not defined  no-undef\n'
    expect(subjects(output)).toEqual([
      'src/a.js <line> error x is not defined no-undef',
      'src/b.js <line> error x is not defined no-undef',
    ])
  })

  it('finds an error below a name at the very beginning, or below none', () => {
    expect(subjects('\n  3:5  error  x is not defined')).toEqual(['<line> error x is not defined'])
    expect(subjects('a.js\n  3:5  error  x\n\n  4:5  error  y')).toEqual(['a.js <line> error x', 'a.js <line> error y'])
  })

  it('reads every line of a traceback, and each of several', () => {
    const one = 'Traceback (most recent call last):\n  File "a.py", line 3\n    raise Overrun\n\nmylib.Overrun: rows\n'
    expect(subjects(`${one}all is well\n${one.replace('rows', 'columns')}`)).toEqual(['mylib.Overrun: rows', 'mylib.Overrun: columns'])
  })

  it('lists a fault once, with the lines that follow it as its message', () => {
    const output = 'AssertionError: differs\n\n+ actual\n- expected\nnot ok 1 - a\nAssertionError: differs\n'
    expect(failingLines(output)).toEqual([
      { subject: 'AssertionError: differs', message: 'AssertionError: differs\n+ actual\n- expected' },
      { subject: 'not ok <number> - a', message: 'not ok 1 - a' },
    ])
  })

  it('stays within 500 failures, 200 characters a subject and 240 a message, and keeps long lines apart', () => {
    const long = 'x'.repeat(5000)
    const output = Array.from({ length: 900 }, (_, n) => `error: case ${'y'.repeat(300)}${n}y ${long}`).join('\n')
    const found = failingLines(output)
    expect(found).toHaveLength(500)
    expect(Math.max(...found.map((line) => line.subject.length))).toBeLessThanOrEqual(200)
    expect(Math.max(...found.map((line) => line.message.length))).toBeLessThanOrEqual(240)
  })

  it('reads any text without an error and gives subjects that are different and free of escape sequences', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (noise) => {
        const found = subjects(`error: a\n${noise}\nnot ok 3 b`)
        expect(new Set(found).size).toBe(found.length)
        expect(found.join('')).not.toContain('\u001b')
      }),
    )
  })
})

describe('identity', () => {
  const noise = fc.record({
    line: fc.integer({ min: 1, max: 99_999 }),
    port: fc.integer({ min: 1, max: 65_535 }),
    hex: fc.stringMatching(/^[0-9a-f]{4,12}$/),
    ms: fc.integer({ min: 0, max: 1_000_000 }),
    uuid: fc.uuid(),
    temp: fc.stringMatching(/^[A-Za-z0-9]{6}$/),
    time: fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true }),
  })

  it('does not change with line numbers, ports, addresses, durations, ids, temporary folders, times and colours', () => {
    const first = { line: 1, port: 2, hex: 'abcd', ms: 3, uuid: 'f47ac10b-58cc-4372-a567-0e02b2c3d479', temp: 'AbCdEf', time: new Date(0) }
    const expected = normaliseLine(fault(first))
    fc.assert(
      fc.property(noise, (other) => {
        expect(normaliseLine(`\u001b[31m${fault(other)}\u001b[0m`)).toBe(expected)
      }),
    )
  })

  it('is the same when a line is normalised twice', () => {
    fc.assert(
      fc.property(fc.oneof(noise.map(fault), fc.string({ unit: 'grapheme' })), (line) => {
        const once = normaliseLine(line)
        expect(normaliseLine(once)).toBe(once)
      }),
    )
  })

  it.each([
    ['src/a.ts:3: error: x', 'src/b.ts:3: error: x'],
    ['expected 3 to be 4', 'expected 3 to be 5'],
    ['not ok 3 - adds', 'not ok 3 - subtracts'],
    ['error: in /tmp/x/one.txt', 'error: in /tmp/x/two.txt'],
    ['error TS2322: a', 'error TS2345: a'],
  ])('tells %j from %j', (one, other) => {
    expect(fingerprintOf('unit', normaliseLine(one))).not.toBe(fingerprintOf('unit', normaliseLine(other)))
  })

  it('gives fingerprints of one shape, which differ by gate and by subject', () => {
    expect(fingerprintOf('unit', 'not ok <number> - adds')).toBe('1:300c48d9bef06fdd')
    const made = new Set<string>()
    for (let n = 0; n < 20_000; n += 1) made.add(fingerprintOf('unit', `case ${n}`))
    expect(made.size).toBe(20_000)
    expect(fingerprintOf('a', 'bc')).not.toBe(fingerprintOf('ab', 'c'))
    expect([...made].every((id) => /^1:[0-9a-f]{16}$/.test(id))).toBe(true)
  })
})
