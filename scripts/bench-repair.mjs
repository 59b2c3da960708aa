// `npm run bench:repair`: what the repair agent solves of the bugs in test/corpus/repair, how soon, and against which optimum.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { inLanes } from './faults/lanes.mjs'
import { checkCorpus } from './repair/check.mjs'
import { LANGUAGES, layOut, naturalBugs, PARTS, programs } from './repair/corpus.mjs'
import { documentOf, tablesOf } from './repair/document.mjs'
import { bundleEngine, placeOfRepair } from './repair/engine.mjs'
import { goalsOf, speedGoalsOf } from './repair/figures.mjs'
import { looks, noteLook } from './repair/looks.mjs'
import { hashOf, openKept, placeOf } from './repair/kept.mjs'
import { measure, speedOf } from './repair/measure.mjs'
import { keptMutants } from './repair/mutants.mjs'
import { testCommand as commandOf } from './repair/run-tests.mjs'
import { STRIPPED } from './repair/strip-types.mjs'
import { openTrials } from './repair/trials.mjs'
import { root } from './results.mjs'

const USAGE = `usage: npm run bench:repair -- [--part ${PARTS.join('|')}] [--seed N] [--language ${LANGUAGES.join('|')}] [--program NAME,…]
       --json   --limit N searches for so many, drawn by the seed
       npm run bench:repair -- --check [--part …] [--program NAME,…] [--limit N of each]   proves the corpus, without the agent
       npm run bench:repair -- --list [--part …] [--seed N]                      names the bugs, without the agent
       npm run bench:repair -- --ranks [--part tune|report] [--seed N]           where the repairs that were meant stand in the order, without a trial
       --mutants N per program (2)   --candidates N (300)   --seconds N (60)   --cap N for exhaustive search (3000; 0 leaves it out)
       --cap-seconds N (300)   --engine FOLDER of a checkout with the agent   --corpus FOLDER`
const TUNE_SEED = 1
/** What the agent is tuned on, and what it is measured by. */
const UNSEEN = 'fresh'
const WITH_VALUE = [
  'part', 'seed', 'language', 'program', 'limit', 'mutants', 'candidates', 'seconds', 'cap', 'cap-seconds', 'engine', 'corpus',
]

const options = read()
const chosen = programs(options.check ? options.typed.part : options.part, options.corpus).filter(isMeant)
if (chosen.length === 0) refuse('no program of the corpus is meant')
process.exitCode = options.check ? await check() : options.list ? await list() : options.ranks ? await ranks() : await bench()
rmSync(STRIPPED, { recursive: true, force: true, maxRetries: 5 })

function isMeant({ language, name }) {
  return (options.language ?? language) === language && (options.program?.split(',').includes(name) ?? true)
}

function read() {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  try {
    const { values } = parseArgs({
      options: { ...Object.fromEntries(WITH_VALUE.map((name) => [name, text])), json: flag, check: flag, list: flag, ranks: flag },
    })
    const whole = (name, otherwise) => {
      const value = Number(values[name] ?? otherwise)
      return Number.isInteger(value) && value >= 0 ? value : refuse(`--${name} must be a whole number`)
    }
    const part = values.part ?? 'tune'
    if (!PARTS.includes(part)) refuse(`--part is one of ${PARTS.join(', ')}`)
    if (part !== 'tune' && values.seed === undefined && !values.check)
      refuse(`--part ${part} needs a --seed, one that was chosen after tuning`)
    if (part === UNSEEN && values.ranks) refuse(`--ranks is for tuning, and ${UNSEEN} is not tuned on`)
    if (part === 'tune' && values.seed !== undefined) refuse(`--seed is for --part ${UNSEEN}: tune has the mutants of seed ${TUNE_SEED}`)
    return {
      ...values, typed: values, part,
      seed: whole('seed', TUNE_SEED), limit: whole('limit', Number.MAX_SAFE_INTEGER), mutants: whole('mutants', 2),
      limits: {
        ranked: { candidates: whole('candidates', 300), seconds: whole('seconds', 60) },
        exhaustive: { candidates: whole('cap', 3000), seconds: whole('cap-seconds', 300) },
      },
    }
  } catch (error) {
    return refuse(error.message)
  }
}

function refuse(why) {
  console.error(`${why}\n${USAGE}`)
  process.exit(2)
}

async function check() {
  const bugs = chosen.flatMap((program) => naturalBugs(program).slice(0, options.limit))
  const problems = await checkCorpus(chosen, bugs, progress('checked'))
  console.log(problems.length === 0 ? `${chosen.length} programs and ${bugs.length} bugs are as promised` : problems.join('\n'))
  return problems.length === 0 ? 0 : 1
}

async function list() {
  for (const { id, program, origin, kind, lines, file, source } of await bugsOf()) {
    const changed = options.json ? { file, source } : {}
    console.log(JSON.stringify({ id, language: program.language, origin, kind, lines, ...changed }))
  }
  return 0
}

