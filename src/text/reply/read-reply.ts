// What the text of an answer comes to, by what its phase was asked to yield.
import type { Effect, Session } from '../../core/types.js'
import type { Beside, ReadReply, Reading, TextFile } from '../../ports.js'
import { amendTask, readAmendment } from './amendment.js'
import { applyParts } from './apply-edits.js'
import { quotedFiles } from '../prompt/delimited.js'
import { readAudit } from './audit.js'
import { readBlocks, type Blocks, type Edit } from './blocks.js'
import { readDiff, readSearches } from './edits.js'
import { failuresOf, findingsNote, sentenceFinding } from './findings.js'
import { readAnyPlan, readTestPlan } from './plan.js'
import { stripReasoning } from './reasoning.js'
import { readAdvice, readReview, type Review } from './review.js'
import { isTooMuch, lineOf, pathsOf, planText, shownPath, tooMuch, type Step } from './values.js'
import { findingsText } from '../prompt/report.js'
import { sanitise } from '../sanitise.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export const EMPTY_READING: Reading = { verdict: 'pass', note: '', files: [], deletes: [], failures: [], keeps: {}, commands: [], warnings: [] }

const NOTHING_BESIDE: Beside = { kept: () => undefined, inText: true }
const LONGEST_REASON_CHARS = 1000
const LONGEST_FAULT_CHARS = 1000
/** What additions to a task may amount to where the procedure does not say. */
const ADDITIONS = { each: 500, all: 2000 }

export const readReply: ReadReply = (session, effect, text, beside = NOTHING_BESIDE) => {
  const phase = session.procedure.phases[effect.phase]
  const asked = phase?.kind === 'ask' ? phase : undefined
  switch (effect.yields) {
    case 'plan':
      return planReading(effect, asked?.wants === 'tests' ? readTestPlan(text) : readAnyPlan(text))
    case 'candidate':
      return beside.inText ? candidateReading(session, effect, text, beside) : EMPTY_READING
    case 'review':
      return asked?.judges ? judgingReading(effect, text) : adviceReading(effect, text, { ...beside, prose: asked?.wants === 'diagnosis' })
    case 'tests':
      return auditReading(text)
    case 'amendment':
      return amendmentReading(session, effect, text, beside)
    case 'response':
      return EMPTY_READING
  }
}

// — plans —
function planReading({ plan: generation }: Ask, plan: ReturnType<typeof readAnyPlan>): Reading {
  if (plan.kind === 'fault') return { ...EMPTY_READING, verdict: 'error', note: plan.fault }
  // Plans belong to the session, not to an iteration; the first one has no number.
  const stem = generation <= 1 ? 'plan' : `plan-${generation}`
  const keeps = { ...keptPlan(`${stem}.md`, `${stem}-files.json`, plan), diagnosis: null, code: null }
  return { ...EMPTY_READING, files: plan.tests, keeps }
}

function keptPlan(textPath: string, filesPath: string, { text, paths }: { text: string; paths: readonly string[] }): Reading['keeps'] {
  const files = paths.length === 0 ? null : { path: filesPath, text: `${JSON.stringify(paths, null, 2)}\n` }
  return { plan: { path: textPath, text }, 'plan-files': files }
}

// — candidates —
/**
 * All files of a reply are taken or none: half a change is no candidate. Whoever answered is told once, and asked again; after that
 * the loop goes on with nothing, and what was refused is kept for the next prompt.
 */
function candidateReading(session: Session, effect: Ask, text: string, beside: Beside): Reading {
  const { commands, notes, ...blocks } = readBlocks(text)
  const { files, deletes, refused } = withEdits(blocks, beside.current)
  const isEmpty = files.length + deletes.length + refused.length === 0
  const told = isEmpty && !beside.edits ? ['the reply has no file block: nothing is written'] : refused
  const warnings = [...(isEmpty ? told : refused.map((why) => `not taken: ${why}`)), ...notes]
  if (refused.length > 0 && mayAskAgain(session, effect)) return { ...EMPTY_READING, verdict: 'error', note: lineOf(refused.join('; '), LONGEST_FAULT_CHARS), again: true }
  const keeps = { refused: kept(`${effect.base}-refused.md`, told.map((why) => `- ${why}\n`).join('')) }
  if (refused.length > 0) return { ...EMPTY_READING, warnings: [...warnings, 'nothing of the reply is taken'], keeps }
  return { ...EMPTY_READING, files, deletes, commands, warnings, keeps }
}

/** Whether an answer that cannot be taken is asked for once more; how often is for the phase to say. */
export function mayAskAgain({ procedure, retries }: Session, { phase: name, yields }: Ask): boolean {
  const phase = procedure.phases[name]
  return phase?.kind === 'ask' && phase.yields === yields && retries < (phase.retries ?? 1)
}

/** With what changes by parts come to, file by file. */
function withEdits({ files, edits, deletes, refused }: Omit<Blocks, 'commands' | 'notes'>, current: Beside['current']): Pick<Blocks, 'files' | 'deletes' | 'refused'> {
  const changed: TextFile[] = []
  const faults: string[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const result = current ? changedBy(current(path), edits.filter((edit) => edit.path === path)) : { fault: 'files are not changed by parts here; write it whole' }
    if ('fault' in result) faults.push(`${shownPath(path)}: ${result.fault}`)
    else changed.push({ path, text: result.text })
  }
  const all = [...files, ...changed]
  return { files: all, deletes, refused: [...refused, ...faults, ...(isTooMuch(all) ? [tooMuch('all files of the reply')] : [])] }
}

