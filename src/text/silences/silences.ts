// Finds what a change has added to sources to make a check look away, and says it for people.
import { counted } from '../amounts.js'
import { sanitise } from '../sanitise.js'
import { blocksOf, outside } from '../test-changes/blocks.js'
import { countBelow, sourceOf } from '../test-changes/source.js'
import { familyOf, split, type Family } from './comments.js'
import { MARKS, WORDS } from './directives.js'

/** Null for a file that is not there. */
export type SourceChange = { path: string; before: string | null; after: string | null }

export type Silence = { file: string; line: number; text: string }

type Found = { at: number; line: number; key: string; text: string }

const HEAD = 'a check was told to look away: '
const MOST_NAMED = 20
const LONGEST_CHARS = 80
/** In a longer source of Rust the tests are not told from the rest. */
const LONGEST_WITH_TESTS_CHARS = 300_000
/** With how many deleted files a new one is compared. */
const MOST_COMPARED = 50

/** Whether a file of this name is one that checks could be told to look away from. */
export function isSearched(path: string): boolean {
  return familyOf(path) !== null
}

/** What was in the file before, at whatever line, is not new; nor what came with a file that was renamed. */
export function newSilences(changes: readonly SourceChange[]): Silence[] {
  const deleted = changes.flatMap(({ path, before, after }) => (before !== null && after === null ? [{ path, text: before }] : []))
  return changes.flatMap(({ path, before, after }) => {
    const family = familyOf(path)
    if (family === null || after === null) return []
    const found = silencesIn(after, family)
    if (found.length === 0) return []
    const old = before ?? renamedFrom(after, deleted.filter((one) => familyOf(one.path) === family).map(({ text }) => text)) ?? ''
    return added(found, { before: old, after }, silencesIn(old, family)).map(({ line, text }) => ({ file: path, line, text }))
  })
}

// ───────────────────────────── in one text ─────────────────────────────

function silencesIn(text: string, family: Family): Found[] {
  const [words, marks] = [WORDS.get(family), MARKS.get(family)]
  // Most texts say nothing of the kind, and need not be taken apart.
  if (!has(words, text) && !has(marks, text)) return []
  const { comments, code } = split(text, family)
  const breaks = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  const inComments = words ? comments.flatMap((comment) => wordsIn(comment.text, words).map((found) => ({ ...found, at: comment.at + found.at }))) : []
  const inCode = marks ? Array.from(code.matchAll(marks), ({ 0: mark, index }) => saidAs(index, text.slice(index, index + mark.length))) : []
  const all = withoutTests([...inComments, ...inCode], text, family)
  return all.map((found) => ({ ...found, line: countBelow(breaks, found.at) + 1 })).toSorted((one, other) => one.at - other.at)
}

function has(pattern: RegExp | undefined, text: string): boolean {
  return pattern !== undefined && text.search(pattern) >= 0
}

type Said = Omit<Found, 'line'>

/** One for each line of a comment, from its first word of the kind. */
function wordsIn(comment: string, words: RegExp): Said[] {
  const found: Said[] = []
  let past = 0
  for (const { index, groups } of comment.matchAll(words)) {
    if (index < past || (groups?.['any'] === undefined && !isAtOpening(comment, index))) continue
    const start = comment.lastIndexOf('\n', index) + 1
    const end = comment.indexOf('\n', index)
    past = end < 0 ? comment.length : end
    const shown = comment.slice(start, past).trim().replace(/^\*+\s/, '')
    found.push({ ...saidAs(index, withoutEnd(comment.slice(index, past))), text: clipped(shown) })
  }
  return found
}

/** Only blanks between it and what opens the comment, the line, or one more comment within it. */
function isAtOpening(comment: string, index: number): boolean {
  let at = index - 1
  while (at >= 0 && comment[at] !== '\n' && comment.charAt(at).trim() === '') at--
  return at < 0 || '\n#/*'.includes(comment.charAt(at)) || comment.startsWith('--', at - 1)
}

