// Tests of naming what was done to tests, on small files of five languages.
import { describe, expect, it } from 'vitest'
import { holdsTests, inlineTestChanges, testChanges } from './test-changes.js'

const PATHS = { js: 'test/a.test.js', py: 'tests/test_a.py', go: 'a_test.go', rs: 'tests/a.rs', java: 'src/test/java/ATest.java' }

function said(language: keyof typeof PATHS, before: string | null, after: string | null): string[] {
  return testChanges({ path: PATHS[language], before, after }).map(({ text }) => text)
}

const JS = `import { add } from '../../src/add.js'

describe('math', () => {
  it('adds', () => {
    expect(add(1, 2)).toBe(3)
    expect(add(2, 2)).toEqual(4)
  })
  it('takes away', () => { assert.strictEqual(add(3, -1), 2) })
})
`

describe('changes to tests in JavaScript', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a deleted test', (text) => text.replace(/  it\('takes.*\n/, ''), ['line 8: deleted "math > takes away"']],
    ['a test in a comment', (text) => text.replace(/ {2}(it\('takes.*)\n/, '  // $1\n'), ['line 8: deleted "math > takes away"']],
    ['a renamed test', (text) => text.replace("'takes away'", "'x'"), ['line 8: deleted "math > takes away" (now "math > x")']],
    ['it.skip', (text) => text.replace("it('adds'", "it.skip('adds'"), ['line 4: skipped "math > adds"']],
    ['xit', (text) => text.replace("it('adds'", "xit('adds'"), ['line 4: skipped "math > adds"']],
    ['it.todo', (text) => text.replace(/it\('takes.*/, "it.todo('takes away')"), ['line 8: skipped "math > takes away"', 'line 8: emptied "math > takes away"']],
    ['an option to skip', (text) => text.replace("'adds', ()", "'adds', { skip: true }, ()"), ['line 4: skipped "math > adds"']],
    ['describe.skip', (text) => text.replace('describe(', 'describe.skip('), ['line 3: skipped "math > adds"', 'line 3: skipped "math > takes away"']],
    ['it.skipIf', (text) => text.replace("it('adds'", "it.skipIf(process.env.CI)('adds'"), ['line 4: skipped "math > adds"']],
    ['a skip in the body', (text) => text.replace('=> {\n    expect(add(1', '=> {\n    this.skip()\n    expect(add(1'), ['line 5: skipped "math > adds"']],
    ['it.only', (text) => text.replace("it('adds'", "it.only('adds'"), ['line 4: focused "math > adds"']],
    ['fit', (text) => text.replace("it('adds'", "fit('adds'"), ['line 4: focused "math > adds"']],
    ['fdescribe', (text) => text.replace('describe(', 'fdescribe('), ['line 3: focused "math > adds"', 'line 3: focused "math > takes away"']],
    ['a new test that is focused', (text) => text.replace(/\}\)\n$/, "  it.only('new', () => {})\n})\n"), ['line 9: focused "math > new"']],
    ['an empty body', (text) => text.replace(/\{ assert.*? \}/, '{}'), ['line 8: emptied "math > takes away"']],
    ['an early return', (text) => text.replace('    expect(add(1', '    return\n    expect(add(1'), ['line 4: emptied "math > adds"']],
    ['nothing but a truism', (text) => text.replace('assert.strictEqual(add(3, -1), 2)', 'expect(true).toBe(true)'), ['line 8: emptied "math > takes away"']],
    ['one assertion less', (text) => text.replace(/ {4}expect\(add\(2.*\n/, ''), ['line 4: weakened "math > adds" (1 of 2 assertions left)']],
    ['an assertion in a comment', (text) => text.replace('    expect(add(2', '    // expect(add(2'), ['line 4: weakened "math > adds" (1 of 2 assertions left)']],
    ['an assertion in a string', (text) => text.replace('expect(add(2, 2)).toEqual(4)', '"expect(add(2, 2)).toEqual(4)"'), ['line 4: weakened "math > adds" (1 of 2 assertions left)']],
    ['a looser matcher', (text) => text.replace('.toEqual(4)', '.toBeDefined()'), ['line 6: weakened "math > adds" (a looser assertion)']],
    ['a negated matcher', (text) => text.replace('.toEqual(4)', '.not.toEqual(5)'), ['line 6: weakened "math > adds" (a looser assertion)']],
    ['a truism among others', (text) => text.replace('add(2, 2)).toEqual(4)', 'true).toBe(true)'), ['line 6: weakened "math > adds" (an assertion that always holds)']],
    ['the same on both sides', (text) => text.replace('.toEqual(4)', '.toEqual(add(2, 2))'), ['line 6: weakened "math > adds" (an assertion that always holds)']],
    ['or true', (text) => text.replace('expect(add(2, 2)).toEqual(4)', 'expect(add(2, 2) === 4 || true).toEqual(true)'), ['line 6: weakened "math > adds" (an assertion that always holds)']],
    ['errors that are caught', (text) => text.replace('    expect(add(1, 2)).toBe(3)\n', '    try { expect(add(1, 2)).toBe(3) } catch {}\n'), ['line 5: weakened "math > adds" (errors are caught)']],
    ['a branch that never runs', (text) => text.replace('    expect(add(1', '    if (false) expect(add(1'), ['line 5: weakened "math > adds" (a part never runs)']],
    ['another expected value', (text) => text.replace('toBe(3)', 'toBe(4)'), ['line 5: expected value edited "math > adds" (3 → 4)']],
    ['another input', (text) => text.replace('add(1, 2)', 'add(1, 1)'), ['line 5: expected value edited "math > adds" (2 → 1)']],
    ['something else', (text) => text.replace('add(1, 2)', 'sum(1, 2)'), ['line 5: changed "math > adds"']],
    ['something outside of tests', (text) => text.replace('src/add.js', 'src/fake.js'), ['line 1: changed']],
    ['the code under test mocked', (text) => text.replace('\n\n', "\nvi.mock('../../src/add.js')\n\n"), ['line 2: weakened (more is mocked)']],
    ['a name that shadows one of the runner', (text) => text.replace('{ add }', '{ add, expect }'), ['line 1: changed']],
    ['a test around all', (text) => text.replace('describe(', "test('x', () => { if (never()) describe(").replace(/\}\)\n$/, '}) })\n'), ['line 3: changed']],
    ['another name to import', (text) => text.replace('{ add }', '{ sum }'), ['line 1: changed']],
    ['no name to import', (text) => text.replace('{ add }', '{}'), ['line 1: changed']],
    ['a suite around all', (text) => text.replace('describe(', "describe('x', () => { describe(").replace(/\}\)\n$/, '}) })\n'), [
      'line 4: deleted "math > adds" (now "x > math > adds")', 'line 8: deleted "math > takes away" (now "x > math > takes away")',
    ]],
  ])('are named: %s.', (_, edit, expected) => {
    expect(edit(JS)).not.toBe(JS)
    expect(said('js', JS, edit(JS))).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['a new test', (text) => text.replace(/\}\)\n$/, "  it('is new', () => { expect(add(0, 0)).toBe(0) })\n})\n")],
    ['a new suite with a name more to import', (text) => `${text.replace('{ add }', '{ add, sub }')}describe('sub', () => { it('subs', () => { expect(sub(1, 1)).toBe(0) }) })\n`],
    ['another layout and a comment', (text) => text.replace('toBe(3)', 'toBe(\n      3,\n    ) // three')],
  ])('are none: %s.', (_, edit) => {
    expect(edit(JS)).not.toBe(JS)
    expect(said('js', JS, edit(JS))).toEqual([])
  })

  it('name the tests of a deleted file, and only focused tests of a new one.', () => {
    expect(said('js', JS, null)).toEqual(['line 4: deleted "math > adds"', 'line 8: deleted "math > takes away"'])
    expect(said('js', null, JS)).toEqual([])
    expect(said('js', null, JS.replace("it('adds'", "it.only('adds'"))).toEqual(['line 4: focused "math > adds"'])
    expect(said('js', null, 'const model = fit(data, 3)\n')).toEqual([])
  })

  it('are found in tables, in templates and in subtests.', () => {
    const text = "test.each([[1, 2], [3, 4]])('of %i', (a, b) => { expect(f(a)).toBe(b) })\ntest(`t ${1}`, async (t) => { await t.test('inner', () => { assert(g()) }) })\n"
    expect(said('js', text, text.replace('[3, 4]', '[3, 5]'))).toEqual(['line 1: expected value edited "of %i" (4 → 5)'])
    expect(said('js', text, text.replace(', [3, 4]', ''))).toEqual(['line 1: weakened "of %i" (a part was taken out)'])
    expect(said('js', text, text.replace("t.test('inner'", "t.test.skip('inner'"))).toEqual(['line 2: skipped "t ${1}"', 'line 2: skipped "inner"'])
  })

  it('are named where a test asserts nothing, or one assertion stands in another.', () => {
    const text = "test('runs', () => { run() })\ntest('throws', () => { assert.throws(() => assert.equal(f(), 1)) })\n"
    expect(said('js', text, text.replace('run()', ''))).toEqual(['line 1: emptied "runs"'])
    expect(said('js', text, text.replace('assert.equal(f(), 1)', 'f()'))).toEqual(['line 2: weakened "throws" (1 of 2 assertions left)'])
  })

  it('are not confused by brackets and quotes in patterns, strings and comments.', () => {
    const text = "it('a', () => {\n  const re = /[\"'`(]/ // don't {\n  expect(re.test('}')).toBe(true)\n})\nit('b', () => { expect(1 / x / 2).toBe(0.5) })\n"
    expect(said('js', text, text.replace('0.5', '0.25'))).toEqual(['line 5: expected value edited "b" (0.5 → 0.25)'])
  })

  it('call fewer digits a weaker test and more a change.', () => {
    const text = "it('a', () => { expect(x()).toBeCloseTo(0.3, 5) })\n"
    expect(said('js', text, text.replace(', 5', ', 1'))).toEqual(['line 1: weakened "a" (tolerance 5 → 1)'])
    expect(said('js', text, text.replace(', 5', ', 9'))).toEqual(['line 1: changed "a" (5 → 9)'])
    expect(said('js', text, text.replace('0.3', '0.4'))).toEqual(['line 1: expected value edited "a" (0.3 → 0.4)'])
  })
})

