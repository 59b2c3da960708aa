// Reads changes by parts out of an answer: search and replace, and unified diffs. What can be read in two ways is a fault.
import type { Part, PartLine } from './apply-edits.js'
import { stripReasoning } from './reasoning.js'
import { cleanPath, shownPath } from './values.js'

export type ReadParts = { parts: Part[] } | { fault: string }

const SEARCH = /^<{5,9} ?SEARCH\s*$/
const DIVIDER = /^={5,9}\s*$/
const REPLACE = /^>{5,9} ?REPLACE\s*$/
const SECTION = 'a line <<<<<<< SEARCH, the old lines, a line =======, the new lines, a line >>>>>>> REPLACE'

// — search and replace —
/** One or more sections. A divider inside one makes two readings possible, so that it is not read at all. */
export function readSearches(content: string): ReadParts {
  const lines = content.split('\n')
  const parts: Part[] = []
  for (let at = 0; at < lines.length; at++) {
    if ((lines[at] ?? '').trim() === '' || isFence(lines[at])) continue
    let end = at + 1
    while (end < lines.length && !REPLACE.test(lines[end] ?? '')) end += 1
    const name = `part ${parts.length + 1}`
    if (!SEARCH.test(lines[at] ?? '') || end === lines.length) return { fault: `${name} is not closed as it should be: ${SECTION}` }
    const inner = lines.slice(at + 1, end)
    const dividers = inner.filter((line) => DIVIDER.test(line)).length
    if (dividers !== 1 || inner.some((line) => SEARCH.test(line))) return { fault: `${name} can be read in more than one way: ${SECTION}` }
    const middle = inner.findIndex((line) => DIVIDER.test(line))
    parts.push({ name, at: null, lines: [...inner.slice(0, middle).map(lineThat('remove')), ...inner.slice(middle + 1).map(lineThat('add'))] })
    at = end
  }
  return parts.length === 0 ? { fault: `it holds no part: ${SECTION}` } : { parts }
}

function lineThat(does: PartLine['does']): (text: string) => PartLine {
  return (text) => ({ does, text })
}

function isFence(line = ''): boolean {
  return /^\s*(?:`{3,}|~{3,})\w*\s*$/.test(line)
}

// — unified diffs —
const HUNK = /^@@+(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?/
const OLD_NAME = /^--- ([^\t\r\n]+)/
const NEW_NAME = /^\+\+\+ ([^\t\r\n]+)/
/** What git writes above the names; none of it says more than they do. */
const AROUND = /^(?:diff |index |new file mode |old mode |new mode |similarity |similarity index |rename |deleted file mode )/

/** The hunks of a diff for one file. How long each says it is does not matter: what it holds does. */
export function readDiff(content: string, path: string): ReadParts {
  const parts: { name: string; at: number | null; lines: PartLine[] }[] = []
  const lines = content.split('\n')
  while (lines.length > 0 && (lines.at(-1)?.trim() === '' || isFence(lines.at(-1)))) lines.pop()
  for (const [n, line] of lines.entries()) {
    const hunk = HUNK.exec(line)
    const open = parts.at(-1)
    if (hunk) {
      parts.push({ name: `hunk ${parts.length + 1}`, at: hunk[1] === undefined ? null : Math.max(0, Number(hunk[1]) - 1), lines: [] })
      continue
    }
    const fault = open ? takeLine(open.lines, line) : faultAbove(line, path, lines[n + 1])
    if (fault !== null) return { fault: open ? `${open.name}: ${fault}` : fault }
  }
  if (parts.length === 0) return { fault: 'it holds no hunk; one begins with a line @@' }
  const idle = parts.find(({ lines: all }) => all.every(({ does }) => does === 'keep'))
  return idle ? { fault: `${idle.name} changes nothing` } : { parts }
}

/** An empty line stands for an empty one that is kept: its space gets lost easily. */
function takeLine(lines: PartLine[], line: string): string | null {
  const sign = line.charAt(0)
  if (sign === '\\') return null
  if (line.trim() === '' && sign !== '+' && sign !== '-') lines.push({ does: 'keep', text: line.slice(1) })
  else if (sign === ' ') lines.push({ does: 'keep', text: line.slice(1) })
  else if (sign === '+' || sign === '-') lines.push({ does: sign === '+' ? 'add' : 'remove', text: line.slice(1) })
  else return `the line "${shownPath(line)}" begins with none of " ", "+" and "-"`
  return null
}

/** What stands above the first hunk has to be about the same file. */
function faultAbove(line: string, path: string, next: string | undefined): string | null {
  if (line.trim() === '' || isFence(line) || AROUND.test(line)) return null
  const name = OLD_NAME.exec(line)?.[1] ?? NEW_NAME.exec(line)?.[1]
  if (name === undefined) return `the line "${shownPath(line)}" belongs to no hunk${next === undefined ? '; one begins with a line @@' : ''}`
  if (name.trim() === '/dev/null') return NEW_NAME.test(line) ? `a diff takes no file away; write a line === DELETE ${shownPath(path)} ===` : null
  return plainName(name) === path ? null : `it is about ${shownPath(plainName(name))}; a block changes the one file that it names`
}

function plainName(name: string): string {
  return cleanPath(name.trim().replace(/^[ab]\//, ''))
}

// — diffs that stand in no block —
const OPENS_DIFF = /^(`{3,}|~{3,})[ \t]*(?:diff|patch)\s*$/

/** Where an answer has no block at all, the diffs in its fences are meant. One piece for each file of them. */
export function looseDiffs(text: string): { path: string; text: string }[] {
  return fencedDiffs(stripReasoning(text)).flatMap((inside) => {
    const pieces = inside.split(/(?<![^\n])(?=--- [^\n]+\n\+\+\+ )/)
    return pieces.flatMap((piece) => {
      const [old, renewed] = [/(?<![^\n])--- ([^\t\n]+)/.exec(piece)?.[1], /(?<![^\n])\+\+\+ ([^\t\n]+)/.exec(piece)?.[1]]
      const name = renewed === undefined || renewed.trim() === '/dev/null' ? old : renewed
      const end = piece.search(/(?<![^\n])diff --git /)
      return name === undefined ? [] : [{ path: plainName(name), text: end > 0 ? piece.slice(0, end) : piece }]
    })
  })
}

function fencedDiffs(text: string): string[] {
  const found: string[] = []
  let open: { fence: string; lines: string[] } | null = null
  for (const line of text.split(/\r?\n/)) {
    const fence: string | undefined = open === null ? OPENS_DIFF.exec(line)?.[1] : undefined
    if (fence !== undefined) open = { fence, lines: [] }
    else if (open !== null && line.trim() === open.fence) {
      found.push(open.lines.map((each) => `${each}\n`).join(''))
      open = null
    } else open?.lines.push(line)
  }
  return found
}