function withoutEnd(text: string): string {
  const trimmed = text.trim()
  const closing = ['*/', '-->'].find((end) => trimmed.endsWith(end))
  return closing === undefined ? trimmed : trimmed.slice(0, -closing.length)
}

function saidAs(at: number, text: string): Said {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return { at, key: line, text: clipped(line) }
}

function clipped(text: string): string {
  const line = onOneLine(text)
  return line.length > LONGEST_CHARS ? `${line.slice(0, LONGEST_CHARS - 1)}…` : line
}

function onOneLine(text: string): string {
  return sanitise(text).replaceAll(/\s+/g, ' ').trim()
}

/** Tests that stand in a source have rules of their own. */
function withoutTests(found: readonly Said[], text: string, family: Family): readonly Said[] {
  if (family !== 'rust' || found.length === 0 || text.length > LONGEST_WITH_TESTS_CHARS) return found
  const source = sourceOf(text, family)
  const tests = blocksOf(source).filter(({ kind, start, body }) => kind === 'test' || /#\[\s*cfg\s*\(\s*test\b/.test(source.code.slice(start, body)))
  const kept = new Set(outside(found.map(({ at }) => at).toSorted((one, other) => one - other), tests))
  return found.filter(({ at }) => kept.has(at))
}

// ───────────────────────────── what is new ─────────────────────────────

/** As many of a kind as there are more than before; those on lines that were not there come first. */
function added(found: readonly Found[], { before, after }: { before: string; after: string }, known: readonly Found[]): Found[] {
  const left = new Map<string, number>()
  for (const { key } of known) left.set(key, (left.get(key) ?? 0) + 1)
  const [old, now] = [new Set(linesOf(before)), linesOf(after)]
  const stays = new Set<Found>()
  for (const isKnown of [true, false]) {
    for (const one of found) {
      const rest = left.get(one.key) ?? 0
      if (rest === 0 || stays.has(one) || old.has(now[one.line - 1] ?? '') !== isKnown) continue
      left.set(one.key, rest - 1)
      stays.add(one)
    }
  }
  return found.filter((one) => !stays.has(one))
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trim())
}

/** The deleted text that shares most lines with a new one, and at least half of them. */
function renamedFrom(text: string, deleted: readonly string[]): string | null {
  const lines = new Set(linesOf(text))
  const shares = deleted.slice(0, MOST_COMPARED).map((other) => {
    const others = new Set(linesOf(other))
    return { other, share: [...lines].filter((line) => others.has(line)).length / Math.max(lines.size, others.size) }
  })
  const [best] = shares.toSorted((one, other) => other.share - one.share)
  return best && best.share >= 0.5 ? best.other : null
}

// ───────────────────────────── for people ─────────────────────────────

/** `a check was told to look away: // @ts-nocheck at src/a.ts:1`, as many as can be read; `unread` are sources that were too large. */
export function silenceExceptions(silences: readonly Silence[], unread: readonly string[]): string[] {
  const rest = silences.length - MOST_NAMED
  const named = silences.slice(0, MOST_NAMED).map(({ file, line, text }) => `${HEAD}${text} at ${onOneLine(file)}:${line}`)
  const large = `too large to be searched for what tells a check to look away: ${onOneLine(unread[0] ?? '')}`
  const more = unread.length > 1 ? ` and ${counted(unread.length - 1, 'more source', 'more sources')}` : ''
  return [...named, ...(rest > 0 ? [`${HEAD}${rest} more times`] : []), ...(unread.length > 0 ? [`${large}${more}`] : [])]
}

/** The same wherever it stands in its file: what is left of a change has other lines. */
export function withoutPlace(exception: string): string {
  return exception.startsWith(HEAD) ? exception.replace(/:\d+$/, '').replace(/\d+ more times$/, 'more times') : exception
}
