// Compares one test with what became of it, and names what was done.
import { assertionsIn, type Assertion } from './assertions.js'
import type { Block } from './blocks.js'
import { marksOf, newMark, type Mark, type Marked } from './marks.js'
import { compact, skeleton, tokensOf, type Source, type Token } from './source.js'

export type What = 'deleted' | 'skipped' | 'focused' | 'emptied' | 'weakened' | 'expected value edited' | 'changed'

/** `detail` says more, in a few words; empty when there is no more to say. */
export type Deed = { what: What; line: number; detail: string }

type Side = { source: Source; block: Block }

const MOST_VALUE_CHARS = 30

/** What was done to a test that is still there; nothing when it reads the same. */
export function deedsOn(old: Side, now: Side): Deed[] {
  const [was, is] = [tokensIn(old), tokensIn(now)]
  const marks = markDeeds(old, now)
  if (compact(was) === compact(is)) return marks
  const deeds = [...marks, ...assertionDeeds(old, now, was, is)]
  if (deeds.length > 0) return deeds
  return [{ what: 'changed', line: lineOfDifference(now.source, was, is), detail: '' }]
}

function tokensIn({ source, block }: Side): Token[] {
  return tokensOf(source, block.start, block.end)
}

function lineOfDifference(source: Source, was: readonly Token[], is: readonly Token[]): number {
  const at = is.findIndex(({ text }, index) => text !== was[index]?.text)
  return source.line(is.at(at)?.at ?? 0)
}

// ───────────────────────────── marks ─────────────────────────────

const MARK_DEEDS: readonly (readonly [Mark, What, string])[] = [
  ['skipped', 'skipped', ''],
  ['focused', 'focused', ''],
  ['expected to fail', 'weakened', 'expected to fail'],
  ['swallowed', 'weakened', 'errors are caught'],
  ['unreachable', 'weakened', 'a part never runs'],
  ['mocked', 'weakened', 'more is mocked'],
]

function markDeeds(old: Side, now: Side): Deed[] {
  return MARK_DEEDS.flatMap(([mark, what, detail]): Deed[] => {
    const at = newMark(marked(old, mark), marked(now, mark))
    return at === null ? [] : [{ what, line: now.source.line(at), detail }]
  })
}

function marked({ source, block }: Side, mark: Mark): Marked {
  return { source, marks: marksOf(source, mark, block) }
}

// ───────────────────────────── assertions ─────────────────────────────

function assertionDeeds(old: Side, now: Side, was: readonly Token[], is: readonly Token[]): Deed[] {
  const [before, after] = [reached(old), reached(now)]
  const line = now.source.line(now.block.start)
  if (isEmptied(old, now, before, after)) return [{ what: 'emptied', line, detail: '' }]
  const [lost, gained] = [without(before, after), without(after, before)]
  const pairs = lost.flatMap((one, index) => (gained[index] ? pairDeed(one, gained[index], now.source) : []))
  const fewer: Deed = { what: 'weakened', line, detail: `${after.length} of ${before.length} assertions left` }
  const deeds = after.length < before.length ? [fewer, ...pairs] : pairs
  if (deeds.length > 0) return deeds
  if (skeleton(was) === skeleton(is)) return valueDeed(now.source, was, is)
  return isPartOf(is, was) ? [{ what: 'weakened', line: lineOfDifference(now.source, was, is), detail: 'a part was taken out' }] : []
}

/** In the same order, with others between them. */
function isPartOf(tokens: readonly Token[], all: readonly Token[]): boolean {
  let at = 0
  for (const { text } of all) if (tokens[at]?.text === text) at++
  return at === tokens.length
}

function isEmptied(old: Side, now: Side, before: readonly Assertion[], after: readonly Assertion[]): boolean {
  if (before.length > 0) return after.every(({ demands }) => demands === 0) && before.some(({ demands }) => demands > 0)
  return !isBlank(old) && isBlank(now)
}

/** Nothing but brackets, `pass`, `return` and literals. */
function isBlank({ source, block }: Side): boolean {
  const isIdle = ({ kind, text }: Token): boolean => kind === 'literal' || /^(?:[^\w$]|⇥\d+|pass|return|function|async)+$/.test(text)
  return tokensOf(source, block.body, block.end).every(isIdle)
}

