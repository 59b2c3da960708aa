// Reads what a deciding command decided: from its file first, then from its output. What cannot be read is undecidable, never a pass.
import type { Failure } from '../../core/types.js'
import { fingerprintOf } from '../failures/fingerprint.js'
import { hash64 } from '../hash64.js'
import { isObject } from './json.js'
import { sanitise } from '../sanitise.js'
import { templateOf } from '../template/template.js'

export type Decision = {
  verdict: 'complete' | 'incomplete' | 'undecidable'
  from: 'file' | 'output' | 'nowhere'
  reasons: string[]
  /** The command's own names for what is wrong, made safe; empty when it gives none. */
  fingerprints: string[]
  /** What is odd about it, for people; empty when nothing is. */
  note: string
}

export type DecisionSource = { file: string | null; output: string; checkId: string }

const MOST_REASONS = 500
const LONGEST_REASON_CHARS = 240
const LONGEST_SUBJECT_CHARS = 160
const LONGEST_FINGERPRINT_CHARS = 120
/** How many lines of an output that begin like an object are tried. */
const MOST_OBJECTS = 50

/** What one place says. `stale`: a decision, but not one that was made by this run. */
type Said = { kind: 'decided'; decision: Omit<Decision, 'from' | 'note'> } | { kind: 'stale' | 'nothing'; note: string }

export function readDecision({ file, output, checkId }: DecisionSource): Decision {
  const inFile: Said = file === null ? { kind: 'nothing', note: 'no decision file was written' } : fileSays(file, checkId)
  if (inFile.kind === 'decided') return { ...inFile.decision, from: 'file', note: '' }
  const inOutput = outputSays(output, checkId)
  if (inOutput.kind !== 'decided') return undecidable(`${inFile.note}; ${inOutput.note}`)
  const stale = inFile.kind === 'stale' ? inFile.note : ''
  // Beside a decision of another run nothing passes: one of the two is not what it seems.
  if (stale !== '' && inOutput.decision.verdict === 'complete') return undecidable(stale)
  return { ...inOutput.decision, from: 'output', note: stale }
}

function undecidable(note: string): Decision {
  return { verdict: 'undecidable', from: 'nowhere', reasons: [], fingerprints: [], note }
}

// ───────────────────────────── the file ─────────────────────────────

function fileSays(file: string, checkId: string): Said {
  const text = file.replace(/^\uFEFF/, '').trim()
  if (text === '') return { kind: 'nothing', note: 'the decision file is empty' }
  const value = parsed(text)
  if (isObject(value)) return objectSays(value, checkId, 'the decision file')
  const marked = markerIn(typeof value === 'string' ? value : text)
  return marked ?? { kind: 'nothing', note: 'the decision file holds no decision' }
}

function objectSays(value: Record<string, unknown>, checkId: string, where: string): Said {
  const verdict = verdictOf(value['decision'])
  if (verdict === null) return { kind: 'nothing', note: `${where} holds no decision` }
  const named = value['check_id']
  if (named !== checkId || checkId === '') {
    const why = named === undefined ? 'it has no check_id' : 'its check_id is not that of this run'
    return { kind: 'stale', note: `${where} is stale: ${why}` }
  }
  const fingerprints = listOf(value['fingerprints']).map(safeFingerprint).filter((name) => name !== '')
  return { kind: 'decided', decision: { verdict, reasons: listOf(value['reasons']), fingerprints } }
}

function verdictOf(value: unknown): 'complete' | 'incomplete' | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  if (word === 'complete' || word === 'pass') return 'complete'
  return word === 'incomplete' || word === 'fail' ? 'incomplete' : null
}

function listOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return list.slice(0, MOST_REASONS).map(textOf).filter((text) => text !== '')
}

function textOf(value: unknown): string {
  const { message, reason, description } = isObject(value) ? value : {}
  const said = [value, message, reason, description].find((text) => typeof text === 'string')
  return sanitise(said ?? JSON.stringify(value) ?? '').trim()
}

function safeFingerprint(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= LONGEST_FINGERPRINT_CHARS ? line : `${line.slice(0, LONGEST_FINGERPRINT_CHARS - 17)}…${hash64(line)}`
}

// ───────────────────────────── the output ─────────────────────────────