/** What the order alone is worth: quick, since each bug is run once, and after that not at all. */
async function ranks() {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-repair-'))
  try {
    const bundle = join(place, 'engine.mjs')
    const versions = await bundleEngine(resolve(options.engine ?? root), bundle)
    const engine = await import(pathToFileURL(bundle).href)
    const found = await inLanes(sampled(await bugsOf()), (bug) => ranked(bug, engine, versions), progress('ranked'))
    const offered = found.filter((each) => each?.place)
    const within = (most) => `${((100 * offered.filter((each) => each.place <= most).length) / offered.length).toFixed(1)} % within ${most}`
    for (const { id, kind, place: at, all } of offered.toSorted((one, other) => other.place - one.place)) console.log(`${id} (${kind}): ${at} of ${all}`)
    console.log(`${offered.length} of ${found.length} repairs are offered; of these ${[10, 30, 100, 300].map(within).join(', ')}`)
    return 0
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function ranked(bug, engine, versions) {
  const { program, file, id, kind } = bug
  const copy = layOut(program, bug)
  try {
    const meant = readFileSync(join(program.folder, file), 'utf8')
    const testCommand = commandOf(program, copy.folder, program.tests)
    return { id, kind, ...(await placeOfRepair({ engine, folder: copy.folder, file, meant, testCommand, kept: openKept(placeOf(program, bug)), versions })) }
  } finally {
    copy.remove()
  }
}

async function bench() {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-repair-'))
  const trials = openTrials()
  try {
    const bundle = join(place, 'engine.mjs')
    const versions = await bundleEngine(resolve(options.engine ?? root), bundle)
    const isFresh = options.part === UNSEEN
    const search = async (bug) => told(await measure(bug, { trials, bundle, versions, isFresh, ...options.limits }))
    const all = await bugsOf()
    const bugs = sampled(all)
    if (isFresh) noteLook(options.part, options.seed, bugs.length)
    const results = await inLanes(bugs, search, progress('searched'))
    const timed = (bug) => speedOf(bug, { trials, bundle, lanes: availableParallelism() })
    return tell(results, await inLanes(oneOfEach(bugs), timed, progress('timed'), 1), all.length)
  } catch (error) {
    console.error(error.message)
    return 2
  } finally {
    trials.close()
    rmSync(place, { recursive: true, force: true })
  }
}

async function bugsOf() {
  const mutants = await inLanes(chosen, (program) => keptMutants(program, options.seed, options.mutants), progress('programs spoilt'))
  return chosen.flatMap((program, at) => [...naturalBugs(program), ...mutants[at]])
}

/** So many, drawn by the seed. */
function sampled(bugs) {
  const luck = new Map(bugs.map((bug) => [bug, hashOf(options.seed, bug.program.language, bug.id)]))
  const drawn = new Set(bugs.toSorted((one, other) => (luck.get(one) < luck.get(other) ? -1 : 1)).slice(0, options.limit))
  return bugs.filter((bug) => drawn.has(bug))
}

function oneOfEach(bugs) {
  return [...new Map(bugs.toReversed().map((bug) => [bug.program, bug])).values()].toReversed()
}

function told(result) {
  const { ranked, exhaustive, id, kind } = result
  const solved = `${ranked.correct ? 'correct' : 'overfit'}, first at ${ranked.first}`
  const found = ranked.solved ? solved : exhaustive?.solved ? `missed, exhaustive at ${exhaustive.first}` : 'unsolved'
  const all = exhaustive ? `, all ${exhaustive.tried} in ${exhaustive.seconds.toFixed(1)} s` : ''
  process.stderr.write(`\r${id} (${kind}): ${found}, ${ranked.tried} tried in ${ranked.seconds.toFixed(1)} s${all}\n`)
  return result
}

function tell(results, speeds, total) {
  const { part, seed, language, program } = options
  console.log(options.json ? JSON.stringify({ part, seed, results, speeds }, null, 1) : tablesOf(results, speeds))
  if (part !== UNSEEN || language || program) return 0
  const command = `npm run bench:repair -- ${given()}`
  const page = { ...options, command, total, machine: `${availableParallelism()} processors`, looks: looks(part) }
  writeFileSync(join(root, 'docs', 'repair-benchmark.md'), documentOf(results, speeds, page))
  return [...goalsOf(results), ...speedGoalsOf(speeds)].every(({ reached }) => reached) ? 0 : 1
}

/** The flags that figures depend on, as they were typed. */
function given() {
  return WITH_VALUE.filter((name) => options.typed[name] !== undefined).map((name) => `--${name} ${options.typed[name]}`).join(' ')
}

function progress(word) {
  return (done, all) => process.stderr.write(`\r${done} of ${all} ${word}${done === all ? '\n' : ''}`)
}