/** Those before a bare `return` of the test itself. */
function reached({ source, block }: Side): Assertion[] {
  const all = assertionsIn(source, block.start, block.end)
  const stop = returnIn(source, block)
  return stop === null ? all : all.filter(({ at }) => at < stop)
}

function returnIn({ code, closes, language }: Source, block: Block): number | null {
  const open = language === 'python' ? block.body - 1 : code.indexOf('{', block.body)
  if (open < 0 || open >= block.end) return null
  const indent = language === 'python' ? /\n([ \t]*)\S/.exec(code.slice(block.body, block.end))?.[1] : undefined
  for (let at = open + 1; at < block.end; at++) {
    if (/[([{]/.test(code[at] ?? '')) at = closes(at)
    else if (isBareReturn(code, at) && startsStatement(code, at, indent)) return at
  }
  return null
}

function isBareReturn(code: string, at: number): boolean {
  return code.startsWith('return', at) && /^return\b[ \t]*(?:;|\n|\})/.test(code.slice(at, at + 40))
}

function startsStatement(code: string, at: number, indent: string | undefined): boolean {
  const line = code.slice(code.lastIndexOf('\n', at) + 1, at)
  return indent === undefined ? /(?:^|[;{])\s*$/.test(line) : line === indent
}

/** What is in the first list and not, or not as often, in the second. */
function without(list: readonly Assertion[], other: readonly Assertion[]): Assertion[] {
  const counts = new Map<string, number>()
  for (const { text } of other) counts.set(text, (counts.get(text) ?? 0) + 1)
  return list.filter(({ text }) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left <= 0
  })
}

function pairDeed(was: Assertion, is: Assertion, source: Source): Deed[] {
  const detail = is.demands === 0 ? 'an assertion that always holds' : 'a looser assertion'
  if (is.demands < was.demands) return [{ what: 'weakened', line: source.line(is.at), detail }]
  return is.shape === was.shape ? literalDeeds(source, was.literals, is.literals, was.text) : []
}

function valueDeed(source: Source, was: readonly Token[], is: readonly Token[]): Deed[] {
  const [before, after] = [was, is].map((tokens) => tokens.filter(({ kind }) => kind === 'literal')) as [Token[], Token[]]
  return literalDeeds(source, before, after, '')
}

function literalDeeds(source: Source, was: readonly Token[], is: readonly Token[], assertion: string): Deed[] {
  const index = is.findIndex(({ text }, at) => text !== was[at]?.text)
  const [before, after] = [was[index], is[index]]
  if (!before || !after) return []
  const change = `${short(before.text)} → ${short(after.text)}`
  const line = source.line(after.at)
  const tolerance = toleranceOf(source, after, assertion)
  if (tolerance === null) return [{ what: 'expected value edited', line, detail: change }]
  const [from, to] = [Number(before.text), Number(after.text)]
  const isLooser = tolerance === 'digits' ? to < from : to > from
  return isLooser ? [{ what: 'weakened', line, detail: `tolerance ${change}` }] : [{ what: 'changed', line, detail: change }]
}

/** Whether a number says how far off a value may be: as digits, where fewer are looser, or as an amount. */
function toleranceOf({ code }: Source, { at }: Token, assertion: string): 'digits' | 'amount' | null {
  const before = code.slice(Math.max(0, at - 200), at)
  if (/\b(?:places|decimal|numDigits|precision|significant)\s*=\s*$/.test(before)) return 'digits'
  if (/\b(?:delta|rel|abs|tol|atol|rtol|rel_tol|abs_tol|epsilon|tolerance|max_relative|within|timeout)\s*[=:(]\s*$/.test(before)) return 'amount'
  const isLast = /,\s*$/.test(before)
  if (isLast && /toBeCloseTo/.test(assertion)) return 'digits'
  return isLast && /^(?:\w+ \. )?(?:InDelta|InEpsilon|assertEquals)\b/.test(assertion) && commasBefore(code, at) >= 2 ? 'amount' : null
}

function commasBefore(code: string, at: number): number {
  const open = code.lastIndexOf('(', at)
  return code.slice(open, at).split(',').length - 1
}

function short(value: string): string {
  const line = value.replaceAll(/\s+/g, ' ')
  return line.length > MOST_VALUE_CHARS ? `${line.slice(0, MOST_VALUE_CHARS - 1)}…` : line
}
