// Tests of finding the user's own frame in stacks as the languages and runners print them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownFrame, rootCause } from './stack.js'

type Row = readonly [what: string, lines: readonly string[], expected: { name: string; file: string; line: number } | null]

const STACKS: readonly Row[] = [
  [
    'V8',
    [
      'Error: x',
      '    at Object.parse (node:internal/a:1:2)',
      '    at parse (src/shop.ts:12:5)',
      '    at src/shop.ts:20:1',
    ],
    { name: 'parse', file: 'src/shop.ts', line: 12 },
  ],
  [
    'V8 with an anonymous function',
    [
      'Error: x',
      '    at TestContext.<anonymous> (file://test/a.test.mjs:5:10)',
      '    at Test.run (node:internal/test:1:2)',
    ],
    { name: '', file: 'test/a.test.mjs', line: 5 },
  ],
  [
    'V8 without a name',
    [
      'Error: x',
      '    at Array.map (<anonymous>)',
      '    at src/shop.ts:20:1',
    ],
    { name: '', file: 'src/shop.ts', line: 20 },
  ],
  [
    'an asynchronous V8 stack',
    [
      'Error: x',
      '    at async Promise.all (index 0)',
      '    at async fetchUser (src/shop.ts:7:9)',
    ],
    { name: 'fetchUser', file: 'src/shop.ts', line: 7 },
  ],
  [
    'a method under another name',
    [
      'Error: x',
      '    at Guard.check [as run] (src/shop.ts:7:9)',
    ],
    { name: 'Guard.check', file: 'src/shop.ts', line: 7 },
  ],
  [
    'a constructor',
    [
      'Error: x',
      '    at new Guard (src/shop.ts:7:9)',
    ],
    { name: 'Guard', file: 'src/shop.ts', line: 7 },
  ],
  [
    'an export of a module',
    [
      'Error: x',
      '    at Module.add (src/shop.ts:7:9)',
    ],
    { name: 'add', file: 'src/shop.ts', line: 7 },
  ],
  [
    'packages and runners before it',
    [
      'Error: x',
      '    at ok (node_modules/chai/a.js:1:1)',
      '    at run (/usr/lib/node_modules/jest/b.js:2:2)',
      '    at add (src/shop.ts:7:9)',
    ],
    { name: 'add', file: 'src/shop.ts', line: 7 },
  ],
  [
    'a file with a query',
    [
      'Error: x',
      '    at add (src/shop.ts?v=123:7:9)',
    ],
    { name: 'add', file: 'src/shop.ts', line: 7 },
  ],
  [
    'V8 below a message that looks like a frame',
    ['Error: connect ETIMEDOUT 10.0.0.5:50138 - Local (10.0.0.7:50139)', '    at retry (src/shop.ts:12:5)'],
    { name: 'retry', file: 'src/shop.ts', line: 12 },
  ],
  [
    'V8 below a message that ends with a place',
    ['Error: cannot read a row (src/data.csv:12:5)', '    at parse (src/shop.ts:12:5)'],
    { name: 'parse', file: 'src/shop.ts', line: 12 },
  ],
  [
    "node's TAP",
    [
      'TestContext.<anonymous> (file://test/a.test.mjs:49:12)',
      'Test.runInAsyncScope (node:async_hooks:206:9)',
    ],
    { name: '', file: 'test/a.test.mjs', line: 49 },
  ],
  [
    "node's TAP without a name",
    [
      'node:internal/x:1:2',
      'file://src/shop.mjs:49:12',
      'Test.run (node:internal/y:1:2)',
    ],
    { name: '', file: 'src/shop.mjs', line: 49 },
  ],
  [
    "vitest's JUnit report",
    [
      'Error: x',
      ' ❯ Module.add src/shop.ts:12:9',
      ' ❯ test/shop.test.ts:7:3',
    ],
    { name: 'add', file: 'src/shop.ts', line: 12 },
  ],
  [
    'only foreign frames',
    [
      'Error: x',
      '    at run (node:internal/a:1:2)',
      '    at go (node_modules/b/c.js:1:2)',
    ],
    null,
  ],
  [
    'Python',
    [
      'Traceback (most recent call last):',
      '  File "test_shop.py", line 5, in test_load',
      '    load()',
      '  File "shop.py", line 53, in load',
      '    return json.loads(text)',
      '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads',
      '    x',
      'ValueError: y',
    ],
    { name: 'load', file: 'shop.py', line: 53 },
  ],
  [
    'a Python module',
    [
      'Traceback (most recent call last):',
      '  File "shop.py", line 3, in <module>',
      '    x',
      'ValueError: y',
    ],
    { name: '', file: 'shop.py', line: 3 },
  ],
  [
    'Python with a cause',
    [
      'Traceback (most recent call last):',
      '  File "shop.py", line 3, in read',
      'OSError: x',
      '',
      'The above exception was the direct cause of the following exception:',
      '',
      'Traceback (most recent call last):',
      '  File "shop.py", line 9, in save',
      'RuntimeError: y',
    ],
    { name: 'save', file: 'shop.py', line: 9 },
  ],
  [
    "pytest's short form",
    [
      'test_shop.py:54: in test_config',
      '    assert load() == 1',
      'shop.py:53: in load',
      '    return json.loads(text)',
      '/usr/lib/python3.11/json/decoder.py:337: in decode',
      '    x',
      'E   json.decoder.JSONDecodeError: y',
    ],
    { name: 'load', file: 'shop.py', line: 53 },
  ],
  [
    "pytest's long form",
    [
      'def test_sum():',
      '>       assert add(1, 2) == 3',
      'E       assert 4 == 3',
      'E        +  where 4 = add(1, 2)',
      '',
      'test_shop.py:42: AssertionError',
    ],
    { name: 'test_sum', file: 'test_shop.py', line: 42 },
  ],
  [
    "pytest's long form with two entries",
    [
      'def test_sum():',
      '>       assert add(1, 2) == 3',
      '',
      'test_shop.py:42: ',
      '_ _ _ _ _ _ ',
      '',
      'a = 1, b = 2',
      '',
      '    def add(a, b):',
      '>       raise TypeError("x")',
      'E       TypeError: x',
      '',
      'shop.py:7: TypeError',
    ],
    { name: 'add', file: 'shop.py', line: 7 },
  ],
  [
    "pytest's long form with a cause",
    [
      '    def read():',
      '>       raise OSError("x")',
      'E       OSError: x',
      '',
      'shop.py:3: OSError',
      '',
      'The above exception was the direct cause of the following exception:',
      '',
      '    def save():',
      '>       raise RuntimeError("y")',
      'E       RuntimeError: y',
      '',
      'shop.py:9: RuntimeError',
    ],
    { name: 'save', file: 'shop.py', line: 9 },
  ],
  [
    'a panic of Go',
    [
      'panic: x [recovered]',
      '\tpanic: x',
      '',
      'goroutine 6 [running]:',
      'testing.tRunner.func1.2({0x518a00, 0xc00001a018})',
      '\t/usr/lib/go-1.19/src/testing/testing.go:1396 +0x24e',
      'panic({0x518a00, 0xc00001a018})',
      '\t/usr/lib/go-1.19/src/runtime/panic.go:884 +0x212',
      'example.com/shop/bounds.(*Box).Pick(...)',
      '\tbounds/bounds.go:42',
      'example.com/shop/bounds.TestBounds(0x0?)',
      '\tbounds/bounds_test.go:43 +0x1d',
    ],
    { name: 'example.com/shop/bounds.(*Box).Pick', file: 'bounds/bounds.go', line: 42 },
  ],
  [
    'Rust with a backtrace',
    [
      "thread 'tests::a' panicked at src/lib.rs:92:5:",
      'boom',
      'stack backtrace:',
      '   0: __rustc::rust_begin_unwind',
      '             at /rustc/598/library/std/src/panicking.rs:689:5',
      '   1: core::result::Result<T,E>::unwrap',
      '             at /rustc/598/library/core/src/result.rs:1233:23',
      '   2: shop::pick::{{closure}}',
      '             at ./src/lib.rs:92:5',
      '   3: shop::tests::a',
      '             at ./src/lib.rs:193:20',
    ],
    { name: 'shop::pick', file: 'src/lib.rs', line: 92 },
  ],
  [
    'Rust as Debian builds it',
    [
      '   0: rust_begin_unwind',
      '             at /usr/src/rustc-1.63.0/library/std/src/panicking.rs:584:5',
      '   1: core::panicking::panic_fmt',
      '             at /usr/src/rustc-1.63.0/library/core/src/panicking.rs:142:14',
      '   2: shop::pick',
      '             at ./src/lib.rs:92:5',
    ],
    { name: 'shop::pick', file: 'src/lib.rs', line: 92 },
  ],
  [
    'Rust without a backtrace',
    [
      "thread 'tests::a' (77) panicked at src/lib.rs:92:5:",
      'boom',
      'note: run with `RUST_BACKTRACE=1`',
    ],
    { name: '', file: 'src/lib.rs', line: 92 },
  ],
  [
    'Java',
    [
      'java.lang.IllegalStateException: x',
      '\tat java.base/java.util.Optional.get(Optional.java:143)',
      '\tat com.acme.Shop.lambda$load$0(Shop.java:40)',
      '\tat org.junit.jupiter.engine.Run.go(Run.java:3)',
    ],
    { name: 'com.acme.Shop.lambda$load', file: 'Shop.java', line: 40 },
  ],
  [
    'Kotlin',
    [
      'kotlin.NoWhenBranchMatchedException',
      '\tat kotlin.collections.CollectionsKt.first(Collections.kt:1)',
      '\tat com.acme.ShopKt.load(Shop.kt:12)',
    ],
    { name: 'com.acme.ShopKt.load', file: 'Shop.kt', line: 12 },
  ],
  [
    'the place of a compiler',
    [
      'error[E0308]: mismatched types',
      '  --> src/assign.rs:39:5',
      '   |',
      '39 |     "three"',
    ],
    { name: '', file: 'src/assign.rs', line: 39 },
  ],
  ['no stack at all', ['expected 3 to be 4'], null],
  ['nothing', [''], null],
]

