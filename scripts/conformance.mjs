// `npm run conformance`: holds the ids in docs/conformance.md against the titles of the tests that passed.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from './options.mjs'
import { PROJECTS, readResults, resultsFolder, root, vitestCommand } from './results.mjs'

const options = readOptions('conformance', {
  run: { says: 'runs the tests first, whatever results there are' },
  reuse: { says: 'takes the results that there are, whatever their age' },
  document: { value: 'FILE', otherwise: join(root, 'docs', 'conformance.md'), says: 'another list of ids' },
  results: { value: 'FOLDER', otherwise: resultsFolder, says: 'other results' },
})

if (options.run || (!options.reuse && !areFresh())) runTests()
const owed = readOwed(readFileSync(options.document, 'utf8'))
const tests = PROJECTS.flatMap((project) => testsOf(readResults(options.results, project)))
const faults = [...faultsOfDocument(), ...faultsOfTitles(), ...faultsOfIds()]
printTable()
for (const fault of faults) console.log(`FAULT  ${fault}`)
const done = owed.filter((row) => row.state === 'done').length
console.log(`\n${done} of ${owed.length} ids marked done, ${owed.length - done} open; ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Rows `| id | owed | state | area |`. The state's first word counts; what follows says which part is done. */
function readOwed(document) {
  const rows = document.matchAll(/^\|\s*([A-Z]{2}-\d+)\s*\|([^|]*)\|([^|]*)\|/gm)
  return [...rows].map(([, id, text, state]) => ({ id, text: text.trim(), state: state.trim().split(/[\s,(:;]/)[0] }))
}

function testsOf(results) {
  const assertions = (results?.testResults ?? []).flatMap((file) => file.assertionResults)
  return assertions.map(({ title, status }) => ({ title, status, ids: idsOf(title) }))
}

/** A title names its ids at the start: `RO-07 RO-08 aborts …`. */
function idsOf(title) {
  return /^(?:[A-Z]{2}-\d+\s+)*/.exec(title)[0].split(/\s+/).filter(Boolean)
}

function testsFor(id, status) {
  return tests.filter((test) => test.ids.includes(id) && test.status === status)
}

function faultsOfDocument() {
  const badState = owed.filter((row) => row.state !== 'done' && row.state !== 'open').map((row) => `${row.id} is neither done nor open`)
  const repeated = owed.filter((row, index) => owed.findIndex((other) => other.id === row.id) < index)
  const twice = repeated.map((row) => `${row.id} is listed twice`)
  return owed.length === 0 ? ['the document lists no id'] : [...badState, ...twice]
}

function faultsOfTitles() {
  const known = new Set(owed.map((row) => row.id))
  return tests.flatMap((test) => test.ids.filter((id) => !known.has(id)).map((id) => `${id} is not listed: "${test.title}"`))
}

function faultsOfIds() {
  return owed.filter((row) => row.state === 'done').flatMap(({ id }) => {
    const failing = testsFor(id, 'failed').map((test) => `${id} is done but fails: "${test.title}"`)
    return testsFor(id, 'passed').length === 0 && failing.length === 0 ? [`${id} is done but has no passing test`] : failing
  })
}

function printTable() {
  for (const { id, state } of owed) {
    const passing = testsFor(id, 'passed')
    if (state === 'open' && passing.length === 0) continue
    const note = state === 'open' ? '   (open, though tests pass)' : ''
    console.log(`${id}  ${String(passing.length).padStart(3)}  ${passing[0]?.title.slice(0, 100) ?? '-'}${note}`)
  }
}

/** Fresh: every project has results that are newer than all sources and tests. */
function areFresh() {
  const changed = Math.max(...['src', 'test'].map((folder) => newestIn(join(root, folder))))
  return PROJECTS.every((project) => (readResults(options.results, project)?.startTime ?? 0) > changed)
}

function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(0, ...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

/** Exit statuses are not looked at here: what failed shows as an id that fails or has no passing test. */
function runTests() {
  const commands = [['npm', 'run', '--silent', 'build'], ...PROJECTS.map((project) => vitestCommand(project))]
  for (const [program, ...args] of commands) spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] })
}
