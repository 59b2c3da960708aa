// Long reports as test runners write them: one test in ten thousand fails, between lines of plain output.
import { closeSync, openSync, writeSync } from 'node:fs'

/** One JSON document is read up to this size. */
const MOST_DOCUMENT_MEGABYTES = 63

/** Writes a report of about that size; returns its size in megabytes. */
export function writeReport(path, { format, head, one, tail }, megabytes) {
  const file = openSync(path, 'w')
  const most = (format === 'jest' ? Math.min(megabytes, MOST_DOCUMENT_MEGABYTES) : megabytes) * 1024 * 1024
  let bytes = writeSync(file, head)
  let lot = ''
  let n = 0
  for (; bytes + lot.length < most; n += 1) {
    lot += one(n, n % 10_000 === 9999)
    if (lot.length < 1024 * 1024) continue
    bytes += writeSync(file, lot)
    lot = ''
  }
  bytes += writeSync(file, lot + tail(n))
  // The count of tests stands at the beginning.
  if (format === 'jest') writeSync(file, String(n), head.indexOf(':') + 1)
  closeSync(file)
  return bytes / 1024 / 1024
}

const NOISE = (n) => `2026-01-01T10:00:${String(n % 60).padStart(2, '0')}Z worker ${n % 8} served /api/items/${n} in ${n % 90} ms with status 200 from cache`
const TITLE = (n) => `show number ${n} first when they are sorted by price`
const FAULT = (name) => `src/a${name}.c:1:1: error: undeclared name x${name}\n`
/** Of any length it has the same hundred failures again and again: a reader that has taken in 500 looks at no more lines. */
const LINES = (n, fails) => `${NOISE(n)}\n${fails ? FAULT(n % 1_000_000) : ''}`
const PYTEST = { format: 'junit', head: '<?xml version="1.0"?>\n<testsuites><testsuite name="pytest">\n', tail: () => '</testsuite></testsuites>\n' }
const PYTEST_CASE = (n) => `<testcase classname="tests.test_a" file="tests/test_a.py" name="test_${n}" time="0.01">`
const NODE_FAULT = `  location: '/checkout/test/a.test.js:3:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:

    1 !== 2

  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  stack: |-
    total (file:///checkout/src/a.js:3:9)
    TestContext.<anonymous> (file:///checkout/test/a.test.js:3:9)
`

/** The name says which format, and what is particular. */
export const SHAPES = {
  // Who does not name the last failure has stopped before.
  'plain output': { format: 'lines', head: '', one: LINES, tail: () => FAULT('-last') },
  'plain output with colours': {
    format: 'lines',
    head: '',
    one: (n, fails) => `\u001b[32m✓\u001b[39m ${LINES(n, fails).trimEnd()} \u001b[2m(1 ms)\u001b[22m\n`,
    tail: () => '',
  },
  'go test -json': {
    format: 'go',
    head: '',
    one: (n, fails) =>
      `{"Time":"2026-01-01T10:00:00Z","Action":"run","Package":"example.com/a","Test":"Test${n}"}\n` +
      `{"Time":"2026-01-01T10:00:00Z","Action":"output","Package":"example.com/a","Test":"Test${n}","Output":"${NOISE(n)}\\n"}\n` +
      `{"Time":"2026-01-01T10:00:00Z","Action":"${fails ? 'fail' : 'pass'}","Package":"example.com/a","Test":"Test${n}","Elapsed":0.01}\n`,
    tail: () => '{"Action":"fail","Package":"example.com/a","Elapsed":1}\n',
  },
  'cargo test': {
    format: 'cargo',
    head: '     Running unittests src/lib.rs (target/debug/deps/a-1)\n\nrunning 1 test\n',
    one: (n, fails) => `test t${n}::case ... ${fails ? 'FAILED' : 'ok'}\n${NOISE(n)}\n`,
    tail: (n) => `\ntest result: FAILED. ${n} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s\n`,
  },
  TAP: { format: 'tap', head: 'TAP version 13\n', one: (n, fails) => `${fails ? 'not ok' : 'ok'} ${n + 1} - case ${n}\n# ${NOISE(n)}\n`, tail: (n) => `1..${n}\n` },
  'TAP of node:test': {
    format: 'tap',
    head: 'TAP version 13\n',
    one: (n, fails) =>
      `# Subtest: case ${n}\n${fails ? 'not ok' : 'ok'} ${n + 1} - case ${n}\n  ---\n  file: '/checkout/test/a.test.js'\n` +
      `  duration_ms: 0.52\n  type: 'test'\n${fails ? NODE_FAULT : ''}  ...\n# ${NOISE(n)}\n`,
    tail: (n) => `1..${n}\n`,
  },
  'JUnit XML': {
    ...PYTEST,
    one: (n, fails) =>
      `${PYTEST_CASE(n)}<system-out>${NOISE(n)} ${NOISE(n + 1)} ${NOISE(n + 2)}</system-out>` +
      `${fails ? '<failure message="assert 1 == 2">def test(): assert 1 == 2</failure>' : ''}</testcase>\n`,
  },
  'JUnit XML, every test failing': {
    ...PYTEST,
    one: (n) =>
      `${PYTEST_CASE(n)}<failure message="AssertionError: assert ${n} == 2&#10; +  where ${n} = total()">def test_${n}():\n&gt;       assert total() == 2\n` +
      `E       AssertionError: assert ${n} == 2\nE        +  where ${n} = total()\n${`    ${NOISE(n)}\n`.repeat(12)}\ntests/test_a.py:${n}: AssertionError</failure></testcase>\n`,
  },
  'JSON of jest and vitest': {
    format: 'jest',
    head: '{"numTotalTests":            ,"success":false,"testResults":[',
    one: (n, fails) =>
      `${n % 20 > 0 ? '' : `${n === 0 ? '' : ']},'}{"name":"/checkout/test/part-${n}.test.js","status":"passed","message":"","startTime":1767261600000,"endTime":1767261600009,"assertionResults":[`}` +
      `${n % 20 > 0 ? ',' : ''}{"ancestorTitles":["the items of the shop"],"fullName":"the items of the shop ${TITLE(n)}","status":"${fails ? 'failed' : 'passed'}","title":"${TITLE(n)}","duration":1.5,` +
      `"failureMessages":[${fails ? '"AssertionError: expected 1 to be 2\\n    at /checkout/test/a.test.js:3:4"' : ''}],"location":{"line":${n % 90},"column":3},"meta":{},"tags":[]}`,
    tail: () => ']}]}',
  },
}