describe('the own frame', () => {
  it.each(STACKS)('is found in the stack of %s', (_what, lines, expected) => {
    expect(ownFrame(lines.join('\n'))).toEqual(expected)
  })

  it('keeps its function when all lines and columns move', () => {
    const moved = (by: number, line: string) => line.replace(/:(\d+)(?=[:)]|$)/g, (_whole, n: string) => `:${Number(n) + by}`)
    const shifted = (by: number) => STACKS.map(([, lines]) => ownFrame(lines.map((line) => moved(by, line)).join('\n'))?.name)
    fc.assert(fc.property(fc.integer({ min: 1, max: 100_000 }), (by) => {
      expect(shifted(by)).toEqual(shifted(0))
    }), { numRuns: 20 })
  })

  it('is looked for in any text without an error', () => {
    const frames = ['at x (a:1:2)', '  File "a.py", line 3, in b', 'a.py:3: in b', ' 0: a::b', ' at b.rs:1:1', 'a.b(', '\tc.go:3', 'panicked at', '_ _ _']
    const line = fc.constantFrom(...frames)
    fc.assert(fc.property(fc.array(fc.oneof(line, anyText(60)), { maxLength: 30 }), (lines) => void ownFrame(lines.join('\n'))))
  })

  it('is looked for only at both ends of a stack without measure', () => {
    const rest = 'x\n'.repeat(100_000)
    const frame = '    at add (src/shop.ts:7:9)\n'
    expect([frame + rest, rest + frame].map((stack) => ownFrame(stack)?.name)).toEqual(['add', 'add'])
    expect(ownFrame(rest + frame + rest)).toBeNull()
  })
})

