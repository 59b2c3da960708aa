// Tests of templates: what a message may change in without becoming another one, and what it may not.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { templateOf } from './template.js'

const EXAMPLES_IN_LINE = [
  'Property failed after 2 tests{ seed: 15, path: &quot;1:1&quot;, endOnFailure: true }Counterexample: [[10,2]]Shrunk 2 time(s) Got x',
  'Property failed after 71 tests{ seed: -7, path: &quot;0:3&quot;, endOnFailure: true }Counterexample: [[3,1]]Shrunk 31 time(s) Got x',
] as const
const EXAMPLES_OF_HYPOTHESIS = [
  'assert [1000, 2] == [2, 1000]\n  At index 0 diff: 1000 != 2\nFalsifying example: test_property(\n    numbers=[2, 1000],\n)',
  'assert [10, 9, 8] == [8, 9, 10]\n  At index 0 diff: 10 != 8\nFalsifying example: test_property(\n    numbers=[8, 9, 10],\n)',
] as const

/** Each row is one message twice, as two runs print it. */
const NOISE: readonly (readonly [what: string, one: string, other: string])[] = [
  ['a place in a file', 'src/a.ts:12:5: bad token', 'src/a.ts:340:17: bad token'],
  ['a place in brackets', 'src/a.ts(12,5): bad token', 'src/a.ts(340,17): bad token'],
  ['a line in words', 'unexpected end, line 12 column 5', 'unexpected end, line 340 column 17'],
  ['a moment', 'stopped at 2026-11-16T14:01:02.123Z', 'stopped at 2027-01-05T09:10:11+09:00'],
  ['a date and a time', 'stopped at 2026-11-16 14:01:02.123456', 'stopped at 2027-01-05 09:10:11'],
  ['a date and a time that are wrapped', 'stopped at 2026-11-16\n    14:01:02 twice', 'stopped at 2027-01-05 09:10:11 twice'],
  ['a time with its half of the day', 'stopped (11:17:36 PM) twice', 'stopped (9:04:01 AM) twice'],
  [
    'a date in words',
    'expired Mon Nov 16 2026 23:17:36 GMT+0900 (Japan Standard Time), 3',
    'expired Tue Jan 05 2027 09:10:11 GMT+0000 (Coordinated Universal Time), 3',
  ],
  ['a date as C writes it', 'expired Mon Nov 16 23:17:36 2026, 3', 'expired Tue Jan  5 09:10:11 2027, 3'],
  ['a date as Go writes it', 'at 2026-11-16 23:17:49.23 +0900 JST m=+0.001 (x)', 'at 2027-01-05 09:10:11.5 +0000 UTC m=+12.5 (x)'],
  ['a date with slashes', 'held since 16/11/2026, 15:34:36 by x', 'held since 5/1/2027, 9:04:01 by x'],
  ['a date as Go logs it', '2026/11/16 15:34:36 lost', '2027/01/05 09:04:01 lost'],
  ['a clock in numbers', 'token 1794838656596 of 1794838656.59 expired', 'token 1804838656001 of 1804838656.01 expired'],
  ['a duration', 'gave up after 1.25s of waiting 30 seconds', 'gave up after 812ms of waiting 31 seconds'],
  ['an address', '<shop.Chunk object at 0x7f5d037cc190>', '<shop.Chunk object at 0x7fff20b4e6d0>'],
  ['an object of the JVM', 'no handler for com.acme.Order@1b6d3586', 'no handler for com.acme.Order@4f8e5cd'],
  ['a temporary folder', "no such file: '/tmp/render-AbC123/letter.html'", "no such file: '/var/folders/x1/y2/T/render-zz9/letter.html'"],
  ['a temporary file', "cannot open '/tmp/tmpk3j4_x9a'", "cannot open '/tmp/tmp0aq8zz1b'"],
  ['a file as Python makes it up', 'cannot open /home/ann/tmpabcdefgh', 'cannot open /home/ann/tmpzyx_wvut'],
  ['a folder of another machine', 'cannot read /home/ann/app/conf.yml', 'cannot read C:\\Users\\bob\\app\\conf.yml'],
  ['a temporary folder by itself', 'cannot enter /tmp/AbCdEf now', 'cannot enter /tmp/zzqqxx now'],
  ['a made-up name in a folder', 'cannot read /tmp/a/out-AbC123', 'cannot read /tmp/b/out-Zz9XyQ'],
  ['a port', 'connect ECONNREFUSED 127.0.0.1:40123', 'connect ECONNREFUSED 127.0.0.1:51999'],
  ['a port of an address without numbers', 'EADDRINUSE: address already in use :::40123', 'EADDRINUSE: address already in use :::51999'],
  ['a port in a web address', 'status 502 from http://localhost:40123/health', 'status 502 from http://localhost:51999/health'],
  ['a port of a pair', "cannot reach ('127.0.0.1', 40123)", "cannot reach ('127.0.0.1', 51999)"],
  ['a process', 'worker pid=4711 (node:4711) ended', 'worker pid=99 (node:99) ended'],
  ['a seed', 'failed (seed: 12345, runs: 100)', 'failed (seed: -98, runs: 100)'],
  ['a UUID', 'job 707d5c3e-3786-47b3-a894-116c21a8f752 lost', 'job 00000000-3786-47b3-a894-116c21a8f75f lost'],
  ['a UUID in an address', 'PUT /files/707d5c3e-3786-47b3-a894-116c21a8f752 lost', 'PUT /files/f0000000-1234-4abc-9def-000021a8f75f lost'],
  ['a sum', 'index-4f3a2b1c.js has a6a03794c6ad755dd7dcf0e2fe7d3ce4', 'index-00ff00aa.js has 0103794c6ad755dd7dcf0e2fe7d3ce4f'],
  ['a long number', 'order 83746592837465921 lost', 'order 10020030040050061 lost'],
  ['the memory in use', 'no room (75182080 bytes in use)', 'no room (75014144 bytes in use)'],
  ['an address in decimal', 'object 140234567890123 lost', 'object 139876543210987 lost'],
  ['a token', 'session x9Kq2_LmZ0aB7-cTfR4wYt8u closed', 'session Q1-w2E3r4T5y6U7i8O9p0AsD closed'],
  ['a token with syllables', 'session 55swFgo53bz5Yt3rcktMBl_K-le_ocIk closed', 'session ZZybELL9TkeDeIvhfvpooORnA9r87fdr closed'],
  ['a token without a number', 'session yOGkhGbzYi_JfrVxOvJWldrKKugbGuMF closed', 'session x9Kq2_LmZ0aB7-cTfR4wYt8u closed'],
  ['what is left of colours', '[31mbad[39m token', 'bad [1;22mtoken[0m'],
  ['the length of a ruler', 'bad token\n─────╯\n=====', 'bad token\n───╯\n========'],
  ['the source around the line that is meant', '  11 | a\n> 12 | let b =\n     | ^', '  39 | new\n> 40 | let b =\n     | ^'],
  ['the example of a property that is told in one line', ...EXAMPLES_IN_LINE],
  ['an example and its values', ...EXAMPLES_OF_HYPOTHESIS],
  ['colours', '\u001b[31mbad\u001b[39m token', 'bad \u001b[1mtoken\u001b[22m'],
  ['line ends and wrapping', 'usage: a [b] [c]\r\n  [d]', 'usage: a [b]\n         [c] [d]'],
  ['the order of a set', "assert {'a', 'b', 'c'} == {'x'}", "assert {'c', 'a', 'b'} == {'x'}"],
  ['the order of keys', "got { name: 'Ada', tags: [1, 2] }, no more", "got { tags: [1, 2], name: 'Ada' }, no more"],
  [
    'the order of what a set has too much',
    "Extra items in the left set:\n'a'\n'b'\nUse -v to get more",
    "Extra items in the left set:\n'b'\n'a'\nUse -v to get more",
  ],
  ['the lines of a code frame', ' 12 | let a = b\n    |     ^ bad', ' 340 | let a = b\n     |     ^ bad'],
  [
    'an example that was found by chance',
    'Property failed after 3 tests\n{ seed: 1, path: "2:0" }\nCounterexample: [[0]]\nShrunk 2 time(s)\n\nGot Error: x',
    'Property failed after 71 tests\n{ seed: -7, path: "7:1" }\nCounterexample: [[10, 2]]\nShrunk 31 time(s)\n\nGot Error: x',
  ],
]