function outputSays(output: string, checkId: string): Said {
  const text = sanitise(output)
  const object = lastObject(text)
  const said = object === null ? null : objectSays(object, checkId, 'the decision in the output')
  if (said?.kind === 'decided' || said?.kind === 'stale') return said
  return markerIn(text) ?? { kind: 'nothing', note: 'the output holds none either' }
}

/** The last object with a decision that begins a line and ends one. */
function lastObject(text: string): Record<string, unknown> | null {
  const starts = Array.from(text.matchAll(/^[ \t]*\{/gm), ({ index }) => index).slice(-MOST_OBJECTS)
  for (const start of starts.toReversed()) {
    const value = objectAt(text, start)
    if (value !== null && 'decision' in value) return value
  }
  return null
}

function objectAt(text: string, start: number): Record<string, unknown> | null {
  const lineEnd = text.indexOf('\n', start)
  const line = parsed(text.slice(start, lineEnd < 0 ? text.length : lineEnd))
  if (isObject(line)) return line
  const close = /^[ \t]*\}[ \t]*$/gm
  close.lastIndex = start
  const end = close.exec(text)
  const whole = end === null ? null : parsed(text.slice(start, close.lastIndex))
  return isObject(whole) ? whole : null
}

/** A line that is nothing but one of four words, perhaps with emphasis around it. The last one counts. */
function markerIn(text: string): Said | null {
  const found = Array.from(text.matchAll(/^[ \t*_`]*(PASS|FAIL|COMPLETE|INCOMPLETE)[ \t*_`]*\r?$/gm), (match) => match[1]).at(-1)
  const verdict = verdictOf(found)
  return verdict === null ? null : { kind: 'decided', decision: { verdict, reasons: [], fingerprints: [] } }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

// ───────────────────────────── as failures ─────────────────────────────

/** What a decision other than `complete` means. `said` is what the command printed about it, for when it gives no reasons. */
export function failuresOfDecision(gate: string, decision: Decision, said: string): Failure[] {
  switch (decision.verdict) {
    case 'complete':
      return []
    case 'undecidable':
      return [madeFailure(gate, 'undecidable', joined(decision.note, said))]
    case 'incomplete':
      return incomplete(gate, decision, said)
  }
}

/** A command that says it is complete and fails has contradicted itself. */
export function contradiction(gate: string, note: string): Failure {
  return madeFailure(gate, 'contradiction', `it decided "complete", and ended with ${note}`)
}

function incomplete(gate: string, { reasons, fingerprints, note }: Decision, said: string): Failure[] {
  if (fingerprints.length === 0 && reasons.length === 0) return [madeFailure(gate, 'incomplete', joined(note, said) || 'it gave no reason')]
  if (fingerprints.length === 0) return unlike(reasons.map((reason) => reasonFailure(gate, reason)))
  const isPaired = fingerprints.length === reasons.length
  const all = reasons.join('\n')
  return unlike(fingerprints.map((name, at) => namedFailure(gate, name, (isPaired ? reasons[at] : all) || name)))
}

function unlike(failures: readonly Failure[]): Failure[] {
  return [...new Map(failures.map((failure) => [failure.fingerprint, failure])).values()]
}

/** Reasons are prose: what changes in them from run to run must not make a new failure. */
function reasonFailure(gate: string, reason: string): Failure {
  const subject = shortSubject(templateOf(reason).replace(/\s+/g, ' ').trim())
  return madeFailure(gate, subject, reason)
}

function namedFailure(gate: string, name: string, message: string): Failure {
  return { ...madeFailure(gate, shortSubject(name), message), fingerprint: `decision:${gate}:${name}` }
}

function shortSubject(text: string): string {
  return text.length <= LONGEST_SUBJECT_CHARS ? text : `${text.slice(0, LONGEST_SUBJECT_CHARS - 10)} …${hash64(text).slice(0, 8)}`
}

function madeFailure(gate: string, what: string, message: string): Failure {
  const subject = `${gate}: ${what}`
  const fingerprint = fingerprintOf({ gate, id: subject, fault: { kind: 'error', type: 'decision', message: '', stack: '' } })
  return { gate, subject, class: 'behaviour', fingerprint, message: message.slice(0, LONGEST_REASON_CHARS), runs: { failed: 1, of: 1 } }
}

function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n')
}
