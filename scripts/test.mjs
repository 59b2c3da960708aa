// `npm test`: runs every suite, shows a failing suite's whole output, and ends with one line that counts. Where programs that tests start are
// missing and cannot be installed, it says so, runs what needs none of them, and counts the rest as skipped.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MISSING } from './programs.mjs'
import { inMemory, PROJECTS, readResults, resultsFolder, root, vitestCommand } from './results.mjs'

const SUITE_LIMIT_MINUTES = 30
const inCi = process.env.CI === 'true'

/** What the tests themselves cannot do without: the programs they start, and the built command line. */
const FIRST = ['system', 'build']
/** What needs nothing but Node; with `values`, which is part of `unit`, all that is run where other programs are missing. */
const BARE = new Set(['lint', 'types', 'build'])

/**
 * In this order. `beside`: one that keeps few processors busy, and is run beside another such one; the others have the machine to
 * themselves. `needs`: a suite that is left out when it is not so. `after`: suites without which it is not begun. `vitest`: its tests are
 * counted one by one.
 */
const SUITES = [
  { name: 'system', command: () => ['node', 'scripts/system-packages.mjs'] },
  { name: 'lint', command: () => ['npm', 'run', '--silent', 'lint'], beside: true },
  { name: 'types', command: () => ['npm', 'run', '--silent', 'types'], beside: true },
  { name: 'build', command: () => ['npm', 'run', '--silent', 'build'], beside: true },
  { name: 'values', after: ['build'], command: () => vitestCommand('values'), vitest: true, needs: () => false },
  { name: 'unit', after: FIRST, command: () => vitestCommand('unit'), vitest: true },
  { name: 'e2e', after: FIRST, command: () => vitestCommand('e2e'), vitest: true },
  { name: 'conformance', after: FIRST, command: conformanceCommand },
  { name: 'clean-room', command: () => inMemory(['node', 'scripts/clean-room.mjs']), after: ['lint', 'types', 'build'], needs: () => inCi, beside: true },
  { name: 'faults', after: FIRST, command: () => ['node', 'scripts/faults.mjs', '--fast'], needs: () => existsSync(join(root, 'scripts/faults.mjs')), beside: true },
  { name: 'agents', after: FIRST, command: () => inMemory(['node', 'scripts/agents/test.mjs', 'claude', 'codex', '--quick']), needs: () => inCi, beside: true },
  { name: 'reliability', after: FIRST, command: () => ['node', 'scripts/reliability.mjs', '--fast', '--only', 'mutations,races,stops,disks,clock,together'], needs: () => process.getuid?.() === 0, beside: true },
  { name: 'nodes', command: () => inMemory(['node', 'scripts/nodes.mjs']), after: ['build'], needs: () => inCi, beside: true },
]
/** Of those that run beside each other. */
const MOST_AT_ONCE = 2

const suites = selected(process.argv.slice(2))
const began = performance.now()
const outcomes = []
/** Name → when it was begun. */
const underWay = new Map()
/** What ends each command that runs, with all that it started. */
const endings = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, endAll)
await runAll()
printTable()
process.exitCode = printCounts()

async function runAll() {
  const system = suites.find(({ name }) => name === 'system')
  if (system) outcomes.push(await runSuite(system))
  const rest = suites.filter((suite) => suite !== system)
  await runInTurn(arePresent() ? rest : bareOf(rest))
}

/** Where the programs that tests start are missing, less is run; in CI that is a failure. */
function arePresent() {
  return inCi || !outcomes.some(({ name, code }) => name === 'system' && code === MISSING)
}

async function runInTurn(all) {
  const running = new Set()
  for (const suite of all) {
    while (running.size >= (suite.beside ? MOST_AT_ONCE : 1)) await Promise.race(running)
    const run = runSuite(suite).then((outcome) => {
      outcomes.push(outcome)
      running.delete(run)
    })
    running.add(run)
    if (!suite.beside) await run
  }
  await Promise.all(running)
}

/** Without what starts programs, each of which is counted as skipped. */
function bareOf(all) {
  const left = all.filter(({ name }) => !BARE.has(name))
  if (left.length === 0) return all
  for (const suite of left) {
    console.log(`${line()}${suite.name.padEnd(13)}left out: programs are missing`)
    outcomes.push({ ...suite, code: 0, seconds: 0, passed: 0, failed: 0, skipped: 1 })
  }
  return [...all.filter(({ name }) => BARE.has(name)), SUITES.find(({ name }) => name === 'values')]
}

