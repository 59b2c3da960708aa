// The findings of a review: read from whatever form they have, and as failures with an identity.
import type { Failure, Finding } from '../../core/types.js'
import { counted } from '../amounts.js'
import { headOf } from '../prompt/delimited.js'
import { fingerprintOf } from '../failures/fingerprint.js'
import { normaliseLine } from '../failures/noise.js'
import { isObject, type JsonObject } from './json.js'
import { cleanPath, lineOf, shownPath, textIn } from './values.js'
import { sanitise } from '../sanitise.js'

export type ReviewFinding = Finding & { description: string }

export const MOST_FINDINGS = 100
const LONGEST = { category: 60, subject: 200, snippet: 400, fix: 400, description: 4000 } as const

const CATEGORY = ['category', 'type', 'rule', 'kind'] as const
const SEVERITY = ['severity', 'level', 'priority'] as const
const PATH = ['path', 'file', 'filename', 'location'] as const
const LINE = ['line', 'line_number', 'lineno', 'start_line'] as const
const SNIPPET = ['snippet', 'code', 'excerpt'] as const
const DESCRIPTION = ['description', 'message', 'issue', 'title', 'summary', 'text'] as const
const FIX = ['fix', 'suggestion', 'recommendation', 'remedy'] as const

const SEVERITY_WORDS: Record<Finding['severity'], string> = {
  error: 'error critical high blocker blocking fatal major severe',
  warning: 'warning warn medium moderate',
  note: 'note low info informational minor trivial nit style hint suggestion',
}
const LEVELS = ['error', 'warning', 'note'] as const
const SEVERITIES = new Map(LEVELS.flatMap((level) => SEVERITY_WORDS[level].split(' ').map((word) => [word, level] as const)))

/** A list of objects or of sentences, or one of them. */
export function findingsOf(value: unknown): ReviewFinding[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null || value === '' ? [] : [value]
  const textOf = (entry: unknown): string => (typeof entry === 'string' ? entry : JSON.stringify(entry))
  return list.slice(0, MOST_FINDINGS).map((entry) => (isObject(entry) ? findingIn(entry) : sentenceFinding(textOf(entry))))
}

function findingIn(entry: JsonObject): ReviewFinding {
  const described = textIn(entry, DESCRIPTION)
  const place = placeOf(textIn(entry, PATH))
  const line = LINE.map((name) => Number(entry[name])).find((number) => Number.isSafeInteger(number) && number > 0) ?? place.line
  return {
    category: lineOf(textIn(entry, CATEGORY), LONGEST.category).toLowerCase(),
    severity: SEVERITIES.get(textIn(entry, SEVERITY).trim().toLowerCase()) ?? 'warning',
    path: place.path,
    ...(line !== undefined && { line }),
    snippet: blockOf(textIn(entry, SNIPPET), LONGEST.snippet),
    description: blockOf(described || JSON.stringify(entry), LONGEST.description),
    fix: blockOf(textIn(entry, FIX), LONGEST.fix),
  }
}

/** A sentence may begin with its place, such as `src/a.ts:12:`. */
export function sentenceFinding(sentence: string): ReviewFinding {
  const [, place = '', rest = ''] = /^`?([\w@.][\w@./-]*\.\w{1,8}(?::\d+){0,2})`?\s*(?::|[-–—]\s)\s*(\S[^]*)$/.exec(sentence.trim()) ?? []
  const { path, line } = placeOf(place)
  const description = blockOf(rest || sentence, LONGEST.description)
  return { category: '', severity: 'warning', path, ...(line !== undefined && { line }), snippet: '', description, fix: '' }
}

function placeOf(text: string): { path: string; line: number | undefined } {
  const [, path = '', line] = /^(.*?)(?::(\d{1,9})(?:[:-]\d{1,9})?)?$/.exec(lineOf(text, 1000)) ?? []
  return { path: shownPath(cleanPath(path)), line: line === undefined || Number(line) === 0 ? undefined : Number(line) }
}

function blockOf(text: string, mostChars: number): string {
  const clean = sanitise(text).trim()
  return clean.length <= mostChars ? clean : `${headOf(clean, mostChars - 1)}…`
}

/** How many there are of each severity, and the worst of them by name. */
export function findingsNote(failures: readonly Failure[]): string {
  const of = (level: Finding['severity']): Failure[] => failures.filter(({ finding }) => (finding?.severity ?? 'warning') === level)
  const counts = LEVELS.flatMap((level) => (of(level).length > 0 ? [counted(of(level).length, level)] : []))
  const worst = LEVELS.flatMap(of)[0]
  return `${counts.join(', ')}${failures.length > 1 ? '; first' : ''}: ${worst?.subject ?? ''}`
}

// — as failures —
/** One failure for each fault: the same one said twice is one. */
export function failuresOf(findings: readonly ReviewFinding[]): Failure[] {
  return [...new Map(findings.map((finding) => [fingerprintFor(finding), finding])).entries()].map(([fingerprint, finding]) => {
    const { description, ...rest } = finding
    const parts = [finding.category, finding.path, normaliseLine(description.replace(/\s+/g, ' '))]
    const subject = lineOf(parts.filter((part) => part !== '').join(': '), LONGEST.subject)
    return { gate: 'review', subject, class: 'behaviour', fingerprint, message: description, runs: { failed: 1, of: 1 }, finding: rest }
  })
}

/** The line may move and numbers in the text may change: it stays the same finding. */
function fingerprintFor({ category, path, description }: ReviewFinding): string {
  const message = normaliseLine(description.toLowerCase().replace(/\s+/g, ' '))
  return fingerprintOf({ gate: 'review', id: `${category}\u0000${path}`, fault: { kind: 'error', type: category, message, stack: '' } })
}

