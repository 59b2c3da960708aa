// `npm run bench:gates`: how fast reports are read and given identities, in how much memory, and what a sealed check costs over the bare command.
import { build } from 'esbuild'
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './results.mjs'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false }, child: { type: 'string' } } })
const CLI = join(root, 'dist', 'greenlatch.cjs')
const MEGABYTES = options.quick ? 20 : 200
const ROUNDS = options.quick ? 1 : 5
const GOALS = { megabytesPerSecond: 50, memoryMegabytes: 200 }
/** One JSON document is read up to this size. */
const MOST_DOCUMENT_MEGABYTES = 63

async function main() {
  if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
  try {
    const bundle = await bundled(place)
    const rows = Object.keys(SHAPES).map((shape) => measure(place, bundle, shape))
    const text = documentOf(rows, measureSeal(place))
    console.log(text)
    if (!options.quick) writeFileSync(join(root, 'docs', 'performance-gates.md'), text)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The readers and the fingerprints as they are shipped. */
async function bundled(place) {
  const outfile = join(place, 'ours.mjs')
  const contents = `export * from './src/adapters/gates/readers/index.js'; export { failureOf } from './src/text/failures/fingerprint.js'`
  await build({ absWorkingDir: root, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20.19', logLevel: 'error' })
  return outfile
}

// ───────────────────────────── reading ─────────────────────────────

/** Each in a process of its own, so that its memory is its own. The best round by CPU time, which other work on the machine disturbs least, and the worst by memory. */
function measure(place, bundle, shape) {
  const path = join(place, 'report')
  const { format } = SHAPES[shape]
  const megabytes = writeReport(path, SHAPES[shape])
  const rounds = Array.from({ length: ROUNDS }, () => {
    const job = JSON.stringify({ bundle, path, format })
    return JSON.parse(execFileSync(process.execPath, [import.meta.filename, '--child', job], { encoding: 'utf8' }))
  })
  rmSync(path)
  const row = rounds.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[Math.floor(ROUNDS / 2)]
  const memoryMegabytes = Math.max(...rounds.map((round) => round.memoryMegabytes))
  console.log(`${shape}: ${(megabytes / row.cpuSeconds).toFixed(0)} MB per second of CPU, ${memoryMegabytes} MB`)
  return { ...row, shape, megabytes, memoryMegabytes }
}

async function readOne({ bundle, path, format }) {
  const { readReport, failureOf } = await import(bundle)
  const [started, wall] = [process.cpuUsage(), performance.now()]
  const run = await readReport({ path, format, roots: ['/checkout'] })
  if (!run.complete) throw new Error(run.note)
  const failures = [...run.cases.filter(({ status }) => status === 'fail'), ...run.troubles].map((item) => failureOf('test', item))
  const { user, system } = process.cpuUsage(started)
  const memoryMegabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  const result = { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - wall) / 1000, memoryMegabytes, tests: run.cases.length + run.more, failures: failures.length }
  process.stdout.write(JSON.stringify(result))
}

/** A long log as such suites write it: one test in ten thousand fails, between lines of plain output. Returns its size in megabytes. */
function writeReport(path, { format, head, one, tail }) {
  const file = openSync(path, 'w')
  const most = (format === 'jest' ? Math.min(MEGABYTES, MOST_DOCUMENT_MEGABYTES) : MEGABYTES) * 1024 * 1024
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
const LINES = (n, fails) => `${NOISE(n)}\n${fails ? `src/a${n}.c:${n % 90}:1: error: undeclared name x${n}\n` : ''}`
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
const SHAPES = {
  'plain output': { format: 'lines', head: '', one: LINES, tail: () => '' },
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

// ───────────────────────────── the sealed check ─────────────────────────────

/** A session that converges at once, and `verify` of it, against the bare command run as often. */
function measureSeal(place) {
  const repo = join(place, 'repo')
  for (const folder of ['src', 'test']) mkdirSync(join(repo, folder), { recursive: true })
  writeFileSync(join(repo, 'src/a.js'), 'export const one = () => 2\n')
  writeFileSync(join(repo, 'test/a.test.js'), `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { one } from '../src/a.js'\ntest('one', () => assert.equal(one(), 1))\n`)
  writeFileSync(join(repo, 'package.json'), '{"name":"a","type":"module","scripts":{"test":"node --test"}}\n')
  const env = { PATH: process.env.PATH, HOME: place, GREENLATCH_STATE_HOME: join(place, 'state'), GREENLATCH_SANDBOX: 'none' }
  const run = (argv) => spawnSync(argv[0], argv.slice(1), { cwd: repo, env, encoding: 'utf8' })
  for (const argv of [['git', 'init', '-q'], ['git', 'add', '-A'], ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a']]) run(argv)
  const ended = run([process.execPath, CLI, 'run', 'fix', '--gate', 'npm test', '--ai-cmd', "sed -i s/2/1/ src/a.js"])
  if (ended.status !== 0) throw new Error(`the sample did not converge: ${ended.stderr}`)
  writeFileSync(join(repo, 'src/a.js'), 'export const one = () => 1\n')
  const timed = (argv) => {
    const started = performance.now()
    if (run(argv).status !== 0) throw new Error(`${argv.join(' ')} failed`)
    return performance.now() - started
  }
  const rounds = Array.from({ length: ROUNDS }, () => {
    const twice = timed(['npm', 'test']) + timed(['npm', 'test'])
    return { twice, sealed: timed([process.execPath, CLI, 'verify']) }
  })
  const middle = (pick) => rounds.map(pick).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]
  return { twice: middle(({ twice }) => twice), sealed: middle(({ sealed }) => sealed), ratio: middle(({ twice, sealed }) => sealed / twice) }
}

function documentOf(rows, seal) {
  const met = (holds) => (holds ? 'met' : '**missed**')
  const lines = rows.map(({ shape, megabytes, cpuSeconds, wallSeconds, memoryMegabytes, tests, failures }) => {
    const speed = megabytes / cpuSeconds
    const goal = met(speed >= GOALS.megabytesPerSecond && memoryMegabytes < GOALS.memoryMegabytes)
    return `| ${shape} | ${megabytes.toFixed(0)} MB | ${tests.toLocaleString('en')} | ${failures.toLocaleString('en')} | ${speed.toFixed(0)} MB/s | ${(megabytes / wallSeconds).toFixed(0)} MB/s | ${memoryMegabytes} MB | ${goal} |`
  })
  return [
    '# Performance of gates',
    '',
    'Made by `npm run bench:gates`; do not edit. Absolute figures are those of one machine.',
    '',
    '## Reading reports',
    '',
    `A report of ${MEGABYTES} MB is read and every failure in it given its identity, in a process of its own; the median of ${ROUNDS} rounds by CPU, the worst by memory. A report that is one JSON document is read up to 64 MB. One test in ten thousand fails, where nothing else is said; of more than 200,000 tests the rest is only counted. Goal: ${GOALS.megabytesPerSecond} MB per second of CPU, less than ${GOALS.memoryMegabytes} MB of memory, Node itself included.`,
    '',
    '| report | size | tests | failures | by CPU | by the clock | memory | goal |',
    '|---|---:|---:|---:|---:|---:|---:|---|',
    ...lines,
    '',
    '## The sealed check',
    '',
    '`greenlatch verify` on a small project, against its bare test command run twice, as the check does to confirm it. It makes a clean copy, reads the whole journal, runs the command in it and reads the reports.',
    '',
    '| bare command, twice | `verify` | ratio |',
    '|---:|---:|---:|',
    `| ${seal.twice.toFixed(0)} ms | ${seal.sealed.toFixed(0)} ms | ${seal.ratio.toFixed(2)} × |`,
    '',
  ].join('\n')
}

if (options.child !== undefined) await readOne(JSON.parse(options.child))
else await main()
