// One trial: kill the process at a point, go on as a user would, and compare everything with an unharmed run.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { effectsOf, faultsOfChain, finishOf, readLines } from './journal.mjs'
import { killingAt } from './kill-points.mjs'
import { greenlatch, journalIn, letTimePass, makeWorld, RUN, stateFiles, stillRunning } from './world.mjs'

const JSONL = ['--output', 'jsonl']

/** `kills`: one point for each attempt in turn; the attempt after the last is left alone. `expected`: the unharmed run. */
export async function trial(kills, expected) {
  const world = makeWorld()
  try {
    const seen = { lines: [], acknowledged: [], reached: 0 }
    const faults = []
    for (const point of kills) {
      const result = await greenlatch(world, [...nextCommand(world), ...JSONL], killingAt(point))
      if (result.signal === 'SIGKILL') seen.reached++
      faults.push(...look(world, result, seen))
      letTimePass(world)
    }
    const last = await finish(world, seen)
    faults.push(...look(world, last, seen), ...(await faultsAtRest(world, last, seen, expected)))
    return { reached: seen.reached === kills.length, faults }
  } finally {
    world.remove()
  }
}

/** The unharmed run that all others are held against. */
export async function unharmed() {
  const world = makeWorld()
  try {
    const { code } = await greenlatch(world, [...RUN, ...JSONL])
    const lines = readLines(journalIn(world)[0])
    return { code, effects: effectsOf(lines), outcome: finishOf(lines)?.outcome, files: stateFiles(world) }
  } finally {
    world.remove()
  }
}

/** What a user would type: `resume` when there is a session, else the same command again. */
function nextCommand(world) {
  return journalIn(world).length > 0 ? ['resume'] : RUN
}

/**
 * Goes on to the end; a session that was over already is only asked how it stands. Nobody writes to such a session again, so a
 * cache that was just being replaced keeps its temporary file.
 */
async function finish(world, seen) {
  seen.wasOver = finishOf(seen.lines) !== null
  return greenlatch(world, seen.wasOver ? ['status'] : [...nextCommand(world), ...JSONL])
}

/** Notes what this attempt left behind and what it told its user, and holds it against what was there before. */
function look(world, result, seen) {
  const [path] = journalIn(world)
  const lines = path === undefined ? [] : readLines(path)
  const faults = []
  if (!seen.lines.every((line, index) => line === lines[index])) faults.push('records of an earlier attempt were changed or lost')
  seen.acknowledged.push(...result.stdout.split('\n').slice(0, -1).filter((line) => line.startsWith('{"seq":')))
  if (!seen.acknowledged.every((line) => lines.includes(line))) faults.push('a record that was told to the user is not in the journal')
  faults.push(...repeatedWork(world, seen, lines))
  seen.lines = lines
  seen.done = Object.entries(effectsOf(lines)).filter(([, effect]) => effect.observed > 0).map(([id]) => id)
  seen.log = readFileSync(world.log, 'utf8').split('\n').slice(0, -1)
  return faults
}

/** What had been recorded as done when an attempt began is not done again by it. */
function repeatedWork(world, seen) {
  const log = readFileSync(world.log, 'utf8').split('\n').slice(0, -1)
  const since = log.slice(seen.log?.length ?? 0)
  return (seen.done ?? []).filter((id) => since.some((line) => line.endsWith(` ${id}`))).map((id) => `${id} was done again after it had been recorded`)
}

async function faultsAtRest(world, last, seen, expected) {
  const faults = []
  const check = (isRight, fault) => isRight || faults.push(fault)
  const paths = journalIn(world)
  check(last.code === expected.code, `it ends with exit ${last.code ?? last.signal}: ${last.stderr.trim().split('\n').at(-1)}`)
  check(paths.length === 1, `there are ${paths.length} sessions`)
  const lines = paths[0] !== undefined && existsSync(paths[0]) ? readLines(paths[0]) : []
  faults.push(...faultsOfChain(lines))
  check(JSON.stringify(effectsOf(lines)) === JSON.stringify(expected.effects), `other effects: ${JSON.stringify(effectsOf(lines))}`)
  check(finishOf(lines)?.outcome === expected.outcome, `another outcome: ${finishOf(lines)?.outcome}`)
  faults.push(...faultsOfLog(seen, expected))
  const files = stateFiles(world).filter((file) => !(seen.wasOver && file.endsWith('/.session.json.tmp')))
  check(files.join() === expected.files.join(), `other files: ${difference(files, expected.files)}`)
  const left = await leftRunning(world)
  check(left.length === 0, `still running: ${left.join(', ')}`)
  return faults
}

/** Every effect reached the outside world, and no more often than it was begun: once, and once more where it was cut off. */
function faultsOfLog({ log }, expected) {
  return Object.keys(expected.effects).flatMap((id) => {
    const times = log.filter((line) => line.endsWith(` ${id}`)).length
    return times >= 1 && times <= 2 ? [] : [`${id} was done ${times} times`]
  })
}

function difference(files, expected) {
  const more = files.filter((file) => !expected.includes(file)).map((file) => `+${file}`)
  const fewer = expected.filter((file) => !files.includes(file)).map((file) => `-${file}`)
  return [...more, ...fewer].join(' ') || 'the same names, another number'
}

/** A process that is ending may need a moment. */
async function leftRunning(world) {
  for (let tries = 0; tries < 20 && stillRunning(world).length > 0; tries++) await sleep(50)
  return stillRunning(world)
}