function selected(args) {
  if (args.length === 0) return SUITES.filter((suite) => suite.needs?.() ?? true)
  const names = args[0] === '--only' && args.length === 2 ? args[1].split(',') : []
  const chosen = SUITES.filter((suite) => names.includes(suite.name))
  if (names.length > 0 && chosen.length === names.length) return chosen
  console.error(`usage: npm test -- --only <suites, with commas>\nsuites: ${SUITES.map((suite) => suite.name).join(', ')}`)
  process.exit(2)
}

/** Results of this very call are used as they are; otherwise the script itself looks whether there are fresh ones. */
function conformanceCommand() {
  const ran = PROJECTS.every((project) => outcomes.some((outcome) => outcome.name === project))
  return ['node', 'scripts/conformance.mjs', ...(ran ? ['--reuse'] : [])]
}

async function runSuite(suite) {
  const stoppedBy = outcomes.find((outcome) => suite.after?.includes(outcome.name) && outcome.code !== 0)
  if (stoppedBy) {
    console.log(`${line()}${suite.name.padEnd(13)}not run: ${stoppedBy.name} failed`)
    return { ...suite, code: 1, seconds: 0, passed: 0, failed: 0, skipped: 1 }
  }
  underWay.set(suite.name, performance.now())
  const { code, output } = await runCommand(suite.command())
  const seconds = secondsSince(underWay.get(suite.name))
  underWay.delete(suite.name)
  const counts = suite.vitest ? countTests(suite.name, code) : countSuite(suite.name, code)
  console.log(`${line()}${suite.name.padEnd(13)}${seconds.toFixed(1)} s  ${inWords(counts)}`)
  if (code !== 0 || counts.failed > 0) console.log(`\n${output.trimEnd()}\n`)
  return { ...suite, code, seconds, ...counts }
}

function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function countSuite(name, code) {
  if (name === 'system' && code === MISSING && !inCi) return { passed: 0, failed: 0, skipped: 1 }
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

/** A file that could not be loaded is one failure, and so is a bad exit that no test explains. */
function countTests(project, code) {
  const results = readResults(resultsFolder, project)
  const unloadable = results?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0) ?? []
  const failed = (results?.numFailedTests ?? 0) + unloadable.length
  return {
    passed: results?.numPassedTests ?? 0,
    failed: code === 0 && results ? failed : Math.max(failed, 1),
    skipped: (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0),
  }
}

function runCommand([program, ...args]) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const chunks = []
  const endGroup = (signal) => child.pid && process.kill(-child.pid, signal)
  endings.add(endGroup)
  const limit = setTimeout(() => {
    chunks.push(`\nended after ${SUITE_LIMIT_MINUTES} minutes, the limit of one suite\n`)
    endGroup('SIGKILL')
  }, SUITE_LIMIT_MINUTES * 60_000)
  const tick = setInterval(showUnderWay, 1000)
  showUnderWay()
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: chunks.join('') }))
    // Something left behind may hold the pipes open for ever; what it writes after this is not waited for.
    child.on('exit', (code) => setTimeout(() => resolve({ code: code ?? 1, output: chunks.join('') }), 5000).unref())
  }).finally(() => {
    clearTimeout(limit)
    clearInterval(tick)
    child.stdout.destroy()
    child.stderr.destroy()
    endings.delete(endGroup)
  })
}

function endAll(signal) {
  for (const end of endings) end(signal)
  process.exit(130)
}

/** On a terminal what is under way has a line, which is rewritten in place. */
function showUnderWay() {
  if (!process.stdout.isTTY) return
  process.stdout.write(line() + Array.from(underWay, ([name, since]) => `${name.padEnd(13)}${Math.round(secondsSince(since))} s`).join('   '))
}

function line() {
  return process.stdout.isTTY ? '\r\u001B[K' : ''
}

function secondsSince(moment) {
  return (performance.now() - moment) / 1000
}

function printTable() {
  const all = secondsSince(began)
  console.log(`\n${'suite'.padEnd(12)} ${'seconds'.padStart(8)} ${'share'.padStart(6)}`)
  for (const { name, seconds } of outcomes) {
    console.log(`${name.padEnd(12)} ${seconds.toFixed(1).padStart(8)} ${`${Math.round((100 * seconds) / all)} %`.padStart(6)}`)
  }
  console.log(`${'all'.padEnd(12)} ${all.toFixed(1).padStart(8)}\n`)
}

/** Prints the last line and returns the exit code. In CI a skipped test is a failure: nothing is left out unseen. */
function printCounts() {
  const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const bad = outcomes.some(({ name, code }) => code !== 0 && (arePresent() || name !== 'system')) || sum('failed') > 0
  const unseen = inCi && sum('skipped') > 0
  if (!arePresent()) console.log('Only what needs no further programs was run; the packages for the rest are named above.')
  if (unseen) console.log('Skipped tests count as failures in CI.')
  console.log(inWords({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }))
  return bad || unseen ? 1 : 0
}
