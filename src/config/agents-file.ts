// Gates that AGENTS.md declares: a fenced block of YAML that says it is for greenlatch, with the key `gates` as in the settings.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'

export const AGENTS_FILE = 'AGENTS.md'

const LARGEST_BYTES = 1_048_576
/** ```` ```yaml greenlatch ```` opens it; the same number of marks or more closes it. */
const OPENS = /^ {0,3}(`{3,}|~{3,})[ \t]*ya?ml[ \t]+greenlatch[ \t]*$/i

/** The block as text, with as many lines before it as in the file, so that a fault is named by its line; null where there is none. */
export function blockIn(text: string): string | null {
  const lines = text.split(/\r?\n/)
  const starts = lines.flatMap((line, at) => (OPENS.test(line) ? [at] : []))
  const [start] = starts
  if (start === undefined) return null
  if (starts.length > 1) throw refusal(`${AGENTS_FILE}:${(starts[1] ?? 0) + 1}: a second block for greenlatch; put all gates into one`)
  const mark = OPENS.exec(lines[start] ?? '')?.[1] ?? '```'
  const closes = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}[ \\t]*$`)
  const end = lines.findIndex((line, at) => at > start && closes.test(line))
  if (end < 0) throw refusal(`${AGENTS_FILE}:${start + 1}: the block for greenlatch is not closed`)
  return lines.map((line, at) => (at > start && at < end ? line : '')).slice(0, end).join('\n')
}

/** Null where there is no such file, or none that is plain text of a sensible size: it is written for others as well. */
export function readAgentsFile(root: string): string | null {
  const path = join(root, AGENTS_FILE)
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= LARGEST_BYTES ? blockIn(readFileSync(path, 'utf8')) : null
  } catch (error) {
    if (error instanceof Refusal) throw error
    return null
  }
}

function refusal(text: string): Refusal {
  return new Refusal(EXIT.usage, text, 'see "Gates in AGENTS.md" in docs/gates.md')
}
