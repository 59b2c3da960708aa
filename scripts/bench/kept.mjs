// What a loop keeps of an iteration: calls that sync, files that are left, and where they lie, counted and not taken on trust.
import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MANY = 11
const SYNCS = 'fsync,fdatasync,msync,sync_file_range,syncfs'
const LOG = 'syncs'

/** For each iteration, by name of the loop; `runs` are given how many and words before the command, and leave all they keep below `place`. Null without strace. */
export async function keptByEach(runs, place) {
  if (spawnSync('strace', ['-V']).status !== 0) return null
  const counted = {}
  for (const [name, run] of Object.entries(runs)) {
    const [many, one] = [await traced(run, MANY, place), await traced(run, 1, place)]
    const each = (key) => (many[key] - one[key]) / (MANY - 1)
    counted[name] = { syncs: each('syncs'), files: each('files'), bytes: each('bytes'), where: whereOf(many, one) }
  }
  return counted
}

async function traced(run, many, place) {
  const log = join(place, LOG)
  const before = filesIn(place)
  await run(many, ['strace', '-f', '-qq', '-e', `trace=${SYNCS}`, '-e', 'signal=none', '-o', log])
  const syncs = readFileSync(log, 'utf8').split('\n').filter((line) => /sync(fs|_file_range)?\(/.test(line)).length
  rmSync(log)
  const after = filesIn(place)
  const sum = (files) => [...files.values()].reduce((all, size) => all + size, 0)
  const made = [...after.keys()].filter((path) => !before.has(path))
  return { syncs, made, files: after.size - before.size, bytes: sum(after) - sum(before) }
}

/** Path → size. */
function filesIn(place) {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(entries.map((entry) => join(entry.parentPath, entry.name)).map((path) => [path.slice(place.length + 1), lstatSync(path).size]))
}

/** Folders that get new files by and by: those of a run of many less those of a run of one, by names that are steady. */
function whereOf(many, one) {
  const newIn = ({ made }, folder) => made.filter((path) => steady(dirname(path)) === folder).length
  const folders = [...new Set(many.made.map((path) => steady(dirname(path))))]
  return folders.filter((folder) => newIn(many, folder) - newIn(one, folder) >= (MANY - 1) / 2)
}

/** A repository, its store of objects and a session are other ones each time. */
function steady(folder) {
  return folder.split('/').slice(1).map((step) => (/\d/.test(step) || /^[0-9a-f]{2}$/.test(step) ? '*' : step)).join('/') || '.'
}
