// One trial: kill the process at a point, go on as a user would, and compare everything with an unharmed run.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { effectsOf, faultsOfChain, finishOf, readLines } from './journal.mjs'
import { killingAt } from './kill-points.mjs'
import { greenlatch, journalIn, letTimePass, makeWorld, RUN, stateFiles, stillRunning } from './world.mjs'

const JSONL = ['--output', 'jsonl']

/**
 * `kills`: one point for each attempt in turn; the attempt after the last is left alone. `expected`: the unharmed run.
 * Faults have a kind: a record was `lost`, work was `repeated`, it `stuck` where a person would have to step in, or something
 * was `left` behind.
 */
export async function trial(kills, expected) {
  const world = makeWorld()
  const seen = { lines: [], acknowledged: [], done: [], log: [], reached: 0, wasOver: false }
  try {
    const faults = []
    for (const point of kills) {
      const result = await greenlatch(world, [...nextCommand(world), ...JSONL], killingAt(point))
      if (result.signal === 'SIGKILL') seen.reached++
      faults.push(...look(world, result, seen))
      letTimePass(world)
    }
    const last = await finish(world, seen)
    faults.push(...look(world, last, seen), ...faultsAtRest(world, last, seen, expected), ...(await faultsLeft(world, seen, expected)))
    return { reached: seen.reached === kills.length, faults }
  } finally {
    world.remove()
  }
}

/** The unharmed run that all others are held against. */
export async function unharmed() {
  const world = makeWorld()
  try {
    const { code, stderr } = await greenlatch(world, [...RUN, ...JSONL])
    if (code !== 0) throw new Error(`the unharmed run failed: exit ${code}\n${stderr}`)
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
  const log = readFileSync(world.log, 'utf8').split('\n').slice(0, -1)
  const faults = []
  const isKept = seen.lines.every((line, index) => line === lines[index])
  if (!isKept) faults.push({ kind: 'lost', text: 'records of an earlier attempt were changed or lost' })
  seen.acknowledged.push(...result.stdout.split('\n').slice(0, -1).filter((line) => line.startsWith('{"seq":')))
  const isTrue = seen.acknowledged.every((line) => lines.includes(line))
  if (!isTrue) faults.push({ kind: 'lost', text: 'a record that was told to the user is not in the journal' })
  const again = seen.done.filter((id) => log.slice(seen.log.length).some((line) => line.endsWith(` ${id}`)))
  for (const id of again) faults.push({ kind: 'repeated', text: `${id} was done again after it had been recorded` })
  const done = Object.entries(effectsOf(lines)).filter(([, effect]) => effect.observed > 0).map(([id]) => id)
  Object.assign(seen, { lines, log, done })
  return faults
}

function faultsAtRest(world, last, seen, expected) {
  const faults = []
  const check = (isRight, kind, text) => isRight || faults.push({ kind, text })
  const sessions = journalIn(world).length
  const effects = effectsOf(seen.lines)
  check(last.code === expected.code, 'stuck', `it ends with exit ${last.code ?? last.signal}: ${last.stderr.trim().split('\n').at(-1)}`)
  check(sessions === 1, 'left', `there are ${sessions} sessions`)
  for (const text of faultsOfChain(seen.lines)) faults.push({ kind: 'lost', text })
  check(JSON.stringify(effects) === JSON.stringify(expected.effects), 'repeated', `other effects: ${JSON.stringify(effects)}`)
  check(finishOf(seen.lines)?.outcome === expected.outcome, 'stuck', `another outcome: ${finishOf(seen.lines)?.outcome}`)
  // Every effect reached the outside world: once, and at most once more for each time it was cut off.
  for (const id of Object.keys(expected.effects)) {
    const times = seen.log.filter((line) => line.endsWith(` ${id}`)).length
    check(times >= 1, 'lost', `${id} was never done`)
    check(times <= seen.reached + 1, 'repeated', `${id} was done ${times} times`)
  }
  return faults
}

async function faultsLeft(world, seen, expected) {
  const files = stateFiles(world).filter((file) => !(seen.wasOver && file.endsWith('/.session.json.tmp')))
  const more = files.filter((file) => !expected.files.includes(file)).map((file) => ({ kind: 'left', text: `there is ${file}` }))
  const fewer = expected.files.filter((file) => !files.includes(file)).map((file) => ({ kind: 'lost', text: `there is no ${file}` }))
  // A process that is just ending may need a moment.
  for (let tries = 0; tries < 40 && stillRunning(world).length > 0; tries++) await sleep(50)
  return [...more, ...fewer, ...stillRunning(world).map((pid) => ({ kind: 'left', text: `process ${pid} is still running` }))]
}
