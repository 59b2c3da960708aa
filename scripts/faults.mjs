// `npm run test:faults`: kills the loop and its git at every point of a session and cuts its journal at every byte; `--fast` takes a sample.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cutJournals } from './faults/cuts.mjs'
import { changing, spread } from './faults/kill-points.mjs'
import { inLanes } from './faults/lanes.mjs'
import { cutsTable, documentOf, inColumns, tableOf } from './faults/report.mjs'
import { trial, unharmed } from './faults/trial.mjs'
import { CLI } from './faults/world.mjs'
import { root } from './results.mjs'

/** How many points of each kind are killed; Infinity: every one. `again`: how many of the trials are killed a second time, when they go on. */
const AMOUNTS = {
  full: { run: { node: 400, git: Infinity, again: 0 }, resume: { node: 60, git: 40, again: 0 }, undo: { node: 40, git: 40, again: 0 }, accept: { node: 120, git: 120, again: 60 }, cuts: 300, least: 700 },
  fast: { run: { node: 5, git: 5, again: 10 }, accept: { node: 3, git: 3, again: 6 }, cuts: 2, least: 24 },
}

const { values: options } = parseArgs({ options: { fast: { type: 'boolean', default: false }, only: { type: 'string' } } })
const amounts = options.fast ? AMOUNTS.fast : AMOUNTS.full
if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')

const results = {}
for (const name of Object.keys(amounts).filter((key) => isObject(amounts[key]) && (options.only ?? key) === key)) results[name] = await sweep(name, amounts[name])
const cuts = options.only === undefined || options.only === 'cuts' ? await cutJournals(amounts.cuts, progress('cut')) : null
process.exitCode = conclude()

function isObject(value) {
  return typeof value === 'object'
}

/** `resume` is the run, killed once before. */
async function sweep(name, { node, git, again }) {
  const story = name === 'resume' ? 'run' : name
  const before = name === 'resume' ? [await onceBegun()] : []
  const { points, expected } = await unharmed(story, before)
  const own = spread(options.fast ? changing(points.node) : points.node, node)
  const theirs = spread(points.git, git).map((point, at) => ({ ...point, alone: at % 2 === 0 }))
  const kills = [...own, ...theirs].map((point, at) => [...before, point, ...(at < again ? [early(points, at)] : [])])
  const trials = await inLanes(kills, (list) => trial(story, list, expected), progress(name))
  return trials.map((result, at) => ({ ...result, points: kills[at].slice(before.length) }))
}

/** What goes on begins as the first time did, and is nearer to its end. */
function early({ node, git }, at) {
  const points = at % 2 === 0 ? git.filter(({ run }) => run === 1) : changing(node).slice(0, node.length / 4)
  return { ...points[(at * 97) % points.length], alone: at % 4 === 0 }
}

/** Once the agent is marked as begun, so that resume says so and goes through the whole iteration again. */
async function onceBegun() {
  const { node } = (await unharmed('run')).points
  return node[node.findIndex(({ call }) => call === 'pwrite64') + 1]
}

function progress(name) {
  return (done, all) => (done % 50 === 0 || done === all) && console.log(`${name}: ${done} of ${all}`)
}

function conclude() {
  for (const [name, trials] of Object.entries(results)) console.log(`\n${name}\n${inColumns(tableOf(trials))}`)
  if (cuts) console.log(`\n${inColumns(cutsTable(cuts))}`)
  const all = Object.entries(results).flatMap(([name, trials]) => trials.map((result) => ({ ...result, name })))
  const bad = all.flatMap(({ name, points, faults }) => faults.map(({ kind, text }) => `${name}: ${points.map(placeOf).join(', then ')}: ${kind}: ${text}`))
  const reached = all.reduce((sum, result) => sum + result.reached, 0)
  const faults = [...bad, ...faultsOfCuts(), ...tooFew(reached)]
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  console.log(`\n${reached} kill points, ${cuts ? `${cuts.length} cuts, ${cuts.cli.length} through the command line` : 'no cuts'}; ${faults.length} faults`)
  const isWhole = !options.fast && options.only === undefined
  if (isWhole && faults.length === 0) writeFileSync(join(root, 'docs', 'reliability.md'), documentOf({ results, cuts }))
  return faults.length === 0 ? 0 : 1
}

function placeOf({ verb, run, alone, call, nth }) {
  return verb === undefined ? `node ${call} ${nth}` : `git ${verb} (${run}) ${call} ${nth}${alone ? '' : ' with the loop'}`
}

function faultsOfCuts() {
  if (!cuts) return []
  const silent = Object.values(cuts.read).flatMap((counts) => counts.silent)
  return [...cuts.cli.filter((fault) => fault !== null), ...silent.map((at) => `a cut at byte ${at} is not noticed`)]
}

/** A sweep that kills nothing would find nothing. */
function tooFew(reached) {
  return options.only !== undefined || reached >= amounts.least ? [] : [`only ${reached} points were reached, at least ${amounts.least} are needed`]
}
