// Sources whose loops end after so many turns, to find out where a test is that does not end. Lines stay where they are.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesIn } from './copy.js'
import { applied } from './dedupe.js'
import type { Reader } from './parse.js'
import { mayChange } from './suspects.js'
import { field, walk, type Unit } from './tree.js'

const MOST_TURNS = 200_000
const MOST_FILES = 200
const COUNTED = 'globalThis.__turns'
const COUNTS = ` if ((${COUNTED} = (${COUNTED} ?? 0) + 1) > ${MOST_TURNS}) { ${COUNTED} = 0; throw new Error('did not end') }`

/** JavaScript and TypeScript alone: Python's tracer counts by itself. */
export async function boundedSources(root: string, reader: Reader): Promise<{ path: string; text: string }[]> {
  const paths = filesIn(root).filter((path) => !path.endsWith('.py') && mayChange(root, path)).slice(0, MOST_FILES)
  const units = await Promise.all(paths.map((path) => reader.unit(path, readFileSync(join(root, path), 'utf8'))))
  return units
    .filter((unit) => unit !== null)
    .map((unit) => ({ path: unit.path, text: withCounters(unit) }))
    .filter(({ text }, at) => text !== units[at]?.source)
}

export function withCounters(unit: Unit): string {
  const edits = [...walk(unit.root)].flatMap((node) => {
    const body = /^(for|for_in|while|do)_statement$/.test(node.type) ? field(node, 'body') : undefined
    if (!body) return []
    if (body.type === 'statement_block') return [{ start: body.start + 1, end: body.start + 1, text: COUNTS }]
    return [{ start: body.start, end: body.start, text: `{${COUNTS}; ` }, { start: body.end, end: body.end, text: ' }' }]
  })
  return applied(unit.source, edits)
}