const PY = `import pytest
from calc import add


class TestAdd:
    def test_small(self):
        assert add(1, 2) == 3
        assert add(2, 2) == 4


@pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])
def test_table(a, b):
    assert add(a, 1) == b


def test_close():
    assert add(0.1, 0.2) == pytest.approx(0.3, rel=1e-9)
`

describe('changes to tests in Python', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a deleted test', (text) => text.replace(/\n\ndef test_close[^]*/, ''), ['line 16: deleted "test_close"']],
    ['a renamed test', (text) => text.replace('test_close', 'check_close'), ['line 16: deleted "test_close"']],
    ['a mark to skip', (text) => text.replace('def test_close', '@pytest.mark.skip\ndef test_close'), ['line 16: skipped "test_close"']],
    ['unittest.skip on a class', (text) => text.replace('class', '@unittest.skip("x")\nclass'), ['line 5: skipped "TestAdd > test_small"']],
    ['pytest.skip in the body', (text) => text.replace('():\n', '():\n    pytest.skip("x")\n'), ['line 17: skipped "test_close"']],
    ['a skip for the module', (text) => text.replace('\n\n', '\npytestmark = pytest.mark.skip\n\n'), ['line 3: skipped (for the whole file)']],
    ['xfail', (text) => text.replace('def test_close', '@pytest.mark.xfail\ndef test_close'), ['line 16: weakened "test_close" (expected to fail)']],
    ['an empty body', (text) => text.replace(/():\n.*approx.*/, '$1:\n    pass'), ['line 16: emptied "test_close"']],
    ['an early return', (text) => text.replace('self):\n', 'self):\n        return\n'), ['line 6: emptied "TestAdd > test_small"']],
    ['assert True', (text) => text.replace(/assert add\(0.*/, 'assert True'), ['line 16: emptied "test_close"']],
    ['one assertion less', (text) => text.replace(/ {8}assert add\(2.*\n/, ''), ['line 6: weakened "TestAdd > test_small" (1 of 2 assertions left)']],
    ['a looser assertion', (text) => text.replace('add(2, 2) == 4', 'add(2, 2) is not None'), ['line 8: weakened "TestAdd > test_small" (a looser assertion)']],
    ['a truism', (text) => text.replace('add(2, 2) == 4', '4 == 4'), ['line 8: weakened "TestAdd > test_small" (an assertion that always holds)']],
    ['a raised tolerance', (text) => text.replace('rel=1e-9', 'rel=10'), ['line 17: weakened "test_close" (tolerance 1e-9 → 10)']],
    ['errors that are caught', (text) => text.replace('        assert add(2, 2) == 4', '        try:\n            assert add(2, 2) == 4\n        except AssertionError:\n            pass'), ['line 10: weakened "TestAdd > test_small" (errors are caught)']],
    ['an expected value', (text) => text.replace('== 3', '== 30'), ['line 7: expected value edited "TestAdd > test_small" (3 → 30)']],
    ['a value of a table', (text) => text.replace('(3, 4)', '(3, 5)'), ['line 11: expected value edited "test_table" (4 → 5)']],
    ['a row of a table less', (text) => text.replace(', (3, 4)', ''), ['line 11: weakened "test_table" (a part was taken out)']],
    ['a test defined again', (text) => `${text}\n\ndef test_close():\n    assert 1\n`, ['line 20: deleted "test_close" (defined again here)']],
    ['a test taken away afterwards', (text) => `${text}\ntest_close = None\n`, ['line 19: changed']],
    ['a deeper indent', (text) => text.replace('        assert add(2, 2) == 4\n', '        for _ in none():\n            pass\n        assert add(2, 2) == 4\n'), ['line 8: changed "TestAdd > test_small"']],
    ['an early return on a condition', (text) => text.replace('self):\n', 'self):\n        if slow():\n            return\n'), ['line 7: changed "TestAdd > test_small"']],
    ['another indent', (text) => text.replace('        assert add(2', '        with nothing():\n            assert add(2'), ['line 8: changed "TestAdd > test_small"']],
    ['blanks in a string', (text) => text.replace('"a,b"', '"a, b"'), ['line 11: expected value edited "test_table" ("a,b" → "a, b")']],
  ])('are named: %s.', (_, edit, expected) => {
    expect(edit(PY)).not.toBe(PY)
    expect(said('py', PY, edit(PY))).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['a new test at the end', (text) => `${text}\n\ndef test_new():\n    assert add(1, 1) == 2\n`],
    ['a new test in a class', (text) => text.replace('== 4\n', '== 4\n\n    def test_new(self):\n        assert add(5, 5) == 10\n')],
    ['a new class, and a name more to import', (text) => `${text.replace('import add', 'import add, sub')}\n\nclass TestSub:\n    def test_sub(self):\n        assert sub(1, 1) == 0\n`],
    ['a comment and another layout', (text) => text.replace('add(1, 2)', 'add(  # one\n            1, 2)')],
  ])('are none: %s.', (_, edit) => {
    expect(edit(PY)).not.toBe(PY)
    expect(said('py', PY, edit(PY))).toEqual([])
  })
})