function changedBy(text: string | null, edits: readonly Edit[]): ReturnType<typeof applyParts> {
  let result = text
  for (const edit of edits) {
    const read = edit.by === 'diff' ? readDiff(edit.text, edit.path) : readSearches(edit.text)
    if ('fault' in read) return read
    if (result === null && read.parts.some(({ lines }) => lines.some(({ does }) => does !== 'add'))) return { fault: 'there is no such text file to change' }
    const applied = applyParts(result, read.parts)
    if ('fault' in applied) return applied
    result = applied.text
  }
  return { text: result ?? '' }
}

function kept(path: string, text: string): TextFile | null {
  return text.trim() === '' ? null : { path, text: text.endsWith('\n') ? text : `${text}\n` }
}

// — reviews —
/** Its verdict counts, so one that cannot be read is asked for again. A finding that is an error is never waved through. */
function judgingReading({ base }: Ask, text: string): Reading {
  const review = readReview(text)
  if (review === null) return { ...EMPTY_READING, verdict: 'error', note: 'the review says neither pass nor fail' }
  const contradicts = review.verdict === 'pass' && review.findings.some(({ severity }) => severity === 'error')
  if (review.verdict === 'pass' && !contradicts) return { ...EMPTY_READING, keeps: { diagnosis: null, findings: null, code: null } }
  const failures = failuresOf(review.findings.length > 0 ? review.findings : [sentenceFinding(reasonOf(review, text))])
  const warnings = contradicts ? ['the review passes, with a finding that is an error: it counts as failed'] : []
  const keeps = {
    diagnosis: kept(`${base}-diagnosis.md`, review.diagnosis),
    findings: kept(`${base}-findings.md`, findingsText(failures)),
    code: keptCode(base, review),
  }
  return { ...EMPTY_READING, verdict: 'fail', note: findingsNote(failures), failures, keeps, warnings }
}

/** A review that fails without a finding still has to be told from others that do. */
function reasonOf({ diagnosis }: Review, text: string): string {
  const prose = stripReasoning(text).replace(/\{[^]*\}/, ' ').replace(/`{3,}\w*/g, ' ')
  return lineOf(diagnosis || prose, LONGEST_REASON_CHARS) || 'the review fails and gives no reason'
}

/** What advises and does not judge: one that is no review is taken as a diagnosis, and the plan stays. */
function adviceReading({ base }: Ask, text: string, beside: Beside & { prose: boolean }): Reading {
  const review = readAdvice(text)
  const diagnosisPath = `${base}-diagnosis.md`
  if (review === null) {
    const said = kept(diagnosisPath, sanitise(stripReasoning(text)))
    const warnings = beside.prose && said ? [] : ['the review cannot be read: the plan stays as it is']
    return { ...EMPTY_READING, warnings, keeps: said ? { diagnosis: said } : {} }
  }
  const failures = failuresOf(review.findings)
  const listed = failures.map(({ subject, finding }) => `- ${subject}${finding?.fix ? `; fix: ${finding.fix}` : ''}`)
  const diagnosis = [review.diagnosis, ...listed].filter((line) => line !== '').join('\n')
  const plan = updatedPlan(base, review.steps, beside)
  const keeps = { diagnosis: kept(diagnosisPath, diagnosis), code: keptCode(base, review), ...plan }
  return { ...EMPTY_READING, verdict: review.verdict ?? 'pass', failures: review.verdict === 'fail' ? failures : [], keeps }
}

function keptCode(base: string, { code }: Review): TextFile | null {
  return kept(`${base}-code.md`, quotedFiles(code.map(({ path, text }) => ({ path: path || 'somewhere', text: text.trimEnd() }))))
}

/** Steps without a file are about the first one of the plan at hand. Without any step that plan stays. */
function updatedPlan(base: string, steps: readonly Step[], beside: Beside): Reading['keeps'] {
  if (steps.length === 0) return {}
  const fallback = firstFile(beside.kept('plan-files'))
  const whole = steps.map((step) => (step.path === '' ? { ...step, path: fallback } : step))
  return keptPlan(`${base}-plan.md`, `${base}-plan-files.json`, { text: planText(whole, []), paths: pathsOf(whole) })
}

function firstFile(json = '[]'): string {
  try {
    const [first] = JSON.parse(json) as unknown[]
    return typeof first === 'string' ? first : ''
  } catch {
    return ''
  }
}

// — audits and amendments —
/** `fail` is a correction: it leads back to the implementer. */
function auditReading(text: string): Reading {
  const audit = readAudit(text)
  if (audit.kind === 'right') return { ...EMPTY_READING, warnings: audit.trouble === '' ? [] : [audit.trouble] }
  return { ...EMPTY_READING, verdict: 'fail', note: `tests corrected: ${audit.issues}`, files: audit.tests }
}

function amendmentReading({ procedure }: Session, { base, iteration, plan }: Ask, text: string, beside: Beside): Reading {
  const read = readAmendment(text)
  if (read.kind === 'none') return { ...EMPTY_READING, verdict: 'fail', note: read.why }
  const task = beside.kept('task') ?? ''
  const original = beside.kept('task-original') ?? task
  const limits = procedure.policies.amendments ?? ADDITIONS
  const amended = amendTask({ task, addition: read.addition, iteration, original, ...limits })
  if ('fault' in amended) return { ...EMPTY_READING, verdict: 'fail', note: amended.fault }
  const diagnosis = kept(`${base}-diagnosis.md`, sanitise(read.diagnosis))
  const keeps = {
    task: { path: `task-${plan + 1}.md`, text: amended.text },
    'task-original': { path: 'task-original.md', text: original },
    ...(diagnosis && { diagnosis }),
  }
  return { ...EMPTY_READING, keeps }
}
