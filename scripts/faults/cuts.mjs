// Cuts the journal of a finished session short, at every byte and through the CLI, and sees whether anything is lost in silence.
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { loadText } from '../source.mjs'
import { spread } from './kill-points.mjs'
import { inLanes } from './lanes.mjs'
import { RUN } from './repository.mjs'
import { greenlatch, journalIn, makeWorld } from './world.mjs'

/** One of `step` bytes through the journal's own reader, and `throughCli` places through the commands a user would type. */
export async function cutJournals(throughCli, step, onProgress) {
  const world = makeWorld()
  try {
    const { code, stderr } = await greenlatch(world, RUN)
    if (code !== 0) throw new Error(`the session to be cut could not be made: exit ${code}\n${stderr}`)
    const length = readFileSync(journalIn(world)[0]).length
    const places = spread(Array.from({ length }, (_, at) => at), throughCli)
    const cli = await inLanes(places, (at, index) => cutThroughCli(world, at, index), onProgress)
    return { length, cli, read: await cutEverywhere(world, step) }
  } finally {
    world.remove()
  }
}

/** The whole way back: `status` and `resume` refuse and name `repair`; after it both work. Null when all is as it should be. */
async function cutThroughCli(world, at, index) {
  const copy = { ...world, state: join(world.folder, `cut-${index}`) }
  cpSync(world.state, copy.state, { recursive: true })
  const path = journalIn(copy)[0]
  truncateSync(path, at)
  const isRefused = ({ code, stderr }) => code === 10 && stderr.includes('next: greenlatch repair ')
  const looked = await greenlatch(copy, ['status'])
  if (!isRefused(looked)) return `status after a cut at byte ${at}: exit ${looked.code}: ${looked.stderr.trim()}`
  const fault = index % 5 === 0 ? await wayBack(copy, at, isRefused) : null
  rmSync(copy.state, { recursive: true })
  return fault
}

async function wayBack(copy, at, isRefused) {
  const resumed = await greenlatch(copy, ['resume'])
  if (!isRefused(resumed)) return `resume after a cut at byte ${at}: exit ${resumed.code}: ${resumed.stderr.trim()}`
  const holdsRecord = readFileSync(journalIn(copy)[0]).includes(10)
  const repaired = await greenlatch(copy, ['repair'])
  // Without one sound record there is nothing to go on with: that is said, and the file is kept.
  const isKept = !holdsRecord && repaired.code === 10 && repaired.stderr.includes('kept as it is')
  if (isKept) return null
  if (!holdsRecord || repaired.code !== 0) return `repair after a cut at byte ${at}: exit ${repaired.code}: ${repaired.stderr.trim()}`
  for (const command of ['status', 'resume']) {
    const { code, stderr } = await greenlatch(copy, [command])
    if (code !== 0) return `${command} after a cut at byte ${at} and a repair: exit ${code}: ${stderr.trim()}`
  }
  return null
}

/** With the cache a session at rest has, and without one. */
async function cutEverywhere(world, step) {
  const { openJournal, fold } = await loadReader()
  const bytes = readFileSync(journalIn(world)[0])
  const results = {}
  for (const cache of ['with', 'without']) {
    const folder = join(world.folder, cache, basename(dirname(journalIn(world)[0])))
    mkdirSync(dirname(folder))
    cpSync(dirname(journalIn(world)[0]), folder, { recursive: true })
    if (cache === 'without') rmSync(join(folder, 'session.json'))
    results[cache] = await cutBytes(folder, bytes, step, (options) => openJournal({ ...options, fold }))
  }
  return results
}

async function cutBytes(folder, bytes, step, open) {
  const counts = { tried: 0, refused: 0, said: 0, between: 0, silent: [] }
  for (let length = bytes.length - 1; length >= 0; length--) {
    const isNearEnd = bytes.subarray(Math.max(0, length - 2), length + 2).includes(10)
    if (length % step !== 0 && !isNearEnd) continue
    counts.tried++
    truncateSync(join(folder, 'journal.jsonl'), length)
    const how = await load(open({ folder, writable: true, clock: { now: () => 0, seconds: () => 0 } }))
    // Exactly between two records, and with no cache beside it, a shorter journal is a whole one: nothing can tell.
    const isBetween = how === 'silent' && bytes[length - 1] === 10
    if (isBetween) counts.between++
    else if (how === 'silent') counts.silent.push(length)
    else counts[how]++
  }
  return counts
}

async function load(journal) {
  try {
    const { notices } = await journal.load()
    return notices.length > 0 ? 'said' : 'silent'
  } catch (error) {
    if (error.code === 10 && error.next.includes('greenlatch repair ')) return 'refused'
    throw error
  } finally {
    journal.close()
  }
}

export async function loadReader() {
  return loadText(`
    import { apply, FOLD_VERSION } from './src/core/index.ts'
    export { openJournal } from './src/adapters/journal/files.ts'
    export const fold = { version: FOLD_VERSION, apply }`)
}