const GO = `package calc

import "testing"

func TestAdd(t *testing.T) {
	for _, c := range []struct{ a, b, want int }{{1, 2, 3}, {2, 2, 4}} {
		if got := Add(c.a, c.b); got != c.want {
			t.Errorf("Add(%d): %d", c.a, got)
		}
	}
}

func TestSub(t *testing.T) {
	require.Equal(t, 1, Sub(3, 2))
	require.InDelta(t, 0.3, Sub(0.5, 0.2), 0.001)
}
`

describe('a test in Python', () => {
  it('is another one when a line of it moves into a block.', () => {
    const text = 'def test_a():\n    for x in none():\n        use(x)\n    assert f() == 1\n'
    expect(said('py', text, text.replace('    assert', '        assert'))).toEqual(['line 4: changed "test_a"'])
    expect(said('py', text, text.replaceAll('    ', '  '))).toEqual([])
  })
})

describe('changes to tests in Go', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a deleted test', (text) => text.replace(/\nfunc TestSub[^]*/, ''), ['line 13: deleted "TestSub"']],
    ['t.Skip', (text) => text.replace('T) {\n\tfor', 'T) {\n\tt.Skip("x")\n\tfor'), ['line 6: skipped "TestAdd"']],
    ['a build constraint', (text) => `//go:build ignore\n\n${text}`, ['line 1: skipped (a build constraint)']],
    ['an empty body', (text) => text.replace(/\tfor[^]*?\n\}\n/, '}\n'), ['line 5: emptied "TestAdd"']],
    ['t.Log for t.Errorf', (text) => text.replace('Errorf', 'Logf'), ['line 5: emptied "TestAdd"']],
    ['a looser assertion', (text) => text.replace('Equal(t, 1, ', 'NotNil(t, '), ['line 14: weakened "TestSub" (a looser assertion)']],
    ['a raised tolerance', (text) => text.replace('0.001', '10.0'), ['line 15: weakened "TestSub" (tolerance 0.001 → 10.0)']],
    ['a value of a table', (text) => text.replace('2, 4}', '2, 5}'), ['line 6: expected value edited "TestAdd" (4 → 5)']],
    ['a row less', (text) => text.replace(', {2, 2, 4}', ''), ['line 6: weakened "TestAdd" (a part was taken out)']],
  ])('are named: %s.', (_, edit, expected) => {
    expect(edit(GO)).not.toBe(GO)
    expect(said('go', GO, edit(GO))).toEqual(expected)
  })

  it('are none when a test is added.', () => {
    expect(said('go', GO, `${GO}\nfunc TestNew(t *testing.T) {\n\tt.Error("x")\n}\n`)).toEqual([])
  })
})

