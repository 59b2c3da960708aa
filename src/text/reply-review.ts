// Reads a review: its verdict and findings, and what it hands to the next prompt: a diagnosis, suggested code, an updated plan.
import type { TextFile } from '../ports.js'
import { lastLine, bare } from './reply.js'
import { findingsOf, MOST_FINDINGS, sentenceFinding, type ReviewFinding } from './reply-findings.js'
import { isObject, lastObject, type JsonObject } from './reply-json.js'
import { stripReasoning } from './reply-reasoning.js'
import { filesIn, pathIn, stepsIn, textIn, textOf, type Step } from './reply-values.js'

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

/** The last JSON object with a verdict decides, else a last line PASS or FAIL; null when neither says. */
export function readReview(text: string): Review | null {
  const { value } = lastObject(text, (object) => verdictIn(object) !== null)
  return value === null ? lineReview(stripReasoning(text).slice(-LONGEST_PROSE_CHARS)) : reviewOf(value)
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
