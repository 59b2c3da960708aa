// `npm run test:faults`: kills a session and its git at points all over it and cuts its journal at every byte; `--fast` takes a sample.
import { existsSync } from 'node:fs'
import { cutJournals } from './faults/cuts.mjs'
import { faultSections, writeSections } from './faults/document.mjs'
import { changing, spread } from './faults/kill-points.mjs'
import { inLanes } from './faults/lanes.mjs'
import { cutsTable, inColumns, storiesTable, tableOf } from './faults/report.mjs'
import { trial, unharmed } from './faults/trial.mjs'
import { CLI } from './faults/world.mjs'
import { readOptions, refuse, someOf } from './options.mjs'

/** How many points are killed, Infinity being every one. `again`: in how many of the trials what goes on is killed as well. */
const AMOUNTS = {
  full: {
    run: { node: 400, git: Infinity, again: 0 },
    resume: { node: 60, git: 40, again: 0 },
    undo: { node: 40, git: 40, again: 0 },
    accept: { node: 120, git: 120, again: 60 },
  },
  fast: { run: { node: 6, git: 7, again: 13 }, accept: { node: 4, git: 4, again: 8 } },
}
const CUTS = { full: 300, fast: 2 }
/** Of so many bytes one is tried in the sample, and all around the end of a record. */
const SAMPLED = 9
const LEAST = { full: 700, fast: 20 }

const options = readOptions('test:faults', {
  fast: { says: 'takes a sample and writes nothing' },
  only: { value: 'PARTS', says: 'some parts, with commas between them' },
})
const size = options.fast ? 'fast' : 'full'
const parts = someOf(options, 'only', [...Object.keys(AMOUNTS[size]), 'cuts'])
if (!existsSync(CLI)) refuse('dist/greenlatch.cjs is not there: npm run build')

const wanted = Object.entries(AMOUNTS[size]).filter(([name]) => parts.includes(name))
const trials = (await inLanes(wanted, ([name, amounts]) => trialsOf(name, amounts), () => {})).flat()
const ended = await inLanes(trials, async (one) => ({ ...one, ...(await trial(one.story, [...one.before, ...one.points], one.expected)) }), progress('killed'))
const results = Object.fromEntries(wanted.map(([name]) => [name, ended.filter((one) => one.name === name)]))
const cuts = parts.includes('cuts') ? await cutJournals(CUTS[size], options.fast ? SAMPLED : 1, progress('cut')) : null
process.exitCode = conclude()

/** `resume` is the run, killed once before. */
async function trialsOf(name, { node, git, again }) {
  const story = name === 'resume' ? 'run' : name
  const before = name === 'resume' ? [await onceBegun()] : []
  const { points, expected } = await unharmed(story, before)
  const own = spread(options.fast ? changing(points.node) : points.node, node)
  const theirs = spread(points.git, git).map((point, at) => ({ ...point, alone: at % 2 === 0 }))
  const more = (at) => (at < again ? [early(points, at)] : [])
  return [...own, ...theirs].map((point, at) => ({ name, story, before, expected, points: [point, ...more(at)] }))
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
  if (ended.length > 0) console.log(`\n${inColumns(tableOf(ended))}\n\n${inColumns(storiesTable(results))}`)
  if (cuts) console.log(`\n${inColumns(cutsTable(cuts))}`)
  const reached = ended.reduce((sum, result) => sum + result.reached, 0)
  const faults = [...ended.flatMap(faultsOf), ...faultsOfCuts(), ...tooFew(reached)]
  for (const fault of faults) console.log(`FAULT  ${fault}`)
  const told = cuts ? `${cuts.read.with.tried} cuts, ${cuts.cli.length} more through the command line` : 'no cuts'
  console.log(`\n${reached} kill points, ${told}; ${faults.length} faults`)
  const isWhole = !options.fast && options.only === undefined
  if (isWhole && faults.length === 0) writeSections(faultSections({ results, cuts }))
  return faults.length === 0 ? 0 : 1
}

function faultsOf({ name, points, faults }) {
  return faults.map(({ kind, text }) => `${name}: ${points.map(placeOf).join(', then ')}: ${kind}: ${text}`)
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
  const least = options.only === undefined ? LEAST[size] : 0
  return reached >= least ? [] : [`only ${reached} points were reached, at least ${least} are needed`]
}
