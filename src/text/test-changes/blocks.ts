// Finds the tests of a source file: where each begins and ends, what it is called, and which suites it stands in.
import { countBelow, type Language, type Source } from './source.js'

export type Block = {
  kind: 'test' | 'suite'
  /** With the names of its suites before it; a second one of the same name has ` #2` behind it. */
  name: string
  line: number
  /** From its first decorator to its end. */
  start: number
  end: number
  /** Where its head (decorators, name, options) ends and what it does begins. */
  body: number
  /** The suites it stands in, outermost first. */
  suites: readonly Block[]
}

type Found = Pick<Block, 'kind' | 'start' | 'end' | 'body'> & { title: string }

const FINDERS: Record<Language, (source: Source) => Found[]> = { javascript: calls, python: definitions, go: goFunctions, rust: rustItems, java: methods }
const MOST_TITLE_CHARS = 200
/** What lies deeper is only seen as part of what it lies in, so that nobody can keep us busy by nesting. */
const DEEPEST_SUITES = 20
const DEEPEST_TESTS = 3

/** In the order in which they begin. */
export function blocksOf(source: Source): Block[] {
  const found = FINDERS[source.language](source).toSorted((a, b) => a.start - b.start || b.end - a.end)
  const open: Block[] = []
  const seen = new Map<string, number>()
  return found.flatMap(({ title, ...place }) => {
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= place.start) open.pop()
    const suites = open.filter(({ kind }) => kind === 'suite')
    if (suites.length >= DEEPEST_SUITES || open.length - suites.length >= DEEPEST_TESTS) return []
    const full = [...suites.slice(-1).map(({ name }) => name), title.slice(0, MOST_TITLE_CHARS)].join(' > ')
    const count = (seen.get(full) ?? 0) + 1
    seen.set(full, count)
    const block: Block = { ...place, name: count === 1 ? full : `${full} #${count}`, line: source.line(place.start), suites }
    open.push(block)
    return [block]
  })
}

/** Those that lie in no other. */
export function outermost(blocks: readonly Block[]): Block[] {
  let end = -1
  return blocks.filter((block) => {
    if (block.start < end) return false
    end = block.end
    return true
  })
}

/** Of offsets in growing order, those that lie in none of the blocks. */
export function outside(offsets: readonly number[], blocks: readonly Block[]): number[] {
  const outer = outermost(blocks)
  let next = 0
  return offsets.filter((at) => {
    while (next < outer.length && (outer[next]?.end ?? 0) <= at) next++
    return at < (outer[next]?.start ?? Infinity)
  })
}

// ───────────────────────────── JavaScript ─────────────────────────────

const CALL = /(?<![\w$.])(?:(?:Deno|QUnit|t|ctx)\.)?([fx]?(?:describe|context|it|test|specify)|suite)\b(?=\s*[.(<`])/g
const MODIFIER = /\s*\.\s*(\w+)/y
const TYPES = /\s*<[^()\n]{0,200}>/y
/** What is called with settings first and gives back what takes the title. */
const CURRIED = new Set(['each', 'for', 'skipIf', 'runIf'])
const NO_TEST = /^(?:before|after|beforeEach|afterEach|beforeAll|afterAll|step|use|extend|setTimeout|info|expect|slow|configure|mock|match|exec)$/

function calls(source: Source): Found[] {
  const functions = [...source.code.matchAll(/=>|\bfunction\b/g)].map(({ index }) => index)
  return [...source.code.matchAll(CALL)].flatMap((match): Found[] => {
    const place = callAt(source, match.index + match[0].length)
    if (place === null || place.modifiers.some((modifier) => NO_TEST.test(modifier))) return []
    const end = source.closes(place.open)
    const title = titleAt(source, place.open, end)
    if (title === null) return []
    const body = Math.min(firstFrom(functions, title.end), end)
    // `fit(model, data)` is a call like any other.
    if (body === end && (title.kind === 'word' || match[1]?.startsWith('f') === true)) return []
    const isSuite = /^(?:[fx]?(?:describe|context)|suite)$/.test(match[1] ?? '') || place.modifiers.includes('describe')
    return [{ kind: isSuite ? 'suite' : 'test', title: title.text, start: match.index, end: end + 1, body }]
  })
}

/** Follows `.skip.each([…])` up to the bracket before the title. */
function callAt({ code, closes }: Source, from: number): { open: number; modifiers: string[] } | null {
  const modifiers: string[] = []
  let at = from
  for (let turn = 0; turn < 12; turn++) {
    const modifier = stick(MODIFIER, code, at)
    at += modifier?.[0].length ?? 0
    at += stick(TYPES, code, at)?.[0].length ?? 0
    at += stick(/\s*/y, code, at)?.[0].length ?? 0
    if (modifier?.[1] !== undefined) modifiers.push(modifier[1])
    else if (code[at] === '(' && !CURRIED.has(modifiers.at(-1) ?? '')) return { open: at, modifiers }
    else if (code[at] === '(' || code[at] === '`') {
      at = (code[at] === '(' ? closes(at) : code.indexOf('`', at + 1)) + 1
      modifiers.push('()')
      if (at === 0) return null
    } else return null
  }
  return null
}

