// `npm run test:power`: takes the power from ext4 and xfs disks while a session works on them; `--fast` takes a sample.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { KINDS, whyNoDisk } from './faults/disk.mjs'
import { inLanes } from './faults/lanes.mjs'
import { powerTrial } from './faults/power-trial.mjs'
import { inColumns } from './faults/report.mjs'
import { unharmed } from './faults/trial.mjs'
import { CLI } from './faults/world.mjs'

const { values: options } = parseArgs({
  options: { fast: { type: 'boolean', default: false }, cuts: { type: 'string' }, seed: { type: 'string' }, disk: { type: 'string' } },
})
/** How many cuts one session has to bear, and how many there are on each kind of disk. */
const CUTS_OF_A_SESSION = 4
const cuts = Number(options.cuts ?? (options.fast ? 4 : 100))
const firstSeed = Number(options.seed ?? (options.fast ? 1 : Date.now() % 1_000_000))

if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')
const why = whyNoDisk()
process.exitCode = why !== null ? refuse(why) : process.env.POWER_CUTS_APART === '1' ? await main() : runApart()

/** In a room of its own, where no other process can take a mount along and keep the disk alive. */
function runApart() {
  const argv = ['--mount', '--propagation', 'private', process.execPath, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', argv, { stdio: 'inherit', env: { ...process.env, POWER_CUTS_APART: '1' } })
  return status ?? 1
}

/** Where it is owed, not being able to is a failure. */
function refuse(text) {
  console.log(`NOT RUN: no power can be cut here: ${text}`)
  return process.env.CI === 'true' || !options.fast ? 1 : 0
}

async function main() {
  const { expected } = await unharmed('run')
  const trials = KINDS.filter((kind) => (options.disk ?? kind) === kind).flatMap((kind) =>
    Array.from({ length: Math.ceil(cuts / CUTS_OF_A_SESSION) }, (_, at) => ({ kind, most: Math.min(CUTS_OF_A_SESSION, cuts - at * CUTS_OF_A_SESSION), seed: firstSeed + at })),
  )
  const results = await inLanes(trials, ({ kind, most, seed }) => powerTrial(kind, most, seed, expected), (done, all) => done % 10 === 0 && console.log(`${done} of ${all} sessions`))
  return conclude(results)
}

function conclude(results) {
  console.log(`\n${inColumns(tableOf(results))}`)
  const faults = results.flatMap(({ kind, seed, faults: found }) => found.map((text) => `${kind}, seed ${seed}: ${text}`))
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  for (const { kind, seed } of results.filter((result) => result.faults.length > 0)) console.log(`again: node scripts/power-cuts.mjs --disk ${kind} --seed ${seed} --cuts ${CUTS_OF_A_SESSION}`)
  const total = results.reduce((sum, result) => sum + result.cuts, 0)
  console.log(`\n${total} power cuts from seed ${firstSeed} on; ${faults.length} faults`)
  return faults.length === 0 && total > 0 ? 0 : 1
}

function tableOf(results) {
  const rows = KINDS.map((kind) => {
    const own = results.filter((result) => result.kind === kind)
    const sum = (key) => own.reduce((total, result) => total + result[key], 0)
    return [kind, own.length, sum('cuts'), sum('records'), sum('checkpoints'), own.filter((result) => result.faults.length > 0).length]
  })
  return [['disk', 'sessions', 'power cuts', 'records told', 'trees told', 'sessions with a fault'], ...rows]
}
