// The files that a plan names and the tests it brought, as they stand now, for prompts.
import { readFileSync } from 'node:fs'
import { Refusal } from '../errors.js'
import { find } from '../files/guard.js'
import type { Folder, TextFile } from '../ports.js'
import type { Session } from '../core/index.js'
import { headOf } from '../text/prompt/delimited.js'

const MOST_FILES = 100
const LONGEST_FILE_CHARS = 40_000
/** How many characters of a prompt with that many tokens files may take: about half of it. */
const CHARS_FOR_A_TOKEN = 2

/** Those of the plan first, then its tests. Whatever is not shown is named with the reason. */
export function planFiles({ kept }: Session, folder: Pick<Folder, 'read'>, cwd: string, promptTokens: number): TextFile[] {
  const paths = ['plan-files', 'tests'].flatMap((name) => pathsIn(kept[name] && folder.read(kept[name].path)))
  return shownFiles([...new Set(paths)].slice(0, MOST_FILES), cwd, promptTokens)
}

/** As they stand now, as far as a share of the prompt allows. */
export function shownFiles(paths: readonly string[], cwd: string, promptTokens: number): TextFile[] {
  let left = promptTokens > 0 ? promptTokens * CHARS_FOR_A_TOKEN : Infinity
  return paths.map((path) => {
    const text = textOf(cwd, path, Math.min(left, LONGEST_FILE_CHARS))
    left = Math.max(0, left - text.length)
    return { path, text }
  })
}

function pathsIn(list: string | undefined): string[] {
  try {
    const paths: unknown = JSON.parse(list ?? '[]')
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : []
  } catch {
    return []
  }
}

function textOf(cwd: string, path: string, most: number): string {
  try {
    const { path: absolute, entry } = find(cwd, path)
    if (!entry) return '(not there yet)'
    if (!entry.isFile()) return '(not shown: no plain file)'
    if (entry.size > 4 * LONGEST_FILE_CHARS || most === 0) return `(not shown here: ${entry.size} bytes)`
    const text = readFileSync(absolute, 'utf8')
    if (text.includes('\0')) return '(not shown: no text)'
    return text.length <= most ? text.trimEnd() : `${headOf(text, most)}\n(${text.length - most} more characters are not shown)`
  } catch (error) {
    return `(not shown: ${error instanceof Refusal ? 'the path is refused' : 'it cannot be read'})`
  }
}
