// Reads a response the way a profile says, and gives back what every other response is given back as.
import type { AskPhase, Effect, Failure, Session, Verdict } from '../../core/types.js'
import type { Reading, TextFile } from '../../ports.js'
import { fingerprintOf } from '../../text/failures/failing-lines.js'
import { EMPTY_READING, readReply } from '../../text/reply/read-reply.js'
import { stripReasoning } from '../../text/reply/reasoning.js'
import type { Profile, ProfileContext, ProfileResult, ProfileStatus, ReplyForm } from './types.js'

type Ask = Extract<Effect, { kind: 'ask' }>

export type Asked = { session: Session; effect: Ask; context: ProfileContext }

const VERDICTS: Record<ProfileStatus, Verdict> = { success: 'pass', failed: 'fail', error: 'error', cancelled: 'cancelled' }
const YIELDS = { plan: 'plan', blocks: 'candidate', verdict: 'review' } as const satisfies Record<ReplyForm, AskPhase['yields']>
const MOST_FINDINGS = 100

export function formOf(yields: AskPhase['yields']): ReplyForm {
  if (yields === 'plan') return 'plan'
  return yields === 'review' ? 'verdict' : 'blocks'
}

/** Must not throw, whatever the profile does. */
export function readByProfile(profile: Profile, response: string, asked: Asked): Reading {
  const { effect, context } = asked
  const how = profile.phases[context.phase]?.reply ?? formOf(effect.yields)
  const reading = typeof how === 'function' ? resultReading(resultOf(profile, how, response, context), response, asked) : formReading(how, response, asked)
  // What did not succeed writes nothing.
  return reading.verdict === 'pass' ? reading : { ...reading, files: [], deletes: [], commands: [] }
}

// ───────────────────────────── forms that are read for the profile ─────────────────────────────

const LONGEST_STATUS_LINE = 400
const STATUS_LINE = /^[\s*_`]*STATUS[\s*_`]*:[\s*_`]*(SUCCESS|FAILED|ERROR|CANCELLED)\b[\s*_`:.,-]*(.*?)[\s*_`]*$/

type Said = { text: string; status: ProfileStatus | null; why: string }

/** A last line `STATUS: …` is the status of the whole response; it is no part of the text. */
function statusOf(response: string): Said {
  const end = response.trimEnd()
  const start = end.lastIndexOf('\n') + 1
  const [, word, why = ''] = STATUS_LINE.exec(end.slice(start, start + LONGEST_STATUS_LINE)) ?? []
  if (word === undefined) return { text: response, status: null, why: '' }
  return { text: end.slice(0, start), status: word.toLowerCase() as ProfileStatus, why }
}

/** The same text, letter for letter, where there is no reasoning in it. */
function withoutReasoning(text: string): string {
  const stripped = stripReasoning(text)
  return stripped === text.trim() ? text : stripped
}

function formReading(form: ReplyForm, response: string, asked: Asked): Reading {
  const { text, status, why } = statusOf(response)
  if (status === 'error' || status === 'cancelled') return { ...EMPTY_READING, verdict: VERDICTS[status], note: why, final: true }
  if (form === 'plan') return planReading({ text, status, why }, asked)
  const read = readReply(asked.session, { ...asked.effect, yields: YIELDS[form] }, text)
  if (form === 'verdict') {
    const said = status === 'failed' || (status === 'success' && read.verdict === 'error') ? { verdict: VERDICTS[status], note: why } : {}
    return { ...read, ...said, files: [], keeps: keptReview(withoutReasoning(text), asked) }
  }
  if (status === 'failed') return { ...read, verdict: 'fail', note: why }
  return { ...withFiles(read, asked), keeps: {} }
}

function planReading({ text: said, status, why }: Said, asked: Asked): Reading {
  if (status === 'failed') return { ...EMPTY_READING, verdict: 'fail', note: why }
  const text = withoutReasoning(said)
  if (text.trim() === '') return { ...EMPTY_READING, verdict: 'error', note: 'the plan is empty' }
  return { ...EMPTY_READING, keeps: keptPlan(text, asked) }
}

/** A first candidate has to have files; a later one may leave those before it as they are. */
function withFiles(reading: Reading, { effect }: Asked): Reading {
  if (reading.files.length > 0 || reading.verdict !== 'pass') return reading
  const note = reading.warnings[0] ?? 'the response has no file'
  return effect.yields === 'response' ? { ...reading, note } : { ...reading, verdict: 'error', note }
}

/** There is one plan in a session. */
function keptPlan(text: string, { effect }: Asked): Reading['keeps'] {
  return effect.yields === 'plan' ? { plan: { path: 'plan.md', text } } : {}
}

function keptReview(text: string, { effect }: Asked): Reading['keeps'] {
  return effect.yields === 'review' ? { review: { path: `${effect.base}.md`, text } } : {}
}

// ───────────────────────────── functions of the profile ─────────────────────────────

/** `broken`: the function itself is at fault, and would be again. */
type Result = ProfileResult & { broken?: true }

function resultOf(profile: Profile, read: (response: string, context: ProfileContext) => ProfileResult, response: string, context: ProfileContext): Result {
  const failed = (what: string): Result => ({ status: 'error', note: `the profile "${profile.name}" ${what}`, broken: true })
  try {
    const result: unknown = read(response, context)
    const fault = faultOf(result)
    return fault === null ? (result as ProfileResult) : failed(`read the ${context.phase} response as something else: ${fault}`)
  } catch (error) {
    return failed(`could not read the ${context.phase} response: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function faultOf(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return 'it returned no result'
  const { status, note, files, plan, findings } = result as Record<string, unknown>
  if (typeof status !== 'string' || !Object.hasOwn(VERDICTS, status)) return `its status has to be one of ${Object.keys(VERDICTS).join(', ')}`
  if (![note, plan].every((text) => text === undefined || typeof text === 'string')) return 'note and plan have to be text'
  if (files !== undefined && !(Array.isArray(files) && files.every(isFile))) return 'files have to be a list of { path, text }'
  const listed = findings === undefined || (Array.isArray(findings) && findings.every((each) => typeof each === 'string'))
  return listed ? null : 'findings have to be a list of texts'
}

function isFile(file: unknown): file is TextFile {
  const { path, text } = (file ?? {}) as Partial<TextFile>
  return typeof path === 'string' && path !== '' && typeof text === 'string'
}

function resultReading({ status, note = '', files = [], plan, findings = [], broken }: Result, response: string, asked: Asked): Reading {
  const verdict = VERDICTS[status]
  const keeps = { ...keptPlan(plan ?? response, asked), ...keptReview(response, asked) }
  return {
    ...EMPTY_READING,
    verdict,
    note,
    files: files.map(({ path, text }) => ({ path, text })),
    failures: verdict === 'fail' ? findings.slice(0, MOST_FINDINGS).map(failureOf) : [],
    keeps,
    ...(broken && { final: broken }),
  }
}

function failureOf(finding: string): Failure {
  const runs = { failed: 1, of: 1 }
  return { gate: 'review', subject: finding, class: 'behaviour', fingerprint: fingerprintOf('review', finding), message: finding, runs }
}
