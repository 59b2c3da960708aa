// What was found out before about one bug, so that no candidate runs twice: the same program with the same change and the same tests says the same.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../results.mjs'

const KEPT = join(root, '.cache', 'bench-repair')

export const hashOf = (...texts) => createHash('sha1').update(JSON.stringify(texts)).digest('hex').slice(0, 20)

/** Where facts about a bug are kept: its name, and a hash of the spoilt program with all its tests. */
export function placeOf({ language, name, folder, files }, { file, source }) {
  const tests = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /^(tests?|hidden)\//.test(path)).toSorted()
  const texts = [...files, ...tests].map((path) => [path, path === file ? source : readFileSync(join(folder, path), 'utf8')])
  return join(KEPT, `${language}-${name}`, `${hashOf(texts)}.jsonl`)
}

/** A table that grows by a line for each fact. `find` gives undefined for what is not known. */
export function openKept(path) {
  mkdirSync(dirname(path), { recursive: true })
  const known = new Map(existsSync(path) ? readFileSync(path, 'utf8').split('\n').flatMap(entryIn) : [])
  const keep = (key, value) => {
    known.set(key, value)
    appendFileSync(path, `${JSON.stringify([key, value])}\n`)
    return value
  }
  return { find: (key) => known.get(key), keep, async once(key, work) { return known.has(key) ? known.get(key) : keep(key, await work()) } }
}

/** The last line may be cut off. */
function entryIn(line) {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