/** Each row is two faults that have to stay two. */
const VALUES: readonly (readonly [what: string, one: string, other: string])[] = [
  ['a number', 'expected 3 to equal 4', 'expected 5 to equal 4'],
  ['a status', 'expected 200, got 404', 'expected 200, got 500'],
  ['a fraction', 'expected 0.30000000000000004 to be 0.3', 'expected 0.25 to be 0.3'],
  ['a large number', 'expected 2147483648 to be 1', 'expected 2147483649 to be 1'],
  ['a large number in a diff', 'differs\n+ 83746592\n- 83746593', 'differs\n+ 83746599\n- 83746593'],
  ['a large number that is compared', 'assert total() == 83746592', 'assert total() == 83746593'],
  ['a large number on the left', '83746592 !== 3', '83746593 !== 3'],
  ['a large number after a word', 'left: 18446744073709551615', 'left: 18446744073709551600'],
  ['a large number in quotes', "no order '83746592'", "no order '83746593'"],
  ['a round number', 'no room for 1500000000 rows', 'no room for 1600000000 rows'],
  ['a power of two', 'no room for 1073741824 rows', 'no room for 1073741825 rows'],
  ['a migration', 'migration 20240115093017 failed', 'migration 20240116093017 failed'],
  ['a negative number', 'expected -1 to be 0', 'expected 1 to be 0'],
  ['a count', '5 of 4 slots used', '6 of 4 slots used'],
  ['an index', 'index out of range [5] with length 3', 'index out of range [6] with length 3'],
  ['a small hexadecimal number', 'got 0xff, want 0x00', 'got 0xfe, want 0x00'],
  ['a date of the past', "expected '2021-03-01' to be '2021-02-28'", "expected '2021-03-02' to be '2021-02-28'"],
  ['a date of the past with slashes', 'got 16/11/2020', 'got 17/11/2020'],
  ['a fraction of numbers', 'queue full: 10/10', 'queue full: 11/10'],
  ['a moment of the past', 'got 2021-03-01T10:00:00Z', 'got 2021-03-02T10:00:00Z'],
  ['a date of the past in words', 'got Mon Mar 01 2021 10:00:00', 'got Tue Mar 02 2021 10:00:00'],
  ['a date in quotes', "expected '2031-03-01' to be '2031-02-28'", "expected '2031-03-02' to be '2031-02-28'"],
  ['a time in quotes', "expected '9:05:00' to be '09:05:00'", "expected '9:50:00' to be '09:05:00'"],
  ['a duration in quotes', "expected '1500ms' to be '1.5s'", "expected '1600ms' to be '1.5s'"],
  ['a word', 'relation "users" does not exist', 'relation "orders" does not exist'],
  ['a file in a temporary folder', 'no such file: /tmp/a-1/letter.html', 'no such file: /tmp/a-1/invoice.html'],
  ['a file of the project', 'src/a.ts:1:1: bad token', 'src/b.ts:1:1: bad token'],
  ['a well-known port', 'cannot reach localhost:80', 'cannot reach localhost:443'],
  ['a well-known port in words', 'no service on port 80', 'no service on port 443'],
  ['a name with numbers', 'convertUtf8ToUtf16LeBuffer2 failed', 'convertUtf8ToUtf32LeBuffer2 failed'],
  ['the source that is meant', '> 12 | let b =\n     | ^', '> 12 | let c =\n     | ^'],
  ['a long name', 'normaliseCustomerAddressV2Old failed', 'normaliseCustomerAddressV3Old failed'],
  ['a route', 'no handler for /api/v1/users', 'no handler for /api/v2/users'],
  ['a version', 'needs node v20.11.1', 'needs node v22.0.0'],
  ['the order of a list', 'expected [1, 2] to equal [2, 1]', 'expected [2, 1] to equal [2, 1]'],
  ['an entry of a set', "assert {'a', 'b'} == {'x'}", "assert {'a', 'c'} == {'x'}"],
  ['a place in data', 'Unexpected token in JSON at position 8', 'Unexpected token in JSON at position 9'],
]

