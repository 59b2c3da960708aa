// `npm run reliability`: every fault run in turn, and docs/reliability.md with what was measured.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { breakDisks } from './faults/broken-disks.mjs'
import { jumpClocks } from './faults/clocks.mjs'
import { writeSections } from './faults/document.mjs'
import { flood } from './faults/floods.mjs'
import { inLanes } from './faults/lanes.mjs'
import { mutateJournals, mutationsTable } from './faults/mutations.mjs'
import { race } from './faults/races.mjs'
import { seeRed } from './faults/red.mjs'
import { inColumns, inMarkdown } from './faults/report.mjs'
import { simulateFaults } from './faults/simulation.mjs'
import { stopSessions } from './faults/stops.mjs'
import { sessionsTogether } from './faults/together.mjs'
import { CLI } from './faults/world.mjs'
import { readOptions, refuse, someOf, wholeNumber } from './options.mjs'
import { root } from './results.mjs'
import { loadSource } from './source.mjs'

const options = readOptions('reliability', {
  fast: { says: 'takes a sample and writes nothing' },
  only: { value: 'PARTS', says: 'some parts, with commas between them; with --red, some threats' },
  red: { says: 'shows that the tests of threats fail without their countermeasures' },
  list: { says: 'names the parts' },
  seed: { value: 'N', otherwise: '1', says: 'other sessions, changes and inputs' },
})
const size = options.fast ? 'fast' : 'full'
const seed = wholeNumber(options, 'seed')
const amount = (fast, full) => (options.fast ? fast : full)
const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0)