describe('the root cause', () => {
  it.each([
    [
      'JavaScript',
      [
        'Error: cannot save',
        '    at save (a.ts:1:1) {',
        '  [cause]: Error: disk is full',
        '      at x',
      ],
      'Error: disk is full',
    ],
    [
      'Java',
      [
        'a.SaveException: x',
        '\tat a.B.c(B.java:1)',
        'Caused by: a.IoException: y',
        '\tat a.D.e(D.java:2)',
        'Caused by: a.Full: disk is full',
        '\t... 3 more',
      ],
      'a.Full: disk is full',
    ],
    [
      'Python',
      [
        'Traceback (most recent call last):',
        '  File "shop.py", line 3, in read',
        '    x',
        'OSError: disk is full',
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        'Traceback…',
        'RuntimeError: y',
      ],
      'OSError: disk is full',
    ],
    [
      'pytest',
      [
        '    def save():',
        '>       raise OSError("x")',
        'E       OSError: disk is full',
        '',
        'shop.py:3: OSError',
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        '    def test_x():',
        'E       RuntimeError: y',
      ],
      'OSError: disk is full',
    ],
    [
      'the Rust compiler',
      [
        'error[E0308]: mismatched types',
        '  --> src/a.rs:2:5',
        '   |',
        '2 |     "three"',
        '   |     ^^^^^^^ expected `i32`, found `&str`',
      ],
      'expected `i32`, found `&str`',
    ],
    [
      'Python of source that it cannot read',
      ['  File "test_a.py", line 1', '    total = = 5', '            ^', 'SyntaxError: invalid syntax'],
      'total = = 5',
    ],
    [
      'pytest of source that it cannot read',
      ['E     File "test_a.py", line 1', 'E       total = = 5', 'E               ^', 'E   SyntaxError: invalid syntax'],
      'total = = 5',
    ],
    [
      'Node of source that it cannot read',
      ['test/a.test.cjs:3', 'const = 5', '      ^', '', "SyntaxError: Unexpected token '='"],
      'const = 5',
    ],
    [
      'a stack without one',
      [
        'Error: x',
        '    at save (a.ts:1:1)',
      ],
      '',
    ],
  ])('is found in what %s prints', (_what, lines, expected) => {
    expect(rootCause(lines.join('\n'))).toBe(expected)
  })
})

function anyText(mostChars: number) {
  return fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: mostChars }).map((codes) => String.fromCharCode(...codes))
}
