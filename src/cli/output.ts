// What reaches people and programs: data on standard output, everything else on standard error, and one shape for every refusal.
import { ManyFaults } from '../config/many-faults.js'
import { EXIT, Refusal } from '../errors.js'
import { redact } from '../process/secrets.js'
import { sanitise } from '../text/sanitise.js'
import { inAscii, signsInAscii } from '../text/screen/signs.js'
import { coloured } from '../text/stream-colours.js'
import { typeable } from './carried.js'
import { meansOf, surroundings, type FaceFlags } from './face.js'
import { wrapped } from './wrap.js'

export type Format = 'text' | 'json' | 'jsonl'

export type Output = {
  readonly format: Format
  /** How much is told on standard error. */
  readonly ui: 'stream' | 'none'
  data(text: string): void
  json(value: unknown): void
  say(text: string): void
}

/** Why not all of the data has arrived; null where it has, or where whoever reads wants no more of it. */
let loss: string | null = null

/** A pipe that is closed or a disk that is full must not end a run that goes on in the journal. */
export function outliveOutputs(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') loss ??= code === 'ENOSPC' || code === 'EDQUOT' ? 'no space is left where it goes' : message
  })
}

/** Waits until standard output has taken everything or failed; the code then says when data was lost and nothing worse had happened. */
export async function settleData(code: number, next: string): Promise<number> {
  await new Promise<void>((done) => void process.stdout.write('', () => setImmediate(done)))
  if (loss === null) return code
  refuse(new Refusal(EXIT.state, `what belongs on standard output could not be written: ${loss}`, next), 'text')
  return code === EXIT.ok ? EXIT.state : code
}

/** Who takes what is told while a screen covers standard error. */
let cover: ((text: string) => void) | null = null

/** On standard error, in lines that fit, or to whoever has covered it. */
export function toPeople(text: string): void {
  const told = typeable(text)
  if (cover) cover(redact(told))
  else writeToPeople(told)
}

/** Whether the command line says no to colours. */
let face: FaceFlags = {}

export function writeToPeople(text: string): void {
  const { isTTY, columns } = process.stderr
  const { unicode, colour } = meansOf(face, surroundings())
  const told = redact(text)
  const lines = wrapped(isTTY && !unicode ? inAscii(told) : told, isTTY ? columns : undefined)
  process.stderr.write(colour ? coloured(lines) : lines)
}

/** Null uncovers it. */
export function coverPeople(taker: ((text: string) => void) | null): void {
  cover = taker
}

export function isCovered(): boolean {
  return cover !== null
}

/** A terminal obeys what is written to it; a file or a program gets the text as it is. */
function shown(text: string): string {
  const told = redact(text)
  if (!process.stdout.isTTY) return told
  return meansOf(face, surroundings()).unicode ? sanitise(told) : signsInAscii(sanitise(told))
}

export type OutputFlags = FaceFlags & { json?: boolean; output?: Format }

export function createOutput(flags: OutputFlags): Output {
  face = flags
  const format = flags.output ?? (flags.json ? 'json' : 'text')
  const ui = flags.quiet || flags.ui === 'none' ? 'none' : 'stream'
  return {
    format,
    ui,
    data: (text) => void process.stdout.write(shown(text.endsWith('\n') ? text : `${text}\n`)),
    json: (value) => void process.stdout.write(`${redact(JSON.stringify(value, null, format === 'jsonl' ? 0 : 2))}\n`),
    say: (text) => {
      if (ui !== 'none') toPeople(`${sanitise(text)}\n`)
    },
  }
}

/** One clear line, the code, and the next command; a fault of ours says how to report it. Returns the exit code. */
export function refuse(thrown: unknown, format: Format): number {
  const refusal = thrown instanceof Refusal ? thrown : internal(thrown)
  const { error, others = [], code, next } = fieldsOf(refusal)
  if (format === 'text') toPeople(`greenlatch: ${[error, ...others].join('\n            ')}\n  next: ${next}\n`)
  else process.stdout.write(`${refusalText(refusal)}\n`)
  return code
}

/** As programs get it: one line of JSON. */
export function refusalText(thrown: unknown): string {
  return redactedJson(fieldsOf(thrown instanceof Refusal ? thrown : internal(thrown)))
}

type RefusalFields = { error: string; others?: string[]; code: number; next: string }

function fieldsOf(refusal: Refusal): RefusalFields {
  const others = refusal instanceof ManyFaults ? refusal.others.map(oneLine) : []
  return { error: oneLine(refusal.message), ...(others.length > 0 && { others }), code: refusal.code, next: typeable(refusal.next) }
}

function redactedJson(value: object): string {
  return redact(JSON.stringify(value))
}

function oneLine(text: string): string {
  return sanitise(text).replaceAll('\n', ' ')
}

function internal(error: unknown): Refusal {
  const detail = error instanceof Error ? error : new Error(String(error))
  if (process.env['GREENLATCH_DEBUG']) process.stderr.write(`${detail.stack ?? detail.message}\n`)
  const next = 'set GREENLATCH_DEBUG=1, run it again and report what it prints'
  return new Refusal(EXIT.failed, `a fault in greenlatch itself: ${detail.message}`, next)
}
