// Tests of finding what tells a check to look away: in each kind of source, only where it is heard, and only what is new.
import { describe, expect, it } from 'vitest'
import { isSearched, newSilences, silenceExceptions, withoutPlace } from './silences.js'

function found(path: string, after: string, before: string | null = ''): string[] {
  return newSilences([{ path, before, after }]).map(({ line, text }) => `${line}: ${text}`)
}

describe('what tells a check to look away', () => {
  it.each([
    ['a.ts', '// @ts-nocheck'],
    ['a.tsx', 'const a = 1 // @ts-ignore'],
    ['a.mts', '//@ts-expect-error it is so'],
    ['a.js', '/* eslint-disable */'],
    ['a.js', 'call() // eslint-disable-line no-undef'],
    ['a.jsx', '{/* eslint-disable-next-line jsx-a11y/alt-text */}'],
    ['a.js', '/* eslint no-undef: "off", semi: 2 */'],
    ['a.js', '// oxlint-disable-next-line no-console -- it is a program'],
    ['a.ts', '// biome-ignore lint/suspicious/noExplicitAny: later'],
    ['a.ts', '/* tslint:disable:no-any */'],
    ['a.js', '/* istanbul ignore next */'],
    ['a.js', '/* c8 ignore start */'],
    ['a.js', '/* v8 ignore next 3 */'],
    ['a.js', '/* node:coverage disable */'],
    ['a.vue', '<!-- eslint-disable vue/no-v-html -->'],
    ['a.svelte', '// @ts-nocheck'],
    ['a.css', '/* stylelint-disable */'],
    ['a.py', 'x = f()  # type: ignore[arg-type]'],
    ['a.py', '# mypy: ignore-errors'],
    ['a.py', '# pyright: ignore'],
    ['a.py', '# pyright: basic, reportMissingImports=false'],
    ['a.py', 'import os  # noqa: F401'],
    ['a.py', '# ruff: noqa'],
    ['a.py', '# flake8: noqa'],
    ['a.py', '# for now: pylint: disable=all'],
    ['a.py', 'def f():  # pragma: no cover'],
    ['a.py', 'run(x)  # nosec B602'],
    ['a.py', 'x = 1  # why not # noqa'],
    ['a.py', '@typing.no_type_check'],
    ['a.go', 'x := f() //nolint:errcheck'],
    ['a.go', '//lint:ignore SA1019 later'],
    ['a.go', '// #nosec G204'],
    ['a.rs', '#[allow(dead_code)]'],
    ['a.rs', '#![allow(warnings)]'],
    ['a.rs', '#[cfg_attr(test, ignore)]'],
    ['a.rs', '#[cfg_attr(coverage_nightly, coverage(off))]'],
    ['A.java', '@SuppressWarnings("unchecked")'],
    ['A.kt', '@Suppress("UNCHECKED_CAST")'],
    ['A.kt', '@file:Suppress("unused")'],
    ['A.java', '// CHECKSTYLE:OFF'],
    ['A.cs', '#pragma warning disable CS8618'],
    ['A.cs', '[SuppressMessage("Style", "IDE0001")]'],
    ['a.c', '#pragma GCC diagnostic ignored "-Wall"'],
    ['a.cpp', 'f(); // see there, NOLINT(bugprone)'],
    ['a.sh', '# shellcheck disable=SC2086'],
    ['a.rb', 'x = 1 # rubocop:disable Lint/UselessAssignment'],
    ['a.php', '// @phpstan-ignore-next-line'],
    ['a.php', '# @phpstan-ignore argument.type'],
    ['a.swift', '// swiftlint:disable:next force_cast'],
    ['a.dart', '// ignore: unused_import'],
    ['a.java', 'f(); // it has to be NOSONAR'],
    ['Dockerfile', '# hadolint ignore=DL3008'],
  ])('in %s is found: %s', (path, line) => {
    const [silence] = newSilences([{ path, before: 'one\n\nthree\n', after: `one\n\n${line}\nthree\n` }])
    expect(silence).toMatchObject({ file: path, line: 3 })
    expect(line).toContain(silence?.text.replace(/\s+/g, ' ').slice(0, 12))
  })

  it.each([
    ['a.ts', "const text = '// @ts-nocheck'"],
    ['a.ts', 'const text = `\n// @ts-nocheck\n`'],
    ['a.ts', '// it was @ts-nocheck until lately'],
    ['a.ts', '// eslint-enable'],
    ['a.ts', 'const tsNocheck = ignore // c8 and v8'],
    ['a.js', '/* c8 ignore stop */'],
    ['a.js', '/* eslint semi: 2 */'],
    ['a.py', 'text = "# type: ignore"'],
    ['a.py', '"""\n# noqa\n"""'],
    ['a.py', '# pyright: strict'],
    ['a.py', '# mypy: strict'],
    ['a.py', 'type: ignore'],
    ['a.rs', '// #[allow(dead_code)]'],
    ['a.rs', '#[deny(warnings)]'],
    ['a.rs', 'fn allow() {}'],
    ['A.java', '/** Like `@SuppressWarnings("x")`. */'],
    ['A.java', 'String a = "@SuppressWarnings";'],
    ['A.cs', '#pragma warning restore'],
    ['a.sh', 'echo "# shellcheck disable=SC1"'],
    ['a.md', '<!-- eslint-disable -->'],
    ['a.txt', '// @ts-nocheck'],
    ['a.json', '{ "a": "// @ts-ignore" }'],
  ])('is not in %s: %s', (path, text) => {
    expect(found(path, `${text}\n`)).toEqual([])
  })

  it('is told by its line, cut, on one line and without what steers a terminal.', () => {
    expect(found('a.ts', '/*\n * @ts-ignore\n */\nf()\n')).toEqual(['2: @ts-ignore'])
    expect(found('a.js', '\r\n/* eslint-disable */ f()\r\n')).toEqual(['2: /* eslint-disable */'])
    const [said = ''] = found('a.ts', `// @ts-nocheck \u001b[31m\u202e${'long '.repeat(60)}\n`)
    expect(said).toHaveLength('1: '.length + 80)
    expect(said).toMatch(/^1: \/\/ @ts-nocheck long/)
    expect(found('a.py', 'x = 1  # noqa  # type: ignore\n')).toEqual(['1: # noqa # type: ignore'])
  })

  it('is not hidden by an apostrophe, a quote or a regular expression above it.', () => {
    expect(found('a.js', "const p = /['`\"]/\n// @ts-nocheck\n")).toEqual(['2: // @ts-nocheck'])
    expect(found('a.vue', "<p>Don't</p>\n<!-- eslint-disable -->\n")).toEqual(['2: <!-- eslint-disable -->'])
    expect(found('a.sh', "cat <<E\ndon't\nE\n# shellcheck disable=SC1\n")).toEqual(['4: # shellcheck disable=SC1'])
    expect(found('a.js', 'const a = `${`${1}`}`\n// @ts-nocheck\n')).toEqual(['2: // @ts-nocheck'])
  })

  it('among tests of Rust is theirs.', () => {
    const tests = '#[cfg(test)]\nmod tests {\n  #[allow(unused)]\n  fn x() {}\n  #[test]\n  fn works() {}\n}\n'
    expect(found('src/lib.rs', `pub fn one() {}\n\n${tests}`, 'pub fn one() {}\n')).toEqual([])
    expect(found('src/lib.rs', `#[allow(unused)]\npub fn one() {}\n\n${tests}`, 'pub fn one() {}\n')).toEqual(['1: #[allow(unused)]'])
  })
})

