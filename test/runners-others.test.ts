// Test runners of Python, Go and Rust behind a command gate, and reports that a command writes by itself.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bareExit, check, logOf, summary, wrapped } from './support/runners.js'

const PYTEST = `import os, pytest
def note(name):
    if 'RAN' in os.environ: open(os.environ['RAN'], 'a').write(name + '\\n')
class TestSum:
    @pytest.mark.parametrize('text', ['a/b [c]', 'd'])
    def test_adds(self, text): note(text)
    def test_wrong(self): assert 1 == 2
@pytest.mark.skip(reason='later')
def test_later(): pass
`
const UNITTEST = `import os, sys, unittest
def note(name):
    if 'RAN' in os.environ: open(os.environ['RAN'], 'a').write(name + '\\n')
class TestSum(unittest.TestCase):
    def test_adds(self):
        note('adds')
        print('printed by a test', file=sys.stderr)
    def test_wrong(self):
        note('wrong')
        self.assertEqual(1, 2)
    @unittest.skip('later')
    def test_later(self): pass
`
const GO = `package sum

import (
	"os"
	"testing"
)

func note(name string) {
	if path := os.Getenv("RAN"); path != "" {
		file, _ := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		file.WriteString(name + "\\n")
		file.Close()
	}
}

func TestAdds(t *testing.T) {
	t.Run("one (a+b)", func(t *testing.T) { note("one") })
	t.Run("two", func(t *testing.T) { note("two") })
}
func TestWrong(t *testing.T) { note("wrong"); t.Errorf("1 is not 2") }
func TestLater(t *testing.T) { t.Skip("later") }
`
const RUST = `pub fn one() -> i32 { 1 }
#[cfg(test)]
mod tests {
    fn note(name: &str) {
        use std::io::Write;
        if let Ok(path) = std::env::var("RAN") {
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
            writeln!(file, "{}", name).unwrap();
        }
    }
    #[test] fn adds() { note("adds"); }
    #[test] fn adds_more() { note("more"); }
    #[test] fn wrong() { assert_eq!(crate::one(), 2); }
    #[test] #[ignore] fn later() {}
}
`

type Case = {
  command: string
  files: Record<string, string>
  ids: string[]
  failing: string[]
  skipped: string[]
  only: string
  /** What runs when only that one is wanted. */
  alone: string
}

const CASES: Record<string, Case> = {
  pytest: {
    command: 'python3 -m pytest -q',
    files: { 'tests/test_sum.py': PYTEST },
    ids: [
      'tests/test_sum.py::TestSum::test_adds[a/b [c]]', 'tests/test_sum.py::TestSum::test_adds[d]',
      'tests/test_sum.py::TestSum::test_wrong', 'tests/test_sum.py::test_later',
    ],
    failing: ['tests/test_sum.py::TestSum::test_wrong'],
    skipped: ['tests/test_sum.py::test_later'],
    only: 'tests/test_sum.py::TestSum::test_adds[a/b [c]]',
    alone: 'a/b [c]\n',
  },
  unittest: {
    command: 'python3 -m unittest discover',
    files: { 'tests/__init__.py': '', 'tests/test_sum.py': UNITTEST },
    ids: ['tests.test_sum.TestSum.test_adds', 'tests.test_sum.TestSum.test_later', 'tests.test_sum.TestSum.test_wrong'],
    failing: ['tests.test_sum.TestSum.test_wrong'],
    skipped: ['tests.test_sum.TestSum.test_later'],
    only: 'tests.test_sum.TestSum.test_adds',
    alone: 'adds\n',
  },
  go: {
    command: 'go test ./...',
    files: {
      'go.mod': 'module example.com/sum\n\ngo 1.19\n',
      'sum_test.go': GO,
      'inner/a_test.go': 'package inner\n\nimport "testing"\n\nfunc TestInner(t *testing.T) {}\n',
    },
    ids: [
      'example.com/sum/inner::TestInner', 'example.com/sum::TestAdds', 'example.com/sum::TestAdds/one_(a+b)',
      'example.com/sum::TestAdds/two', 'example.com/sum::TestLater', 'example.com/sum::TestWrong',
    ],
    failing: ['example.com/sum::TestWrong'],
    skipped: ['example.com/sum::TestLater'],
    only: 'example.com/sum::TestAdds/one_(a+b)',
    alone: 'one\n',
  },
  cargo: {
    command: 'cargo test --offline',
    files: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': RUST,
    },
    ids: ['adds', 'adds_more', 'later', 'wrong'].map((name) => `src/lib.rs (sum)::tests::${name}`),
    failing: ['src/lib.rs (sum)::tests::wrong'],
    skipped: ['src/lib.rs (sum)::tests::later'],
    only: 'src/lib.rs (sum)::tests::adds',
    alone: 'adds\n',
  },
}

describe.each(Object.entries(CASES))('%s', (_name, { command, files, ids, failing, skipped, only, alone }) => {
  const folder = wrapped(command, files)
  const expected = { exit: 'fail', known: true, complete: true, failing, ids: ids.toSorted(), skipped }

  it('tells its tests by name, ends as it does without us, and still prints what people read.', async () => {
    const heard = await check(folder, command)
    expect(summary(heard)).toEqual(expected)
    expect(heard.result.note).toBe(`exit ${bareExit(folder, command)}; 1 of ${ids.length} tests failed`)
    expect(logOf(heard)).toMatch(/test_wrong|TestWrong|tests::wrong/)
  })

  it.each(['npm test && npm run lint', 'make test'])('tells the same behind %s.', async (wrapper) => {
    expect(summary(await check(folder, wrapper))).toEqual(expected)
  })

  it('runs the wanted test alone.', async () => {
    const ran = join(folder, 'ran')
    const heard = await check(folder, 'npm test && exit 9', { only: [only], env: { RAN: ran } })
    expect(summary(heard)).toEqual({ exit: 'pass', known: true, complete: true, failing: [], ids: [only], skipped: [] })
    expect(existsSync(ran) && readFileSync(ran, 'utf8')).toBe(alone)
  })
})
