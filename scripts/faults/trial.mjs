// One trial: kill at a point, go on as a user would, and compare everything with an unharmed run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gitPoints, killGitAt, listGit, spareGit } from './git-wrapper.mjs'
import { effectsOf, faultsOfChain, finishOf } from './journal.mjs'
import { killingAt, listingTo, pointsIn } from './kill-points.mjs'
import { contentsOf, differences, fsck, keptIn, missingTrees, stateOf } from './repository.mjs'
import { STORIES } from './stories.mjs'
import { checkoutIn, greenlatch, journalIn, letTimePass, linesOf, makeWorld, stateFiles, stillRunning, storeIn, userState } from './world.mjs'

/**
 * `kills`: one point for each attempt in turn; the attempt after the last is left alone. `expected`: the unharmed run.
 * Faults have a kind: something was `lost`, work was `repeated`, it `stuck` where a person would have to step in, something was `left`
 * behind, or the user's own repository was `touched`.
 */
export async function trial(name, kills, expected) {
  const story = STORIES[name]
  const world = makeWorld()
  const seen = { lines: [], acknowledged: [], finished: [], log: [], reached: 0 }
  try {
    await story.prepare(world)
    Object.assign(seen, { log: logOf(world), lines: linesOf(world), before: userState(world) })
    const faults = []
    for (const point of kills) {
      if (story.next(world) === null) break
      const result = await attempt(world, story.next(world), point, seen)
      faults.push(...look(world, result, seen))
      await letTimePass(world)
    }
    const commands = story.next(world) ? [story.next(world)] : story.after
    for (const command of commands) {
      const last = await greenlatch(world, command)
      faults.push(...look(world, last, seen), ...faultsAtRest(world, last, seen, expected))
    }
    faults.push(...faultsOfFiles(world, story, seen, expected), ...(await faultsRunning(world)))
    return { reached: seen.reached, faults }
  } finally {
    world.remove()
  }
}

/** The unharmed run of a story that all others are held against, and every point of it; `kills` come before it. */
export async function unharmed(name, kills = []) {
  const story = STORIES[name]
  const world = makeWorld()
  const trace = join(world.folder, 'trace')
  try {
    await story.prepare(world)
    const before = userState(world)
    for (const point of kills) await attempt(world, story.next(world), point, {})
    listGit(world)
    const { code, stderr } = await greenlatch(world, story.next(world), listingTo(trace))
    if (code !== 0) throw new Error(`the unharmed ${name} failed: exit ${code}\n${stderr}`)
    const wrong = story.user(world, differences(before.files, stateOf(world.work)), before)
    if (wrong.length > 0) throw new Error(`the unharmed ${name}: ${wrong.join('; ')}`)
    return { points: { node: pointsIn(trace, world), git: gitPoints(world) }, expected: stateAtRest(world) }
  } finally {
    world.remove()
  }
}

function stateAtRest(world) {
  const lines = linesOf(world)
  const [kept, contents] = [keptIn(storeIn(world)), contentsOf(checkoutIn(world))]
  return { effects: effectsOf(lines), outcome: finishOf(lines)?.outcome, files: stateFiles(world), kept, contents }
}

async function attempt(world, command, point, seen) {
  if ('verb' in point) killGitAt(world, point)
  const result = await greenlatch(world, command, 'verb' in point ? [] : killingAt(point))
  const wasReached = 'verb' in point ? spareGit(world) : result.signal === 'SIGKILL'
  if (wasReached) seen.reached++
  return result
}

function logOf({ log }) {
  return readFileSync(log, 'utf8').split('\n').slice(0, -1)
}