const RUST = `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> i32 { 3 }

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), three());
        assert_eq!(add(2, 2), 4);
    }

    #[tokio::test]
    async fn waits<'a>() { assert!(add(1, 1) == 2, "it's"); }
}
`

describe('changes to tests in Rust', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['a deleted test', (text) => text.replace(/ {4}#\[tokio[^]*?\n/, '').replace(/.*waits.*\n/, ''), ['line 15: deleted "tests > waits"']],
    ['#[ignore]', (text) => text.replace('#[test]', '#[test]\n    #[ignore]'), ['line 10: skipped "tests > adds"']],
    ['#[test] taken away', (text) => text.replace('    #[test]\n', ''), ['line 9: deleted "tests > adds"', 'line 3: changed (beside the tests of tests)']],
    ['another configuration', (text) => text.replace('#[cfg(test)]', '#[cfg(test)]\n#[cfg(never)]'), ['line 4: skipped "tests > adds"', 'line 4: skipped "tests > waits"', 'line 3: changed (beside the tests of tests)']],
    ['should_panic', (text) => text.replace('#[test]', '#[test]\n    #[should_panic]'), ['line 10: weakened "tests > adds" (expected to fail)']],
    ['an empty body', (text) => text.replace(/\{ assert![^]*?; \}/, '{}'), ['line 15: emptied "tests > waits"']],
    ['a truism', (text) => text.replace('add(1, 1) == 2, "it\'s"', 'true'), ['line 15: emptied "tests > waits"']],
    ['one assertion less', (text) => text.replace(/.*add\(2.*\n/, ''), ['line 9: weakened "tests > adds" (1 of 2 assertions left)']],
    ['a looser assertion', (text) => text.replace('assert_eq!(add(2, 2), 4)', 'assert_ne!(add(2, 2), 5)'), ['line 12: weakened "tests > adds" (a looser assertion)']],
    ['an expected value', (text) => text.replace(', 4)', ', 5)'), ['line 12: expected value edited "tests > adds" (4 → 5)']],
    ['a helper beside the tests', (text) => text.replace('{ 3 }', '{ 4 }'), ['line 3: changed (beside the tests of tests)']],
  ])('are named among other code: %s.', (_, edit, expected) => {
    expect(edit(RUST)).not.toBe(RUST)
    expect(inlineTestChanges({ path: 'src/lib.rs', before: RUST, after: edit(RUST) }).map(({ text }) => text)).toEqual(expected)
  })

  it.each<[string, (text: string) => string]>([
    ['the code itself', (text) => text.replace('{ a + b }', '{ b + a }')],
    ['a new test with an import', (text) => text.replace('super::*;', 'super::*;\n    use std::fmt::Debug;').replace(/\}\n$/, '\n    #[test]\n    fn new() { assert!(true); }\n}\n')],
  ])('are none: %s.', (_, edit) => {
    expect(edit(RUST)).not.toBe(RUST)
    expect(inlineTestChanges({ path: 'src/lib.rs', before: RUST, after: edit(RUST) })).toEqual([])
  })

  it('are looked for where a source holds tests.', () => {
    expect([holdsTests('src/lib.rs', RUST), holdsTests('src/lib.rs', 'fn a() {}'), holdsTests('src/a.ts', 'if (import.meta.vitest) {}'), holdsTests('a.md', RUST)]).toEqual([true, false, true, false])
  })
})