describe('only what is new counts', () => {
  const OLD = 'import a\nx = a.one()  # noqa: F401\n# type: ignore\n'

  it.each([
    ['moved within its file', `${'\n'.repeat(9)}# type: ignore\nx = a.one()  # noqa: F401\n`, []],
    ['on a line that was changed', OLD.replace('one', 'two'), []],
    ['taken away', 'import a\n', []],
    ['once more', `${OLD}y = 1  # noqa: F401\n`, ['4: # noqa: F401']],
    ['once more, above the one that was there', `y = 1  # noqa: F401\n${OLD}`, ['1: # noqa: F401']],
    ['made wider', OLD.replace('noqa: F401', 'noqa'), ['2: # noqa']],
  ])('when it is %s.', (_, after, expected) => {
    expect(found('a.py', after, OLD)).toEqual(expected)
  })

  it('so a renamed file brings none, and another one brings all of its own.', () => {
    const text = '// @ts-nocheck\nexport const a = 1\nexport const b = 2\n'
    const gone = { path: 'src/old.ts', before: text, after: null }
    expect(newSilences([gone, { path: 'src/new.ts', before: null, after: text.replace('2', '3') }])).toEqual([])
    const other = { path: 'src/new.ts', before: null, after: '// @ts-nocheck\nlet x\nlet y\nlet z\n' }
    expect(newSilences([gone, other])).toEqual([{ file: 'src/new.ts', line: 1, text: '// @ts-nocheck' }])
    expect(newSilences([gone])).toEqual([])
  })
})

