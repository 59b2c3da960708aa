// `npm run test:faults`: kills the loop at every point of an iteration and cuts its journal at every byte; `--fast` takes a sample.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cutJournals } from './faults/cuts.mjs'
import { changing, killingAt, killPoints, spread } from './faults/kill-points.mjs'
import { inLanes } from './faults/lanes.mjs'
import { cutsTable, documentOf, inColumns, tableOf } from './faults/report.mjs'
import { trial, unharmed } from './faults/trial.mjs'
import { CLI, greenlatch, makeWorld, RUN } from './faults/world.mjs'
import { root } from './results.mjs'

const LEAST_POINTS = 200
const AMOUNTS = { full: { first: Infinity, second: 100, cuts: 300 }, fast: { first: 25, second: 3, cuts: 6 } }

const { values: options } = parseArgs({ options: { fast: { type: 'boolean', default: false } } })
const amounts = options.fast ? AMOUNTS.fast : AMOUNTS.full
if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')

const expected = await unharmed()
const points = await pointsOf([])
const first = await sweep('killed in run', points, amounts.first, [])
// Once the agent is marked as begun, so that resume says so and goes through the whole iteration again.
const firstOfTwo = points[points.findIndex(({ call }) => call === 'pwrite64') + 1]
const second = await sweep('killed again in resume', await pointsOf([firstOfTwo]), amounts.second, [firstOfTwo])
const cuts = await cutJournals(amounts.cuts, progress('cut'))
process.exitCode = conclude()

/** The points of `run`, or those of `resume` after a kill. */
async function pointsOf(kills) {
  const world = makeWorld()
  try {
    for (const point of kills) await greenlatch(world, RUN, killingAt(point))
    return await killPoints(world, kills.length > 0 ? ['resume'] : RUN)
  } finally {
    world.remove()
  }
}

async function sweep(name, all, amount, before) {
  const points = spread(options.fast ? changing(all) : all, amount)
  const results = await inLanes(points, (point) => trial([...before, point], expected), progress(name))
  return results.map((result, index) => ({ ...result, point: points[index] }))
}

function progress(name) {
  return (done, all) => (done % 50 === 0 || done === all) && console.log(`${name}: ${done} of ${all}`)
}

function conclude() {
  console.log(`\n${inColumns(tableOf(first))}\n\nkilled again in resume\n${inColumns(tableOf(second))}\n\n${inColumns(cutsTable(cuts))}\n`)
  const bad = [...first, ...second].flatMap(({ point, faults }) =>
    faults.map(({ kind, text }) => `${point.call} ${point.nth}: ${kind}: ${text}`),
  )
  const faults = [...bad, ...faultsOfCuts(), ...tooFew()]
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  const kills = first.length + second.length
  console.log(`${kills} kill points, ${cuts.length} cuts, ${cuts.cli.length} through the command line; ${faults.length} faults`)
  if (!options.fast && faults.length === 0) writeFileSync(join(root, 'docs', 'reliability.md'), documentOf({ first, second, cuts }))
  return faults.length === 0 ? 0 : 1
}

function faultsOfCuts() {
  const silent = Object.values(cuts.read).flatMap((counts) => counts.silent)
  return [...cuts.cli.filter((fault) => fault !== null), ...silent.map((at) => `a cut at byte ${at} is not noticed`)]
}

/** A sweep that kills nothing would find nothing. */
function tooFew() {
  const reached = first.filter((result) => result.reached).length
  const least = options.fast ? AMOUNTS.fast.first * 0.8 : LEAST_POINTS
  return reached >= least ? [] : [`only ${reached} points were reached, at least ${least} are needed`]
}