const JAVA = `import org.junit.jupiter.api.Test;

class ATest {
    @Test
    void adds() {
        assertEquals(3, add(1, 2));
        assertEquals(0.3, add(0.1, 0.2), 0.001);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 2",
        "3, 4",
    })
    void table(int a, int b) { assertEquals(b, add(a, 1)); }
}
`

describe('changes to tests in Java', () => {
  it.each<[string, (text: string) => string, string[]]>([
    ['@Disabled', (text) => text.replace('@Test\n', '@Test\n    @Disabled("x")\n'), ['line 5: skipped "ATest > adds"']],
    ['@Disabled on the class', (text) => text.replace('class', '@Disabled\nclass'), ['line 3: skipped "ATest > adds"', 'line 3: skipped "ATest > table"']],
    ['@Test taken away', (text) => text.replace('    @Test\n', ''), ['line 4: deleted "ATest > adds"']],
    ['an empty body', (text) => text.replace(/\{ assert.*?; \}/, '{ }'), ['line 10: emptied "ATest > table"']],
    ['one assertion less', (text) => text.replace(/.*assertEquals\(3.*\n/, ''), ['line 4: weakened "ATest > adds" (1 of 2 assertions left)']],
    ['a looser assertion', (text) => text.replace('assertEquals(3, add(1, 2))', 'assertNotNull(add(1, 2))'), ['line 6: weakened "ATest > adds" (a looser assertion)']],
    ['a raised tolerance', (text) => text.replace('0.001', '5.0'), ['line 7: weakened "ATest > adds" (tolerance 0.001 → 5.0)']],
    ['an expected value', (text) => text.replace('(3, add', '(4, add'), ['line 6: expected value edited "ATest > adds" (3 → 4)']],
    ['a value of a table', (text) => text.replace('"3, 4"', '"3, 9"'), ['line 13: expected value edited "ATest > table" ("3, 4" → "3, 9")']],
  ])('are named: %s.', (_, edit, expected) => {
    expect(edit(JAVA)).not.toBe(JAVA)
    expect(said('java', JAVA, edit(JAVA))).toEqual(expected)
  })
})

describe('changes to other files of tests', () => {
  it('are edited expectations in snapshots and plain changes elsewhere.', () => {
    const of = (path: string, before: string | null, after: string | null): string[] => testChanges({ path, before, after }).map(({ text }) => text)
    expect(of('test/__snapshots__/a.test.js.snap', 'a\nb\n', 'a\nc\n')).toEqual(['line 2: expected value edited'])
    expect(of('test/fixtures/a.json', '{}', '[]')).toEqual(['line 1: changed'])
    expect(of('test/fixtures/a.json', '{}', null)).toEqual(['line 1: deleted (the file)'])
    expect(of('test/fixtures/a.json', null, '{}')).toEqual([])
  })

  it('are not taken apart in long files.', () => {
    const filler = '// x\n'.repeat(61_000)
    expect(said('js', JS + filler, JS.replace('it(', 'it.skip(') + filler)).toEqual(['line 4: changed'])
    const inline = (after: string): string[] => inlineTestChanges({ path: 'src/lib.rs', before: RUST + filler, after }).map(({ text }) => text)
    expect(inline(RUST.replace('#[test]', '') + filler)).toEqual(['line 1: deleted (1 of 2 tests left)'])
    expect(inline(RUST.replace('a + b', 'b + a') + filler)).toEqual([])
  })

  it('take time that grows with the file, not with its square.', () => {
    const hostile = [`${'it("'.repeat(20_000)}`, `${'expect('.repeat(20_000)}`, `${'\\'.repeat(50_000)}"`, `${'/'.repeat(50_000)}`, `${'`'.repeat(50_001)}`, ' '.repeat(50_000), `it('a', () => {${' return '.repeat(10_000)}`]
    for (const text of hostile) {
      const began = performance.now()
      testChanges({ path: 'a.test.js', before: JS, after: `${JS}${text}` })
      expect(performance.now() - began, text.slice(0, 10)).toBeLessThan(20_000)
    }
  })
})
