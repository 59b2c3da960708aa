// Results of an earlier run that was broken off, so that it can be gone on with: a whole run takes hours.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../results.mjs'

const PATH = join(root, '.cache', 'bench-repair.jsonl')

/** Only the same bug, spoilt in the same way and searched for within the same limits, is the same. */
const keyOf = ({ program, id, file, source }, limits) => JSON.stringify([program.language, id, file, source, limits])

/** `resume` says whether what is there is used or thrown away. */
export function openKept({ resume, limits }) {
  mkdirSync(dirname(PATH), { recursive: true })
  if (!resume) rmSync(PATH, { force: true })
  const known = new Map(existsSync(PATH) ? readFileSync(PATH, 'utf8').split('\n').flatMap(entryIn) : [])
  return {
    find: (bug) => known.get(keyOf(bug, limits)),
    keep(bug, result) {
      appendFileSync(PATH, `${JSON.stringify([keyOf(bug, limits), result])}\n`)
      return result
    },
  }
}

/** The last line may be cut off. */
function entryIn(line) {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