describe('a large change', () => {
  it.each<[string, string]>([
    ['a.ts', `// @ts-ignore${' '.repeat(200_000)}x\n`],
    ['a.ts', '// @ts-ignore x\n'.repeat(50_000)],
    ['a.ts', `// ${' '.repeat(500_000)}@ts-ignore\n`],
    ['a.js', '/* eslint '.repeat(60_000)],
    ['a.py', `# pyright: ${'pyright: x '.repeat(60_000)}ignore\n`],
    ['a.rs', `${'#[cfg_attr(a, '.repeat(40_000)}allow`],
    ['A.java', `@${'a.'.repeat(200_000)}Suppress ${'@Suppress('.repeat(60_000)}`],
    ['a.js', `${'`${'.repeat(100_000)}// @ts-ignore`],
    ['a.py', `${"'".repeat(400_000)}# noqa`],
    ['a.cs', `${'["@'.repeat(150_000)}#pragma warning disable`],
  ])('is searched in a time that grows with it alone: %s', (path, text) => {
    const time = (part: string): number => {
      const began = performance.now()
      newSilences([{ path, before: null, after: part }])
      return performance.now() - began
    }
    time(text.slice(0, 1000))
    expect(time(text)).toBeLessThan(20_000)
  }, 40_000)
})

describe('for people', () => {
  it('each is named with its place, at most twenty of them, and what was too large to be read.', () => {
    expect(silenceExceptions([{ file: 'src/a.ts', line: 1, text: '// @ts-nocheck' }], [])).toEqual(['a check was told to look away: // @ts-nocheck at src/a.ts:1'])
    const many = Array.from({ length: 23 }, (_, index) => ({ file: 'a.ts', line: index + 1, text: '// @ts-ignore' }))
    expect(silenceExceptions(many, []).slice(19)).toEqual(['a check was told to look away: // @ts-ignore at a.ts:20', 'a check was told to look away: 3 more times'])
    expect(silenceExceptions([], ['a.c', 'b.c'])).toEqual(['too large to be searched for what tells a check to look away: a.c and 1 more source'])
    expect(silenceExceptions([], [])).toEqual([])
  })

  it('is the same exception on another line of its file, and no other is changed by that.', () => {
    const [one, other] = [3, 9].map((line) => silenceExceptions([{ file: 'a.ts', line, text: '// @ts-ignore' }], [])[0] ?? '')
    expect(one).not.toBe(other)
    expect(withoutPlace(one ?? '')).toBe(withoutPlace(other ?? ''))
    expect(withoutPlace('tests changed: a:1')).toBe('tests changed: a:1')
  })

  it('is looked for in sources alone.', () => {
    expect(['a.ts', 'a.py', 'a.yml', 'Dockerfile', 'a.png', 'README.md', 'a.json', 'LICENSE'].map(isSearched)).toEqual([true, true, true, true, false, false, false, false])
  })
})
