// Which sources may be changed, and which of them to look at when no runner told of lines.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPins } from '../../../text/pins/pins.js'
import { filesIn, isPlainFile } from './copy.js'
import { isReadable } from './parse.js'

const MOST_SUSPECTS = 12
const MOST_BYTES = 300_000
const IMPORTS = /(?:from\s+|require\(\s*|import\s*\(?\s*)['"](\.{1,2}\/[^'"]+)['"]|^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w.]+))/gm

/** Neither a test, nor what tests are run by, nor too large. */
export function mayChange(root: string, path: string): boolean {
  return isReadable(path) && createPins()(path) === null && isPlainFile(join(root, path)) && statSync(join(root, path)).size <= MOST_BYTES
}

/** What the tests that fail import, and what that imports; everything there is when that leads nowhere. */
export function suspects(root: string, testPaths: readonly string[]): string[] {
  const all = filesIn(root)
  const found = new Set<string>()
  const waiting = testPaths.filter((path) => existsSync(join(root, path)))
  const seen = new Set(waiting)
  while (waiting.length > 0 && found.size < MOST_SUSPECTS) {
    const path = waiting.shift() ?? ''
    for (const next of importsOf(root, path, all)) {
      if (seen.has(next)) continue
      seen.add(next)
      waiting.push(next)
      if (mayChange(root, next)) found.add(next)
    }
  }
  return found.size > 0 ? [...found] : all.filter((path) => mayChange(root, path)).slice(0, MOST_SUSPECTS)
}

function importsOf(root: string, path: string, all: readonly string[]): string[] {
  const text = isReadable(path) ? readFileSync(join(root, path), 'utf8') : ''
  return [...text.matchAll(IMPORTS)].flatMap(([, relative, from, module]) => {
    if (relative !== undefined) return resolved(join(dirname(path), relative), all)
    const dotted = (from ?? module ?? '').replace(/^\.+/, '').replaceAll('.', '/')
    return dotted === ''
      ? []
      : all
          .filter((file) => file === `${dotted}.py` || file.endsWith(`/${dotted}.py`) || file.endsWith(`${dotted}/__init__.py`))
          .slice(0, 2)
  })
}

function resolved(path: string, all: readonly string[]): string[] {
  const stem = path.replace(/\.[mc]?js$/, '')
  const wanted = new Set(
    ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx', '/index.js', '/index.ts'].flatMap((ending) => [
      `${path}${ending}`,
      `${stem}${ending}`,
    ]),
  )
  return all.filter((file) => wanted.has(file)).slice(0, 1)
}
