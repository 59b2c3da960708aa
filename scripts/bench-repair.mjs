// `npm run bench:repair`: what the repair agent solves of the bugs in test/corpus/repair, how soon, and against which optimum. See the README there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { inLanes } from './faults/lanes.mjs'
import { checkCorpus } from './repair/check.mjs'
import { LANGUAGES, naturalBugs, programs } from './repair/corpus.mjs'
import { documentOf, tablesOf } from './repair/document.mjs'
import { bundleEngine } from './repair/engine.mjs'
import { goalsOf } from './repair/figures.mjs'
import { openKept } from './repair/kept.mjs'
import { measure } from './repair/measure.mjs'
import { keptMutants } from './repair/mutants.mjs'
import { KEPT } from './repair/strip-types.mjs'
import { root } from './results.mjs'

const USAGE = `usage: npm run bench:repair -- [--part tune|report] [--seed N] [--language ${LANGUAGES.join('|')}] [--program NAME,…] [--limit N] [--json]
       npm run bench:repair -- --check [--program NAME,…] [--limit N of each]   proves the corpus, without the agent
       npm run bench:repair -- --list [--part …] [--seed N]                      names the bugs, without the agent
       --mutants N per program (3)   --candidates N (300)   --seconds N (60)   --cap N for exhaustive search (3000; 0 leaves it out)
       --cap-seconds N (300)   --engine FOLDER of a checkout with the agent   --corpus FOLDER
       --resume goes on with a run that was broken off`
const TUNE_SEED = 1

const options = read()
const chosen = programs(options.check ? undefined : options.part, options.corpus).filter(isMeant)
if (chosen.length === 0) refuse('no program of the corpus is meant')
process.exitCode = options.check ? await check() : options.list ? await list() : await bench()
rmSync(KEPT, { recursive: true, force: true })

function isMeant({ language, name }) {
  return (options.language ?? language) === language && (options.program?.split(',').includes(name) ?? true)
}

function read() {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const names = ['part', 'seed', 'language', 'program', 'limit', 'mutants', 'candidates', 'seconds', 'cap', 'cap-seconds', 'engine', 'corpus']
  try {
    const { values } = parseArgs({ options: { ...Object.fromEntries(names.map((name) => [name, text])), json: flag, check: flag, list: flag, resume: flag } })
    const whole = (name, otherwise) => {
      const value = Number(values[name] ?? otherwise)
      return Number.isInteger(value) && value >= 0 ? value : refuse(`--${name} must be a whole number`)
    }
    const part = values.part ?? 'tune'
    if (part !== 'tune' && part !== 'report') refuse('--part is tune or report')
    if (part === 'report' && values.seed === undefined && !values.check) refuse('--part report needs a --seed, one that was chosen after tuning')
    if (part === 'tune' && values.seed !== undefined) refuse(`--seed is for --part report: tune has the mutants of seed ${TUNE_SEED}`)
    return {
      ...values, part, seed: whole('seed', TUNE_SEED), limit: whole('limit', Number.MAX_SAFE_INTEGER), mutants: whole('mutants', 3),
      limits: {
        ranked: { candidates: whole('candidates', 300), seconds: whole('seconds', 60), more: 30 },
        exhaustive: { candidates: whole('cap', 3000), seconds: whole('cap-seconds', 300), more: 0 },
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

async function bench() {
  const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-repair-'))
  try {
    const bundle = join(place, 'engine.mjs')
    await bundleEngine(resolve(options.engine ?? root), bundle)
    const bugs = await bugsOf()
    const kept = openKept(options)
    const search = async (bug) => kept.find(bug) ?? kept.keep(bug, told(await measure(bug, { bundle, ...options.limits })))
    const results = await inLanes(bugs, search, progress('searched'))
    return tell(results)
  } catch (error) {
    console.error(error.message)
    return 2
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function bugsOf() {
  const mutants = await inLanes(chosen, (program) => keptMutants(program, options.seed, options.mutants), progress('programs spoilt'))
  return chosen.flatMap((program, at) => [...naturalBugs(program), ...mutants[at]]).slice(0, options.limit)
}

function told(result) {
  const { ranked, exhaustive, id, kind } = result
  const found = ranked.solved ? `${ranked.correct ? 'correct' : 'overfit'}, first at ${ranked.first}` : exhaustive?.solved ? `missed, exhaustive at ${exhaustive.first}` : 'unsolved'
  process.stderr.write(`\r${id} (${kind}): ${found}, ${ranked.tried} tried in ${ranked.seconds.toFixed(1)} s${exhaustive ? `, all ${exhaustive.tried} in ${exhaustive.seconds.toFixed(1)} s` : ''}\n`)
  return result
}

function tell(results) {
  console.log(options.json ? JSON.stringify({ part: options.part, seed: options.seed, results }, null, 1) : tablesOf(results))
  const isWhole = options.part === 'report' && !options.language && !options.program && results.length < options.limit
  if (!isWhole) return 0
  writeFileSync(join(root, 'docs', 'repair-benchmark.md'), documentOf(results, { ...options, machine: `${availableParallelism()} processors` }))
  return goalsOf(results).every(({ reached }) => reached) ? 0 : 1
}

function progress(word) {
  return (done, all) => process.stderr.write(`\r${done} of ${all} ${word}${done === all ? '\n' : ''}`)
}