/** Name → what is done. Each gives `{ figure, faults, section? }`; those with `script` are commands of their own, which write their own sections. */
const PARTS = {
  simulated: async () => {
    const { sessions, crashes, refusals, attempts, seconds, faults } = await simulateFaults(amount(300, 10_000), seed)
    const slow = seconds > 60 && !options.fast ? [`${seconds.toFixed(0)} s of processor time, at most 60 are allowed`] : []
    const text = `The real shell and engine with everything else simulated from a seed: journal, folder, workspace, agents, gates, inbox and clock. The process dies between any two calls of a port, the disk takes no more, the clock jumps, people pause, stop and hint; then the next process goes on. After each of them I1 to I4 are looked at, and in the end I5, I6, I8 and I9, and that nothing was lost or done twice.\n\n${sessions.toLocaleString('en')} sessions from seed ${seed} on, ${crashes.toLocaleString('en')} deaths, ${refusals.toLocaleString('en')} full disks, ${attempts.toLocaleString('en')} processes, ${seconds.toFixed(0)} s of processor time, ${faults.length} breaches. \`node scripts/reliability.mjs --only simulated --seed N\` begins with another seed; a breach names its own.`
    return { figure: `${sessions} sessions, ${crashes} deaths, ${refusals} full disks`, faults: [...faults, ...slow], section: ['Simulated', text] }
  },
  mutations: async () => {
    const rows = await mutateJournals(amount(220, 10_000), seed)
    const silent = Object.entries(rows).flatMap(([name, row]) => row.silent.map((trial) => `a journal with ${name} was read in silence (seed ${seed}, trial ${trial})`))
    const text = `The journal of a finished session, changed and then opened as \`resume\` opens it, half of them with the cache beside it. *Nothing lost*: what was read is the same. *Cannot be told*: whole records are missing at the end and there is no cache.\n\n${inMarkdown(mutationsTable(rows))}`
    return { figure: `${sum(Object.values(rows), 'tried')} changes`, faults: silent, section: ['Journal changed', text] }
  },
  input: async () => {
    const { knockEverywhere } = await loadSource('test/support/doors.ts')
    const rows = await knockEverywhere(amount(30, 300), seed)
    const text = `Nonsense from a seed at every door, each answered or refused in one line with the next command: no stack trace, no control character, a right exit code. Besides these, \`npm test\` types some 150 wrong command lines and sends wrong requests to \`serve\`.\n\n${inMarkdown([['door', 'inputs', 'faults'], ...rows.map(({ name, knocks, faults }) => [name, knocks, faults.length])])}`
    return { figure: `${sum(rows, 'knocks')} inputs at ${rows.length} doors`, faults: rows.flatMap(({ faults }) => faults), section: ['Bad input', text] }
  },
  races: async () => {
    const { races, racers, frozen, fenced, faults } = await race(amount(40, 1000), amount(1, 20))
    const text = `${racers} processes want the lock of one folder at the same moment, ${races.toLocaleString('en')} times: exactly one gets it. ${frozen} times an owner is frozen, loses the session to a process that cannot see it, wakes up and wants to write: refused ${fenced} times, and the new owner goes on.`
    return { figure: `${races} races, ${frozen} frozen owners`, faults, section: ['Races', text] }
  },
  stops: async () => {
    const rows = await stopSessions(amount(7, 105), seed)
    const orphans = rows.flatMap(({ way, orphans: left }) => (left > 0 ? [`${way}: ${left} processes left`] : []))
    const text = `An agent that leaves two daemons, deaf to signals and in sessions of their own, is stopped in every way there is; a killed loop is followed by \`stop --cancel\`.\n\n${inMarkdown([['stopped by', 'stops', 'processes left'], ...rows.map(({ way, stops, orphans: left }) => [way, stops, left])])}`
    return { figure: `${sum(rows, 'stops')} stops`, faults: [...orphans, ...rows.flatMap(({ faults }) => faults)], section: ['Stopped', text] }
  },
  disks: async () => {
    const rows = await breakDisks(size)
    const text = `The session of the kill sweep on a small disk of its own that fails; then the trouble is taken away and the next command is typed. *Stopped* is an end with a named reason and the next command; the others found enough room, or the failing call was none of theirs. Quotas are played by making calls fail with EDQUOT: root has none here.\n\n${inMarkdown([['trouble', 'tried', 'stopped', 'faults'], ...rows.map(({ name, tried, stopped, faults }) => [name, tried, stopped, faults.length])])}`
    return { figure: `${sum(rows, 'tried')} broken disks`, faults: rows.flatMap(({ faults }) => faults), section: ['Disks that fail', text] }
  },
  clock: async () => {
    const { tried, faults } = await jumpClocks(amount(1, 6))
    return { figure: `${tried} jumps`, faults, section: ['The clock jumps', `By hours, a day and ten years, forward and back, in the middle of a session: ${tried} jumps, ${faults.length} faults. Order goes by number, and what is measured by a clock that does not jump.`] }
  },
  together: async () => {
    const { rounds, sessions, faults } = await sessionsTogether(amount(1, 10), amount(2, 4))
    return { figure: `${sessions} sessions in ${rounds} rounds`, faults, section: ['Side by side', `${sessions} sessions on one repository, several at a time (\`--parallel\`): each ends, sees nothing of the others' files, and the store is whole; ${faults.length} faults.`] }
  },
  flood: async () => {
    const { gigabytes, peak, faults } = await flood(amount(1, 10))
    return { figure: `${gigabytes} GB`, faults, section: ['Floods', `An agent that prints ${gigabytes} GB in one line: heard to its end with ${(peak / 1e6).toFixed(0)} MB of memory in use at most; 200 MB are allowed.`] }
  },
  kills: { script: 'scripts/faults.mjs' },
  power: { script: 'scripts/power-cuts.mjs' },
  tests: async () => byTests(),
}

/** What has a suite of its own: paths, vectors of git, faults of model servers. */
async function byTests() {
  const { HOSTILE } = await loadSource('test/support/hostile-paths.ts')
  const { MODEL_FAULTS } = await import('../dist/testing.js')
  const suites = [
    { name: 'paths that lead out', count: HOSTILE.length, project: 'e2e', file: 'test/hostile-paths.test.ts' },
    { name: 'ways in which git runs foreign programs', count: null, project: 'unit', file: 'src/git/vectors.test.ts' },
    { name: 'faults of a model server', count: MODEL_FAULTS.length, project: 'e2e', file: 'test/chat-faults.test.ts' },
  ]
  const rows = (options.fast ? [] : suites).map((suite) => ({ ...suite, ...runTests(suite) }))
  const text = inMarkdown([['what', 'how many', 'tests', 'failed'], ...rows.map(({ name, count, passed, failed }) => [name, count ?? passed, passed + failed, failed])])
  return { figure: `${rows.length} suites`, faults: rows.flatMap(({ name, failed, passed }) => (failed > 0 || passed === 0 ? [`${name}: ${failed} of ${passed + failed} tests fail`] : [])), section: ['By tests', text] }
}

