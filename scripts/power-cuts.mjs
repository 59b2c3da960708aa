// `npm run test:power`: takes the power from ext4 and xfs disks while a session works on them; `--fast` takes a sample.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { KINDS, whyNoDisk } from './faults/disk.mjs'
import { powerSection, writeSections } from './faults/document.mjs'
import { inLanes } from './faults/lanes.mjs'
import { powerTrial } from './faults/power-trial.mjs'
import { inColumns } from './faults/report.mjs'
import { unharmed } from './faults/trial.mjs'
import { CLI } from './faults/world.mjs'
import { readOptions, refuse, someOf, wholeNumber } from './options.mjs'

const options = readOptions('test:power', {
  fast: { says: 'takes a sample and writes nothing' },
  cuts: { value: 'N', says: 'so many cuts on each kind of disk' },
  seed: { value: 'N', says: 'cuts at the moments of this seed, as a fault names it' },
  disk: { value: 'KIND', says: `one kind of disk: ${KINDS.join(', ')}` },
})
/** How many cuts one session has to bear, and how many there are on each kind of disk. */
const CUTS_OF_A_SESSION = 4
/** So many on each kind of disk: should hardly any be cut, that is a fault of its own. */
const MOST_SESSIONS = 200
const LEFT_OUT = 75
const numberOf = (name, otherwise) => (options[name] === undefined ? otherwise : wholeNumber(options, name))
const cuts = numberOf('cuts', options.fast ? 4 : 100)
const firstSeed = numberOf('seed', options.fast ? 1 : Date.now() % 1_000_000)
const kinds = someOf(options, 'disk', KINDS)

if (!existsSync(CLI)) refuse('dist/greenlatch.cjs is not there: npm run build')
const why = whyNoDisk()
process.exitCode = why !== null ? notRun(why) : process.env.POWER_CUTS_APART === '1' ? await main() : runApart()

/** In a room of its own, where no other process can take a mount along and keep the disk alive. */
function runApart() {
  const argv = ['--mount', '--propagation', 'private', process.execPath, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', argv, { stdio: 'inherit', env: { ...process.env, POWER_CUTS_APART: '1' } })
  return status ?? 1
}

/** Where it is owed, not being able to is a failure; elsewhere the exit code says that it was left out. */
function notRun(text) {
  console.log(`NOT RUN: no power can be cut here: ${text}`)
  return process.env.CI === 'true' || !options.fast ? 1 : LEFT_OUT
}

async function main() {
  const { expected } = await unharmed('run')
  const results = []
  // A session may be over before it was cut as often as it could have been: what is missing then is made up for.
  for (let owed = sessionsOwed(kinds, results); owed.length > 0; owed = sessionsOwed(kinds, results))
    results.push(...(await inLanes(owed, ({ kind, most, seed }) => powerTrial(kind, most, seed, expected), progress)))
  return conclude(results)
}

function sessionsOwed(kinds, results) {
  return kinds.flatMap((kind) => {
    const own = results.filter((result) => result.kind === kind)
    const count = own.length < MOST_SESSIONS ? Math.ceil((cuts - cutsOf(own)) / CUTS_OF_A_SESSION) : 0
    return Array.from({ length: Math.max(0, count) }, (_, at) => ({ kind, most: Math.min(CUTS_OF_A_SESSION, cuts), seed: firstSeed + own.length + at }))
  })
}

function cutsOf(results) {
  return results.reduce((total, result) => total + result.cuts, 0)
}

function progress(done, all) {
  if (done % 10 === 0) console.log(`${done} of ${all} sessions`)
}

function conclude(results) {
  console.log(`\n${inColumns(tableOf(results))}`)
  for (const { kind, seed, faults } of results.filter((result) => result.faults.length > 0)) {
    for (const text of faults) console.log(`FAULT  ${kind}, seed ${seed}: ${text}`)
    console.log(`       again: node scripts/power-cuts.mjs --disk ${kind} --seed ${seed} --cuts ${CUTS_OF_A_SESSION}`)
  }
  const total = cutsOf(results)
  const faults = results.reduce((sum, result) => sum + result.faults.length, 0)
  console.log(`\n${total} power cuts from seed ${firstSeed} on; ${faults} faults`)
  const isWhole = !options.fast && options.cuts === undefined && options.disk === undefined
  if (isWhole && faults === 0) writeSections(powerSection(tableOf(results), firstSeed))
  const isEnough = kinds.every((kind) => cutsOf(results.filter((result) => result.kind === kind)) >= cuts)
  return faults === 0 && isEnough ? 0 : 1
}

function tableOf(results) {
  const rows = KINDS.map((kind) => {
    const own = results.filter((result) => result.kind === kind)
    const sum = (key) => own.reduce((total, result) => total + result[key], 0)
    return [kind, own.length, sum('cuts'), sum('records'), sum('checkpoints'), own.filter((result) => result.faults.length > 0).length]
  })
  return [['disk', 'sessions', 'power cuts', 'records told', 'trees told', 'sessions with a fault'], ...rows]
}