type Title = { kind: 'string' | 'word'; text: string; end: number }

function titleAt({ text, code }: Source, open: number, end: number): Title | null {
  const start = open + 1 + (/^\s*/.exec(code.slice(open + 1, end))?.[0].length ?? 0)
  const quote = code[start] ?? ''
  if (/["'`]/.test(quote)) {
    const close = code.indexOf(quote, start + 1)
    return close < 0 || close > end ? null : { kind: 'string', text: text.slice(start + 1, close), end: close + 1 }
  }
  const comma = code.indexOf(',', start)
  const stop = comma < 0 || comma > end ? end : comma
  const word = text.slice(start, stop).trim()
  return /^[\w$.]+$/.test(word) && stop < end ? { kind: 'word', text: word, end: stop } : null
}

/** Of sorted numbers the first that is no smaller. */
function firstFrom(sorted: readonly number[], value: number): number {
  return sorted[countBelow(sorted, value)] ?? Infinity
}

function stick(pattern: RegExp, code: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(code)
}

// ───────────────────────────── Python ─────────────────────────────

/** A definition ends before the next line that is indented no deeper, outside all brackets. */
function definitions(source: Source): Found[] {
  const { code, closes } = source
  const lines = statementsOf(source)
  return lines.flatMap(({ start, indent, text, decorated }, index): Found[] => {
    const [, keyword = '', title = ''] = /^(?:async\s+)?(def|class)\s+(\w+)/.exec(text) ?? []
    if (title === '' || (keyword === 'def' && !/^test/i.test(title))) return []
    const next = followingAt(lines, index, indent)
    const bracket = code.indexOf('(', start)
    const signature = bracket >= 0 && bracket < start + text.length ? closes(bracket) : start
    const colon = code.indexOf(':', signature)
    const end = next?.start ?? code.length
    return [{ kind: keyword === 'def' ? 'test' : 'suite', title, start: decorated, end, body: colon < 0 ? end : colon + 1 }]
  })
}

/** The next statement that is indented no deeper. */
function followingAt(lines: readonly Statement[], index: number, indent: number): Statement | undefined {
  let at = index + 1
  while (at < lines.length && (lines[at]?.indent ?? 0) > indent) at++
  return lines[at]
}

type Statement = { start: number; indent: number; text: string; decorated: number }

/** The first lines of statements; `decorated` is where the decorators above begin. */
function statementsOf({ code, closes }: Source): Statement[] {
  const statements: Statement[] = []
  let decorated: number | null = null
  for (let at = 0; at < code.length; ) {
    const [line = '', blanks = ''] = stick(/([ \t]*)[^\n]*/y, code, at) ?? []
    const start = at + blanks.length
    const text = line.slice(blanks.length)
    if (text.trim() !== '') {
      decorated ??= start
      statements.push({ start, indent: blanks.length, text, decorated })
      if (!text.startsWith('@')) decorated = null
    }
    at = endOfStatement(code, start, closes) + 1
  }
  return statements
}

export function endOfStatement(code: string, from: number, closes: Source['closes']): number {
  for (let at = from; at < code.length; at++) {
    const character = code[at] ?? ''
    if (character === '\n' && code[at - 1] !== '\\') return at
    if (character === '(' || character === '[' || character === '{') at = closes(at)
  }
  return code.length
}

// ───────────────────────────── Go, Rust, Java ─────────────────────────────

function goFunctions({ code, closes }: Source): Found[] {
  return [...code.matchAll(/^func\s+(?:\([^)]*\)\s*)?((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/gm)].map((match) => {
    const body = code.indexOf('{', closes(match.index + match[0].length - 1))
    return { kind: 'test', title: match[1] ?? '', start: match.index, ...bodyFrom(code, body, closes) }
  })
}

function rustItems({ code, closes }: Source): Found[] {
  return [...code.matchAll(/\b(fn|mod)\s+(\w+)\s*(?:<[^>{]{0,200}>)?\s*([({])/g)].flatMap((match): Found[] => {
    const head = attributesBefore(code, match.index)
    const isTest = /#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test|case)\b/.test(code.slice(head, match.index))
    if (match[1] === 'fn' && !isTest) return []
    const bracket = match.index + match[0].length - 1
    const body = match[1] === 'mod' ? bracket : code.indexOf('{', closes(bracket))
    return [{ kind: match[1] === 'fn' ? 'test' : 'suite', title: match[2] ?? '', start: head, ...bodyFrom(code, body, closes) }]
  })
}

/** Back over attributes, annotations and modifiers, which stand on their own lines or on this one; so far and no further. */
function attributesBefore(code: string, at: number): number {
  const from = Math.max(0, at - MOST_HEAD_CHARS)
  const lines = code.slice(from, at).split('\n')
  let first = lines.length - 1
  while (first > 0 && isAttribute(lines[first - 1]?.trim() ?? '')) first--
  const head = lines.slice(first).join('\n')
  return at - head.trimStart().length
}

const MOST_HEAD_CHARS = 4000

/** Also a line within one, such as a value or a closing bracket. */
function isAttribute(line: string): boolean {
  return /^(?:#!?\[|@|[)\]}]+\]?\)?,?$|"|[\w.]+\s*=)/.test(line) && !/^}+$|^[^@#].*[;{]$/.test(line)
}

const ANNOTATED = /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b(?!\w)/
const METHOD = /(?:\bfun\s+(?:<[^>]{0,200}>\s*)?|[\w>\]]\s+)(`[^`\n]+`|\w+)\s*\(/g

function methods({ code, closes }: Source): Found[] {
  const found = [...code.matchAll(METHOD)].flatMap((match): Found[] => {
    const title = (match[1] ?? '').replaceAll('`', '')
    const open = match.index + match[0].length - 1
    const head = attributesBefore(code, match.index)
    const isTest = ANNOTATED.test(code.slice(head, match.index)) || /\bpublic\s+void\s+test\w*\s*\(\s*$/.test(code.slice(Math.max(0, match.index - 40), open + 1))
    const body = code.indexOf('{', closes(open))
    return isTest && body >= 0 ? [{ kind: 'test', title, start: head, ...bodyFrom(code, body, closes) }] : []
  })
  const classes = [...code.matchAll(/\b(?:class|object)\s+(\w+)[^{;]{0,500}\{/g)].map((match): Found => {
    const body = match.index + match[0].length - 1
    return { kind: 'suite', title: match[1] ?? '', start: attributesBefore(code, match.index), ...bodyFrom(code, body, closes) }
  })
  return [...classes, ...found]
}

function bodyFrom(code: string, body: number, closes: Source['closes']): { body: number; end: number } {
  if (body < 0) return { body: code.length, end: code.length }
  return { body, end: Math.min(closes(body) + 1, code.length) }
}