describe('a template', () => {
  it.each(NOISE)('stays the same when %s changes', (_what, one, other) => {
    expect(templateOf(other)).toBe(templateOf(one))
  })

  it.each(VALUES)('is another when %s is another', (_what, one, other) => {
    expect(templateOf(other)).not.toBe(templateOf(one))
  })

  it('is the template of itself', () => {
    for (const [, one] of [...NOISE, ...VALUES]) expect(templateOf(templateOf(one))).toBe(templateOf(one))
  })

  it('does not depend on where a reader cut a long message', () => {
    const words = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ')
    const cut = (text: string) => `${text.slice(0, 998)}\n…\n${text.slice(-998)}`
    const [one, other] = ['/tmp/x-1/file.txt', '/var/tmp/much-longer-name-2/file.txt'].map((path) => templateOf(cut(`${path} ${words} ends ${path}`)))
    expect(one).toBe(other)
    expect(one).toContain('word40 ')
    expect(one).toMatch(/word899 ends <path>\/file\.txt$/)
  })

  it('reads any text without an error', () => {
    fc.assert(fc.property(anyText(600), (text) => void templateOf(text)))
  })

  it('reads a very large text without an error', () => {
    const lines = `Extra items in the left set:\n${"'a'\n".repeat(200_000)}`
    expect(templateOf(`${lines}${'{a,'.repeat(100_000)}`)).toContain('{a')
  })

  it('takes no more than a few steps for each character, whatever the text', () => {
    const piece = fc.constantFrom(...'{}()[],a1:/-. \n\'\\µ', '0x', 'Mon Nov ', '2026-', '::', '@f')
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 400 }), (pieces, times) => {
        const text = pieces.join('').repeat(times)
        expect(steps(() => templateOf(text))).toBeLessThan(40 * text.length + 2000)
      }),
      { numRuns: 60 },
    )
  })
})

/** How often our own loop looks at a character. Patterns see single words of bounded length, or look for one sign at a time. */
function steps(work: () => void): number {
  const look = vi.spyOn(String.prototype, 'charCodeAt')
  try {
    work()
    return look.mock.calls.length
  } finally {
    look.mockRestore()
  }
}

function anyText(mostChars: number) {
  return fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: mostChars }).map((codes) => String.fromCharCode(...codes))
}
