// One session on a disk that loses its power again and again: what was told to the user has to be there each time.
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDisk } from './disk.mjs'
import { randomFrom } from './random.mjs'
import { effectsOf, faultsOfChain, finishOf } from './journal.mjs'
import { contentsOf, differences, fsck, missingTrees, stateOf } from './repository.mjs'
import { STORIES } from './stories.mjs'
import { checkoutIn, greenlatch, linesOf, makeWorld, stillRunning, storeIn, userState } from './world.mjs'

const MOST_RECORDS = 5
const MOST_MILLISECONDS = { run: 1800, accept: 900 }

/** At a random time, or as soon as something has been told, which is when it has to be true. */
function momentOf(random, story) {
  const [coin, amount] = [random(), random()]
  if (coin < 0.5) return { milliseconds: amount * MOST_MILLISECONDS[story] }
  return { records: story === 'accept' ? 1 : 1 + Math.floor(amount * MOST_RECORDS) }
}

/** At most `most` cuts: of the session until it is over, then of `accept`. Everything in the end is held against `expected`. */
export async function powerTrial(kind, most, seed, expected) {
  const random = randomFrom(seed).next
  const disk = makeDisk(kind)
  const world = makeWorld(disk.folder)
  const seen = { told: [], cuts: 0, faults: [], before: userState(world) }
  try {
    disk.sync()
    const ofAccept = most > 1 ? 1 : 0
    await cutAndGoOn('run', world, disk, random, most - ofAccept, seen)
    await checkEnd(world, seen, expected)
    await cutAndGoOn('accept', world, disk, random, ofAccept, seen)
    for (const text of STORIES.accept.user(world, differences(seen.before.files, stateOf(world.work)), seen.before)) seen.faults.push(text)
  } catch (error) {
    seen.faults.push(error.stack)
  } finally {
    await endAll(world)
    world.remove()
    disk.remove()
  }
  const checkpoints = seen.told.filter((line) => line.includes('"type":"observed"')).length
  return { kind, seed, cuts: seen.cuts, records: seen.told.length, checkpoints, faults: seen.faults }
}

async function cutAndGoOn(name, world, disk, random, most, seen) {
  const { next } = STORIES[name]
  for (let cuts = 0; cuts < most && next(world) !== null; cuts += 1) {
    const command = next(world)
    const moment = momentOf(random, name)
    const stdout = await untilCut(world, disk, command, moment)
    seen.cuts += 1
    const when = 'records' in moment ? `after ${moment.records} records` : `at ${Math.round(moment.milliseconds)} ms`
    const doing = `${command[0]}, cut ${when}`
    for (const text of faultsAfterCut(name, world, stdout, seen)) seen.faults.push(`${doing}: ${text}`)
  }
  if (next(world) === null) return
  const last = await greenlatch(world, next(world))
  note(last.stdout, seen)
  const said = last.stderr.trim().split('\n').slice(-2).join(' ')
  if (last.code !== 0) seen.faults.push(`${name} does not come to its end: exit ${last.code}: ${said}`)
}

/** A command that ends before its moment loses the power right after. */
async function untilCut(world, disk, command, moment) {
  let ended = null
  // What was told and noted while there was power: a sync that is under way when ext4 is shut down may come back as if it were done.
  const had = { told: '', log: '' }
  const takeAway = () => {
    if (ended !== null) return
    had.log = readFileSync(world.log, 'utf8')
    disk.cut()
    ended = endAll(world)
  }
  const timer = 'milliseconds' in moment ? setTimeout(takeAway, moment.milliseconds) : null
  const wanted = moment.records ?? Infinity
  await greenlatch(world, command, [], (stdout) => {
    if (ended === null) had.told = stdout
    if (stdout.split('\n').length > wanted) takeAway()
  })
  clearTimeout(timer)
  takeAway()
  await ended
  await disk.restart()
  writeFileSync(world.log, had.log)
  return had.told
}

async function endAll(world) {
  for (let tries = 0; tries < 200; tries += 1) {
    const left = stillRunning(world)
    if (left.length === 0) return
    for (const pid of left) end(Number(pid))
    await sleep(25)
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

function note(stdout, seen) {
  seen.told.push(...stdout.split('\n').slice(0, -1).filter((line) => line.startsWith('{"seq":')))
}

/** What the user had been told is there, whole; nothing of theirs has changed but what `accept` said. */
function faultsAfterCut(name, world, stdout, seen) {
  note(stdout, seen)
  const lines = linesOf(world)
  const lost = seen.told.filter((line) => !lines.includes(line))
  const store = storeIn(world)
  const faults = [...lost.map((line) => `a record that was told is lost: ${line.slice(0, 60)}…`), ...faultsOfChain(lines)]
  if (seen.told.length > 0 && store === null) return [...faults, 'the store is lost']
  if (seen.told.length > 0) faults.push(...missingTrees(store, seen.told).map((text) => `not whole in the store: ${text}`))
  if (seen.told.length > 0) faults.push(...fsck(store).map((text) => `fsck of the store: ${text}`))
  const changed = differences(seen.before.files, stateOf(world.work))
  if (name === 'run' && changed.length > 0) faults.push(`the user's repository changed: ${changed.slice(0, 5).join(', ')}`)
  const commit = /^[0-9a-f]{40}$/m.exec(stdout)?.[0]
  if (name === 'accept') faults.push(...fsck(`${world.work}/.git`).map((text) => `fsck of the user's repository: ${text}`))
  if (commit === undefined) return faults
  return [...faults, ...STORIES.accept.user(world, changed, seen.before).map((text) => `though it was told: ${text}`)]
}

/** A cut after the last record may take files of the checkout: what is delivered is in the store, and going there brings them back. */
async function checkEnd(world, seen, expected) {
  const lines = linesOf(world)
  const check = (isRight, text) => isRight || seen.faults.push(text)
  check(JSON.stringify(effectsOf(lines)) === JSON.stringify(expected.effects), `other effects: ${JSON.stringify(effectsOf(lines))}`)
  check(finishOf(lines)?.outcome === expected.outcome, `another outcome: ${finishOf(lines)?.outcome}`)
  const broken = /^(.*)\nbroken checkout$/m.exec(readFileSync(world.log, 'utf8'))
  check(broken === null, `git does not work in the checkout: ${broken?.[1]}`)
  const differing = () => differences(expected.contents, contentsOf(checkoutIn(world)))
  if (differing().length > 0) for (const command of STORIES.run.after) await greenlatch(world, command)
  const other = differing()
  check(other.length === 0, `the checkout differs: ${other.slice(0, 5).join(', ')}`)
  for (const text of fsck(storeIn(world))) seen.faults.push(`fsck of the store: ${text}`)
}