/** Notes what this attempt left behind and what it told its user, and holds it against what was there before. */
function look(world, result, seen) {
  const lines = linesOf(world)
  const log = logOf(world)
  const faults = []
  const isKept = seen.lines.every((line, index) => line === lines[index])
  if (!isKept) faults.push({ kind: 'lost', text: 'records of an earlier attempt were changed or lost' })
  seen.acknowledged.push(...result.stdout.split('\n').slice(0, -1).filter((line) => line.startsWith('{"seq":')))
  const isTrue = seen.acknowledged.every((line) => lines.includes(line))
  if (!isTrue) faults.push({ kind: 'lost', text: 'a record that was told to the user is not in the journal' })
  const missing = lines.length > 0 ? missingTrees(storeIn(world), lines) : []
  for (const text of missing) faults.push({ kind: 'lost', text: `not whole in the store: ${text}` })
  const again = seen.finished.filter((id) => log.slice(seen.log.length).some((line) => line.endsWith(` ${id}`)))
  for (const id of again) faults.push({ kind: 'repeated', text: `${id} was done again after it had been recorded` })
  if (/^ {4}at /m.test(result.stderr)) faults.push({ kind: 'stuck', text: `a stack trace: ${result.stderr.trim().split('\n')[0]}` })
  const finished = Object.entries(effectsOf(lines)).filter(([, effect]) => effect.observed > 0).map(([id]) => id)
  Object.assign(seen, { lines, log, finished })
  return faults
}

function faultsAtRest(world, last, seen, expected) {
  const faults = []
  const check = (isRight, kind, text) => isRight || faults.push({ kind, text })
  const sessions = journalIn(world).length
  const effects = effectsOf(seen.lines)
  check(last.code === 0, 'stuck', `it ends with exit ${last.code ?? last.signal}: ${last.stderr.trim().split('\n').slice(-2).join(' ')}`)
  check(sessions === 1, 'left', `there are ${sessions} sessions`)
  for (const text of faultsOfChain(seen.lines)) faults.push({ kind: 'lost', text })
  check(JSON.stringify(effects) === JSON.stringify(expected.effects), 'repeated', `other effects: ${JSON.stringify(effects)}`)
  check(finishOf(seen.lines)?.outcome === expected.outcome, 'stuck', `another outcome: ${finishOf(seen.lines)?.outcome}`)
  check(!seen.log.includes('broken checkout'), 'lost', 'git does not work in the checkout')
  // Every effect reached the outside world: once, and at most once more for each time it was cut off.
  for (const id of Object.keys(expected.effects)) {
    const times = seen.log.filter((line) => line.endsWith(` ${id}`)).length
    check(times >= 1, 'lost', `${id} was never done`)
    check(times <= seen.reached + 1, 'repeated', `${id} was done ${times} times`)
  }
  return faults
}

function faultsOfFiles(world, story, seen, expected) {
  const store = storeIn(world)
  if (store === null) return [{ kind: 'lost', text: 'there is no store' }]
  const mayBe = (file) => story.mayLeave.some((pattern) => pattern.test(file))
  const files = stateFiles(world).filter((file) => !mayBe(file))
  const more = files.filter((file) => !expected.files.includes(file)).map((file) => ({ kind: 'left', text: `there is ${file}` }))
  const gone = expected.files.filter((file) => !files.includes(file) && !mayBe(file))
  const fewer = gone.map((file) => ({ kind: 'lost', text: `there is no ${file}` }))
  const kept = keptIn(store)
  const isKept = ([name, tree]) => (name.startsWith('salvage/') ? Object.values(kept).includes(tree) : kept[name] === tree)
  const names = Object.entries(expected.kept).filter((entry) => !isKept(entry))
  const other = differences(expected.contents, contentsOf(checkoutIn(world)))
  const user = story.user(world, differences(seen.before.files, stateOf(world.work)), seen.before)
  return [
    ...more,
    ...fewer,
    ...fsck(store).map((text) => ({ kind: 'lost', text: `git fsck of the store: ${text}` })),
    ...names.map(([name]) => ({ kind: 'lost', text: `${name} is not kept as it should be` })),
    ...(other.length > 0 ? [{ kind: 'lost', text: `the checkout differs: ${other.slice(0, 5).join(', ')}` }] : []),
    ...user.map((text) => ({ kind: 'touched', text })),
  ]
}

async function faultsRunning(world) {
  // A process that is just ending may need a moment.
  for (let tries = 0; tries < 40 && stillRunning(world).length > 0; tries++) await sleep(50)
  return stillRunning(world).map((pid) => ({ kind: 'left', text: `process ${pid} is still running` }))
}
