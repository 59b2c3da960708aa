// Reports that a command writes by itself, found by a glob: only those of this run count.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { matcherOf } from '../../../text/glob.js'
import { entriesOf } from './entries.js'

export type ReportOption = { path: string; format: 'junit' | 'tap' | 'sarif' }

/** What stood in a folder at one moment: path → what tells one writing of a file from another. */
export type Marks = ReadonlyMap<string, string>

const MOST_ENTRIES = 200_000
const MOST_REPORTS = 20_000
const SKIPPED = new Set(['.git', 'node_modules'])

/** All files below a folder that fit the glob. */
export function marksOf(folder: string, glob: string): Marks {
  const fits = matcherOf(glob)
  const marks = new Map<string, string>()
  const waiting = ['']
  for (let seen = 0; waiting.length > 0 && seen < MOST_ENTRIES && marks.size < MOST_REPORTS; ) {
    const at = waiting.pop() ?? ''
    for (const entry of entriesOf(join(folder, at))) {
      seen += 1
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) waiting.push(path)
      if (!entry.isFile() || !fits(path)) continue
      const mark = markOf(join(folder, path))
      if (mark !== null) marks.set(path, mark)
    }
  }
  return marks
}

/** Writing a file moves the time of its last change, which nobody can set back; a clock would be too coarse to go by. */
function markOf(path: string): string | null {
  try {
    const { ino, ctimeNs, mtimeNs, size } = lstatSync(path, { bigint: true })
    return [ino, ctimeNs, mtimeNs, size].join(' ')
  } catch {
    return null
  }
}

/** Files of this run in the order of their names, and how many are left over from before. */
export function freshOf(before: Marks, after: Marks): { fresh: string[]; stale: number } {
  const fresh = [...after.keys()].filter((path) => before.get(path) !== after.get(path)).toSorted()
  return { fresh, stale: after.size - fresh.length }
}
