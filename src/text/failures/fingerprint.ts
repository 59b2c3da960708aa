// Gives a failure its identity, equal whenever the same fault shows again, and compares sets of failures by it.
import type { Failure } from '../../core/types.js'
import { hash64 } from '../hash64.js'
import { normaliseLine } from './noise.js'
import { ownFrame, rootCause, type Frame } from './stack.js'
import { templateOf } from '../template/template.js'
import type { Fault, TestCase, Trouble } from './test-run.js'

/** The version of the whole recipe. It stands before each fingerprint; those of two versions are never equal. */
export const FINGERPRINT_VERSION = 2

const LONGEST_MESSAGE_CHARS = 240
const LONGEST_PLACE_CHARS = 90
const MOST_MESSAGE_LINES = 6
const LONGEST_TYPE_CHARS = 200
const NO_FAULT: Fault = { kind: 'error', type: '', message: '', stack: '' }
/** How deep a recursion was when it ended, and in which of its functions, is chance. */
const TOO_DEEP = /^(?:Maximum call stack size exceeded|maximum recursion depth exceeded|stack overflow|too much recursion)/i

export type Identity = { gate: string; id: string; fault: Fault }

export function fingerprintOf({ gate, id, fault }: Identity): string {
  return printOf(gate, id, essenceOf(fault, frameOf(fault)))
}

function printOf(gate: string, id: string, essence: readonly string[]): string {
  return `${FINGERPRINT_VERSION}:${hash64([gate, id, ...essence].join('\u0000'))}`
}

/** What makes this fault this fault: type, function, template of the message and of what led to it. */
function essenceOf(fault: Fault, frame: Frame | null): string[] {
  const { kind, type } = fault
  const message = bareMessage(fault)
  if (kind === 'timeout' || kind === 'no tests') return [kind]
  if (TOO_DEEP.test(message) || type.endsWith('StackOverflowError')) return ['too deep']
  return [type === '' ? kind : type, functionOf(frame), templateOf(message), templateOf(rootCause(fault.stack))]
}

function functionOf(frame: Frame | null): string {
  return frame === null ? '' : frame.name === '' ? frame.file : frame.name
}

/** A message without a stack of its own may hold one. */
function frameOf({ stack, message }: Fault): Frame | null {
  return ownFrame(stack === '' ? message : stack)
}

/** Many runners write the type before the message as well, some with the names of its modules. */
function bareMessage({ type, message }: Fault): string {
  const text = message.trimStart()
  const end = type === '' ? -1 : text.slice(0, LONGEST_TYPE_CHARS).indexOf(`${type}: `)
  return end >= 0 && /^[\w.:]*$/.test(text.slice(0, end)) ? text.slice(end + type.length + 2) : text
}

export function failureOf(gate: string, item: TestCase | Trouble): Failure {
  const id = 'subject' in item ? item.subject : item.id
  const fault = item.fault ?? NO_FAULT
  const { frame, essence, message } = toldOf(fault)
  const fingerprint = isPlainLine(item) ? printOf(gate, quietLine(item), [functionOf(frame)]) : printOf(gate, id, essence)
  return { gate, subject: id, class: 'behaviour', fingerprint, message, runs: { failed: 1, of: 1 } }
}

type Told = { fault: Readonly<Fault>; frame: Frame | null; essence: readonly string[]; message: string }

let lastTold: Told | null = null

/** Where very many tests fail, most share one fault that says no more than that: what was found out of it is kept. */
function toldOf(fault: Fault): Told {
  if (lastTold === null || !isSame(lastTold.fault, fault)) {
    const frame = frameOf(fault)
    lastTold = { fault: { ...fault }, frame, essence: essenceOf(fault, frame), message: messageOf(fault, frame) }
  }
  return lastTold
}

function isSame(one: Fault, other: Fault): boolean {
  return one.message === other.message && one.stack === other.stack && one.type === other.type && one.kind === other.kind
}

/** A failing line of plain output is all there is to know; what follows it may belong to something else. */
function isPlainLine(item: TestCase | Trouble): item is Trouble {
  return 'subject' in item && item.fault.kind === 'error' && item.fault.type === '' && item.fault.stack === ''
}

/** The subject is the line without noise, at times with the name of its file before it. More noise is seen in the line itself. */
function quietLine({ subject, fault }: Trouble): string {
  const line = fault.message.split('\n', 1)[0] ?? ''
  const known = normaliseLine(line)
  return known !== '' && subject.endsWith(known) ? subject.slice(0, -known.length) + normaliseLine(templateOf(line)) : subject
}

/** For people and prompts: what happened, and where in their own code. */
function messageOf(fault: Fault, frame: Frame | null): string {
  const place = frame ? placeOf(frame) : ''
  const text = bareMessage(fault)
  const lines = (fault.type === '' ? text : `${fault.type}: ${text}`).split('\n').map((line) => line.trimEnd())
  const words = lines.filter((line) => line !== '').slice(0, MOST_MESSAGE_LINES).join('\n')
  if (place === '') return shortened(words, LONGEST_MESSAGE_CHARS)
  return `${shortened(words, LONGEST_MESSAGE_CHARS - place.length - 1)}\n${place}`
}

function placeOf({ name, file, line }: Frame): string {
  const place = `at ${file}${line === null ? '' : `:${line}`}${name === '' ? '' : ` in ${name}`}`
  return shortened(place, LONGEST_PLACE_CHARS)
}

function shortened(text: string, mostChars: number): string {
  return text.length <= mostChars ? text : `${text.slice(0, mostChars - 1)}…`
}

// — sets —

export type Identified = Pick<Failure, 'gate' | 'subject' | 'fingerprint'>

/** Each failure of the later set is in exactly one of fresh, regressed, changed and same. */
export type Comparison<F extends Identified> = {
  /** Its subject did not fail before, as far as is known. */
  fresh: F[]
  /** Its subject failed at some time, did not fail before, and does again. */
  regressed: F[]
  /** Its subject failed before, of another fault. */
  changed: F[]
  /** The same fault as before. */
  same: F[]
  /** Failures of the earlier set whose subjects do not fail any more. */
  fixed: F[]
}

/** `earlier`: all failures of the sets before `before`; without them nothing can be called regressed. */
export function compareSets<F extends Identified>(
  before: readonly F[],
  after: readonly F[],
  earlier: Iterable<Identified> = [],
): Comparison<F> {
  const faults = new Set(before.map((failure) => failure.fingerprint))
  const failing = new Set(before.map(subjectOf))
  const known = new Set(Array.from(earlier, subjectOf))
  const stillFailing = new Set(after.map(subjectOf))
  const found: Comparison<F> = { fresh: [], regressed: [], changed: [], same: [], fixed: [] }
  for (const failure of after) {
    const subject = subjectOf(failure)
    if (faults.has(failure.fingerprint)) found.same.push(failure)
    else if (failing.has(subject)) found.changed.push(failure)
    else if (known.has(subject)) found.regressed.push(failure)
    else found.fresh.push(failure)
  }
  found.fixed.push(...before.filter((failure) => !stillFailing.has(subjectOf(failure))))
  return found
}

/** What failures are known by, whatever is wrong with it. */
export function subjectOf({ gate, subject }: Pick<Identified, 'gate' | 'subject'>): string {
  return `${gate}\u0000${subject}`
}
