// Changes the journal of a finished session in all kinds of ways and opens it: what differs is refused or said, and never read in silence.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { loadReader } from './cuts.mjs'
import { randomFrom } from './random.mjs'
import { RUN } from './repository.mjs'
import { greenlatch, journalIn, makeWorld } from './world.mjs'

const at = (random, bytes) => random.below(bytes.length)
const insert = (bytes, place, more) => Buffer.concat([bytes.subarray(0, place), more, bytes.subarray(place)])
const without = (bytes, from, to) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
const noise = (random, length) => Buffer.from(Array.from({ length }, () => random.below(256)))

/** Name → what it makes of the bytes of a journal. */
const WAYS = {
  'one bit turned': (bytes, random) => {
    const changed = Buffer.from(bytes)
    changed[at(random, bytes)] ^= 1 << random.below(8)
    return changed
  },
  'one byte changed': (bytes, random) => {
    const changed = Buffer.from(bytes)
    changed[at(random, bytes)] = random.below(256)
    return changed
  },
  'bytes put in': (bytes, random) => insert(bytes, at(random, bytes), noise(random, 1 + random.below(64))),
  'bytes taken out': (bytes, random) => {
    const from = at(random, bytes)
    return without(bytes, from, from + 1 + random.below(200))
  },
  'a run of zeros': (bytes, random) => {
    const changed = Buffer.from(bytes)
    const from = at(random, bytes)
    changed.fill(0, from, Math.min(bytes.length, from + 1 + random.below(512)))
    return changed
  },
  'a record twice': (bytes, random) => byLines(bytes, (lines) => lines.splice(random.below(lines.length), 0, random.pick(lines))),
  'a record left out': (bytes, random) => byLines(bytes, (lines) => lines.splice(random.below(lines.length), 1)),
  'two records changed round': (bytes, random) => byLines(bytes, (lines) => {
    const [one, other] = [random.below(lines.length), random.below(lines.length)]
    ;[lines[one], lines[other]] = [lines[other], lines[one]]
  }),
  'the end cut off': (bytes, random) => bytes.subarray(0, at(random, bytes)),
  'something after the end': (bytes, random) => Buffer.concat([bytes, noise(random, 1 + random.below(300))]),
  'a digit changed': (bytes, random) => {
    const changed = Buffer.from(bytes)
    const digits = [...bytes.keys()].filter((place) => bytes[place] >= 48 && bytes[place] <= 57)
    changed[random.pick(digits)] = 48 + random.below(10)
    return changed
  },
}

function byLines(bytes, change) {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1)
  change(lines)
  return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1')
}

export async function mutateJournals(count, seed) {
  const world = makeWorld()
  try {
    const { code, stderr } = await greenlatch(world, RUN)
    if (code !== 0) throw new Error(`the session to be changed could not be made: exit ${code}\n${stderr}`)
    const { openJournal, fold } = await loadReader()
    const original = dirname(journalIn(world)[0])
    const folder = join(world.folder, 'changed', basename(original))
    mkdirSync(dirname(folder))
    cpSync(original, folder, { recursive: true })
    const opened = () => openJournal({ folder, fold, writable: true, clock: { now: () => 0, seconds: () => 0 } })
    return await mutate({ original, folder, opened, random: randomFrom(seed) }, count)
  } finally {
    world.remove()
  }
}

async function mutate({ original, folder, opened, random }, count) {
  const bytes = readFileSync(join(original, 'journal.jsonl'))
  const whole = await read(opened)
  const rows = Object.fromEntries(Object.keys(WAYS).map((name) => [name, { tried: 0, refused: 0, said: 0, same: 0, between: 0, silent: [] }]))
  for (let trial = 0; trial < count; trial += 1) {
    const name = Object.keys(WAYS)[trial % Object.keys(WAYS).length]
    const changed = WAYS[name](bytes, random)
    const hasCache = random.below(2) === 0
    writeFileSync(join(folder, 'journal.jsonl'), changed)
    if (hasCache) copyFileSync(join(original, 'session.json'), join(folder, 'session.json'))
    else rmSync(join(folder, 'session.json'), { force: true })
    counted(rows[name], await read(opened), { whole, isShorter: !hasCache && isBeginning(changed, bytes), trial })
  }
  return rows
}

/** Whole records from the first on, and fewer of them: without the cache nothing can tell that there were more. */
function isBeginning(changed, bytes) {
  return changed.length < bytes.length && bytes.subarray(0, changed.length).equals(changed) && changed.at(-1) === 10
}

function counted(row, found, { whole, isShorter, trial }) {
  row.tried += 1
  if (found.kind !== 'read') row[found.kind] += 1
  else if (isDeepStrictEqual(found.session, whole.session)) row.same += 1
  else if (isShorter) row.between += 1
  else row.silent.push(trial)
}

async function read(opened) {
  const journal = opened()
  try {
    const { session, notices } = await journal.load()
    return notices.length > 0 ? { kind: 'said' } : { kind: 'read', session }
  } catch (error) {
    if (error.code === 10 && typeof error.next === 'string') return { kind: 'refused' }
    throw error
  } finally {
    journal.close()
  }
}

export function mutationsTable(rows) {
  const line = ([name, { tried, refused, said, same, between, silent }]) => [name, tried, refused, said, same, between, silent.length]
  return [['change', 'tried', 'refused', 'said', 'nothing lost', 'cannot be told', 'silent'], ...Object.entries(rows).map(line)]
}