/** On the command line as it is built: the sweep that goes on beside them would lose it when they built it anew. */
function runTests({ project, file }) {
  const { stdout } = spawnSync('npx', ['vitest', 'run', '--project', project, '--reporter=json', file], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, TEST_CLI: CLI } })
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(stdout.slice(stdout.indexOf('{"num')))
    return { passed, failed }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The longest part goes on beside the others, most of which wait more than they compute. */
const LANES = 2
const LONGEST = 'kills'
const byLength = (names) => names.toSorted((one, other) => Number(other === LONGEST) - Number(one === LONGEST))

const HEAD = ['part', 'figure', 'faults', 'seconds']

if (options.list) console.log(Object.keys(PARTS).join('\n'))
else if (options.red) process.exitCode = showRed()
else if (!existsSync(CLI)) refuse('dist/greenlatch.cjs is not there: npm run build')
else process.exitCode = isApart() ? await main() : runApart()

/** Mounts of the broken disks are seen by nobody else. */
function isApart() {
  return process.env.RELIABILITY_APART === '1' || process.getuid?.() !== 0
}

function runApart() {
  const argv = ['--mount', '--propagation', 'private', process.execPath, ...process.argv.slice(1)]
  return spawnSync('unshare', argv, { stdio: 'inherit', env: { ...process.env, RELIABILITY_APART: '1' } }).status ?? 1
}

async function main() {
  const names = someOf(options, 'only', Object.keys(PARTS))
  const began = performance.now()
  const results = await inLanes(byLength(names), runPart, () => {}, LANES)
  console.log(`\n${inColumns([HEAD, ...results.map(rowOf)])}`)
  const faults = results.flatMap((result) => result.faults)
  console.log(`\n${faults.length} faults`)
  if (!options.fast) writeSections({ ...Object.fromEntries(results.flatMap(({ section }) => (section ? [section] : []))), ...(options.only === undefined && { 'All figures': summary(results, (performance.now() - began) / 1000) }) })
  return faults.length === 0 ? 0 : 1
}

async function runPart(name) {
  const began = performance.now()
  const part = PARTS[name]
  const result = part.script ? await asCommand(part.script) : await part().catch((error) => ({ figure: 'broken off', faults: [error.stack] }))
  const seconds = (performance.now() - began) / 1000
  console.log(`${name}: ${result.figure}; ${result.faults.length} faults; ${seconds.toFixed(0)} s`)
  for (const fault of result.faults) console.log(`FAULT  ${fault}`)
  return { name, seconds, ...result }
}

async function asCommand(script) {
  const { status, stdout } = await outcomeOf([join(root, script), ...(options.fast ? ['--fast'] : [])])
  const last = stdout.trim().split('\n').at(-1) ?? ''
  return { figure: last.split(';')[0], faults: status === 0 ? [] : [`${script} ended with ${status}: ${stdout.trim().split('\n').filter((line) => line.startsWith('FAULT') || line.startsWith('NOT RUN')).slice(0, 20).join('\n')}`] }
}

function outcomeOf(argv) {
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 }, (error, stdout) => resolve({ status: error ? (error.code ?? error.signal) : 0, stdout }))
  })
}

function rowOf({ name, figure, faults, seconds }) {
  return [name, figure, faults.length, seconds.toFixed(0)]
}

function summary(results, seconds) {
  const git = spawnSync('git', ['--version'], { encoding: 'utf8' }).stdout.trim()
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} processors, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${release()}, Node ${process.version}, ${git}`
  return `Measured on ${new Date().toISOString().slice(0, 10)} (${machine}), in ${(seconds / 60).toFixed(0)} minutes; \`kills\` went on beside the others.\n\n${inMarkdown([HEAD, ...results.map(rowOf)])}`
}

function showRed() {
  const seen = seeRed(options.only?.split(',') ?? null, ({ id, test, isGreenBefore, failed }) => console.log(`${id}: ${test}: ${isGreenBefore ? 'green' : 'RED'} with it, ${failed} failed without it`))
  const bad = seen.filter(({ isGreenBefore, isRed }) => !isGreenBefore || !isRed)
  console.log(`\n${seen.length - bad.length} of ${seen.length} tests are red without their countermeasure`)
  return bad.length === 0 ? 0 : 1
}
