// The marks by which a test is skipped, focused, expected to fail, or kept from failing, in each language.
import type { Block } from './blocks.js'
import type { Language, Source } from './source.js'

export type Mark = 'skipped' | 'focused' | 'expected to fail' | 'swallowed' | 'unreachable' | 'mocked'

/** Looked for in code, where strings and comments are blank. All are global. */
const MARKS: Record<Mark, Partial<Record<Language, RegExp>>> = {
  skipped: {
    javascript: /(?<![\w$.])x(?:it|test|describe|context|specify)\b|\.\s*(?:skip|todo|skipIf|runIf)\b|\b(?:skip|todo)\s*:\s*(?!false\b)/g,
    python: /\bmark\s*\.\s*skip(?:if)?\b|@(?:unittest\s*\.\s*)?skip(?:If|Unless)?\b|\bpytest\s*\.\s*(?:skip|importorskip)\s*\(|\bskipTest\s*\(|\bSkipTest\b|\b__test__\s*=\s*False/g,
    go: /\.\s*Skip(?:f|Now)?\s*\(/g,
    rust: /#!?\[\s*(?:ignore\b|cfg\b|cfg_attr\b)/g,
    java: /@(?:\w+\.)*(?:Disabled\w*|Ignore|EnabledIf\w*|EnabledOn\w*|EnabledFor\w*)\b|\bassume\w+\s*\(|\benabled\s*=\s*false/g,
  },
  focused: { javascript: /(?<![\w$.])f(?:it|describe|context|test|specify)\s*[.(]|\.\s*only\b|\bonly\s*:\s*true\b/g },
  'expected to fail': {
    javascript: /\.\s*(?:fails|failing|fail)\s*(?=[.(])/g,
    python: /\bmark\s*\.\s*xfail\b|\bexpectedFailure\b|\bpytest\s*\.\s*xfail\s*\(/g,
    rust: /#\[\s*should_panic\b/g,
    java: /\bexpected\s*=|\bexpectedExceptions\s*=/g,
  },
  swallowed: {
    javascript: /\bcatch\s*[({]|\.\s*catch\s*\(/g,
    python: /^[ \t]*except\b|\bsuppress\s*\(/gm,
    go: /\brecover\s*\(/g,
    rust: /\bcatch_unwind\b/g,
    java: /\bcatch\s*\(/g,
  },
  unreachable: {
    javascript: /\b(?:if|while)\s*\(\s*(?:false|0|null|undefined)\s*\)|\bfalse\s*&&/g,
    python: /\b(?:if|while)\s*\(?\s*(?:False|0|None)\s*\)?\s*:/g,
    go: /\bif\s+false\s*\{/g,
    rust: /\bif\s+false\s*\{/g,
    java: /\b(?:if|while)\s*\(\s*false\s*\)/g,
  },
  mocked: {
    javascript: /\b(?:vi|jest|mock)\s*\.\s*(?:mock|doMock|module|unstable_mockModule)\s*\(/g,
    python: /@(?:mock\s*\.\s*)?patch\b|\bmonkeypatch\s*\.\s*setattr\b/g,
  },
}

export function marksIn({ code, language }: Source, mark: Mark, from: number, to: number): number[] {
  const pattern = MARKS[mark][language]
  return pattern ? [...code.slice(from, to).matchAll(pattern)].map(({ index }) => from + index) : []
}

/** Where a mark stands that was not there before; null when there are no more of them than there were. */
export function newMark(old: Marked, now: Marked): number | null {
  if (now.marks.length <= old.marks.length) return null
  const known = new Set(old.marks.map((at) => lineText(old.source, at)))
  return now.marks.find((at) => !known.has(lineText(now.source, at))) ?? now.marks.at(-1) ?? null
}

export type Marked = { source: Source; marks: readonly number[] }

/** As much of it as tells two lines apart. */
function lineText({ text }: Source, at: number): string {
  const [before, after] = [text.slice(Math.max(0, at - 80), at), text.slice(at, at + 80)]
  return `${before.slice(before.lastIndexOf('\n') + 1)}${after.split('\n', 1)[0]}`.trim()
}

/** Of the test itself, and of the heads of the suites it stands in. */
export function marksOf(source: Source, mark: Mark, block: Block): number[] {
  const heads = block.suites.flatMap(({ start, body }) => marksIn(source, mark, start, body))
  return [...marksIn(source, mark, block.start, block.end), ...heads]
}

/** Whole files are left out of a Go build by a comment that is none. */
export function buildConstraint(text: string): string {
  return /^\/\/(?:go:build| *\+build)[^\n]*/m.exec(text.slice(0, 4000))?.[0] ?? ''
}
