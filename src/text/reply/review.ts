// Reads a review: its verdict and findings, and what it hands to the next prompt: a diagnosis, suggested code, an updated plan.
import type { TextFile } from '../../ports.js'
import { lastLine, bare } from './reply.js'
import { findingsOf, MOST_FINDINGS, sentenceFinding, type ReviewFinding } from './findings.js'
import { isObject, lastObject, objectsIn, type JsonObject, type Placed, type Span } from './json.js'
import { stripReasoning } from './reasoning.js'
import { filesIn, pathIn, stepsIn, textIn, textOf, type Step } from './values.js'

export type Review = {
  /** Null when the review says nothing of it. */
  verdict: 'pass' | 'fail' | null
  findings: ReviewFinding[]
  diagnosis: string
  code: TextFile[]
  /** Steps of an updated plan; a step may lack its path. Empty when there are none. */
  steps: Step[]
}

const PASSES = new Set(['pass', 'passed', 'approve', 'approved', 'accept', 'accepted', 'complete', 'ok', 'success'])
const FAILS = new Set(['fail', 'failed', 'reject', 'rejected', 'revise', 'incomplete', 'changes requested', 'changes_requested', 'failure'])
const FINDINGS = ['findings', 'reasons', 'issues', 'problems', 'violations'] as const
const ADVICE = ['diagnosis', 'plan', 'code', ...FINDINGS] as const
/** A last line is looked for at the end alone, and so are the findings before it. */
const LONGEST_PROSE_CHARS = 100_000

const VERDICT_KEY = /"(?:verdict|decision)"\s*:/

/** The last JSON object with a verdict decides, else a last line PASS or FAIL; null when neither says. */
export function readReview(text: string): Review | null {
  const all = objectsIn(text, (object) => verdictIn(object) !== null)
  const last = all.at(-1)
  if (!last) return lineReview(stripReasoning(text).slice(-LONGEST_PROSE_CHARS))
  const parts = partsOfOne(text, all)
  const failing = parts.find(({ value }) => verdictIn(value) === 'fail')
  if (failing) return reviewOf(verdictIn(last.value) === 'fail' ? last.value : failing.value)
  return last.within !== null && VERDICT_KEY.test(besides(text, last.within, parts)) ? null : reviewOf(last.value)
}

/** The last object, and those before it that judge parts of the same thing: within one object, or with nothing said between them. */
function partsOfOne(text: string, all: readonly Placed[]): Placed[] {
  const isOne = (one: Placed, next: Placed): boolean => {
    return (one.within !== null && one.within === next.within) || /^[\s,]*$/.test(text.slice(one.end, next.start))
  }
  const before = all.findLastIndex((one, at) => {
    const next = all[at + 1]
    return next !== undefined && !isOne(one, next)
  })
  return all.slice(before + 1)
}

/** What an object says outside of its parts. */
function besides(text: string, { start, end }: Span, parts: readonly Placed[]): string {
  const inside = parts.filter((part) => part.start > start && part.end <= end)
  return [...inside.map((part, at) => text.slice(inside[at - 1]?.end ?? start, part.start)), text.slice(inside.at(-1)?.end ?? start, end)].join('')
}

/** Of a review that judges nothing a diagnosis, a plan or code is enough. */
export function readAdvice(text: string): Review | null {
  const { value } = lastObject(text, (object) => verdictIn(object) !== null || ADVICE.some((name) => name in object))
  return value === null ? readReview(text) : reviewOf(value)
}

function reviewOf(value: JsonObject): Review {
  const plan = value['plan']
  const entries = Array.isArray(plan) ? plan : []
  const code = [...filesIn(value['code'], 'code').files, ...entries.flatMap((entry) => (isObject(entry) ? codeIn(entry) : []))]
  return {
    verdict: verdictIn(value),
    findings: findingsOf(FINDINGS.map((name) => value[name]).find((list) => list !== undefined)),
    diagnosis: textOf(value['diagnosis']).trim(),
    code,
    steps: stepsIn(plan).steps,
  }
}

/** A step may bring the code that it wants. */
function codeIn(entry: JsonObject): TextFile[] {
  const text = textIn(entry, ['code', 'content'])
  return text === '' ? [] : [{ path: pathIn(entry), text: text.endsWith('\n') ? text : `${text}\n` }]
}

function verdictIn(value: JsonObject): 'pass' | 'fail' | null {
  return verdictOf(value['verdict'] ?? value['decision'])
}

function verdictOf(value: unknown): 'pass' | 'fail' | null {
  if (typeof value !== 'string') return null
  const word = value.trim().toLowerCase()
  if (PASSES.has(word)) return 'pass'
  return FAILS.has(word) ? 'fail' : null
}

function lineReview(text: string): Review | null {
  const line = bare(lastLine(text)).replace(/^(?:verdict|decision|result|review)[\s*_`]*:[\s*_`]*/i, '')
  const verdict = /^[A-Z]+$/.test(line) ? verdictOf(line) : null
  if (verdict === null) return null
  const bullets = text.split('\n').flatMap((each) => /^\s*(?:[-*•]|\d+[.)])\s+(.*\S)/.exec(each)?.[1] ?? [])
  return { verdict, findings: bullets.slice(0, MOST_FINDINGS).map(sentenceFinding), diagnosis: text, code: [], steps: [] }
}
