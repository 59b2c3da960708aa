// Reading a journal from disk line by line, in bounded memory, each record proved before it is handed on.
import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { errnoOf, stateRefusal } from '../../files/durable.js'
import { check, FORMAT, type Head, type Place } from './line.js'

const CHUNK_BYTES = 256 * 1024
/** Records are meant to stay under 64 KB; a line longer than this is damage, not a record. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024
const NEWLINE = 10

/** `line` has its newline, `rest` is what stands after the last newline, `endless` is longer than any record. */
type Line = { kind: 'line' | 'rest' | 'endless'; offset: number; bytes: Buffer }

export type Found =
  | { kind: 'record'; head: Head; offset: number; bytes: Buffer }
  | { kind: 'torn'; offset: number; length: number }
  | { kind: 'bad'; seq: number; offset: number; why: string }

export function journalPath(folder: string): string {
  return join(folder, 'journal.jsonl')
}

/** Opens the journal, runs `use` and closes it again. A missing journal and one that is no plain file are refused. */
export function withJournal<T>(folder: string, use: (fd: number) => T): T {
  const fd = openForReading(folder)
  try {
    return use(fd)
  } catch (error) {
    throw stateRefusal(error, journalPath(folder), repairCommand(folder))
  } finally {
    closeSync(fd)
  }
}

export function openForReading(folder: string): number {
  const path = journalPath(folder)
  try {
    // Opening a pipe would wait for ever.
    if (!lstatSync(path).isFile()) throw new Refusal(EXIT.state, `${path} is not a plain file`, repairCommand(folder))
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw stateRefusal(error, path, repairCommand(folder))
    throw new Refusal(EXIT.state, `there is no journal at ${path}`, 'greenlatch sessions')
  }
}

/** Every record from `offset` on, then at most one torn or bad end. */
export function* walk(fd: number, offset: number, after: Place): Generator<Found> {
  let place = after
  for (const line of linesOf(fd, offset)) {
    if (line.kind === 'rest') {
      yield { kind: 'torn', offset: line.offset, length: line.bytes.length }
      return
    }
    const head = line.kind === 'line' ? check(line.bytes, place) : { fault: 'it is longer than any record' }
    if ('fault' in head) {
      yield { kind: 'bad', seq: place.seq + 1, offset: line.offset, why: head.fault }
      return
    }
    yield { kind: 'record', head, offset: line.offset, bytes: line.bytes }
    place = head
  }
}

export function* linesOf(fd: number, from: number): Generator<Line> {
  let offset = from
  let pending: Buffer[] = []
  let length = 0
  for (let position = from; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const bytes = chunk.subarray(0, readSync(fd, chunk, 0, CHUNK_BYTES, position))
    position += bytes.length
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const line = joined(pending, bytes.subarray(start, end))
      yield { kind: 'line', offset, bytes: line }
      offset += line.length + 1
      start = end + 1
      pending = []
      length = 0
    }
    if (start < bytes.length) pending.push(bytes.subarray(start))
    length += bytes.length - start
    const ended = bytes.length === 0
    if (ended && length === 0) return
    if (ended || length > MAX_LINE_BYTES) return yield { kind: ended ? 'rest' : 'endless', offset, bytes: joined([], ...pending) }
  }
}

function joined(pending: Buffer[], ...last: Buffer[]): Buffer {
  const [only] = last
  return pending.length === 0 && last.length === 1 && only ? only : Buffer.concat([...pending, ...last])
}

/** A journal of a newer form is not damaged: it must not be offered for repair. Asked before its sums are judged. */
export function refuseNewer(fd: number, folder: string): void {
  const first = linesOf(fd, 0).next().value
  const format = first ? formatOf(first.bytes) : undefined
  if (format === undefined || format <= FORMAT) return
  const text = `the session ${basename(folder)} was written in journal format ${format}; this version knows ${FORMAT}`
  throw new Refusal(EXIT.state, text, 'npm install --global greenlatch@latest')
}

function formatOf(bytes: Buffer): number | undefined {
  try {
    const format = JSON.parse(bytes.toString('utf8'))?.events?.[0]?.format
    return typeof format === 'number' ? format : undefined
  } catch {
    return undefined
  }
}

export function repairCommand(folder: string): string {
  return `greenlatch repair ${basename(folder)}`
}

export function damaged(folder: string, seq: number, offset: number, why: string): Refusal {
  const text = `${journalPath(folder)} is damaged at record ${seq} (byte ${offset}): ${why}; the file is kept as it is`
  return new Refusal(EXIT.state, text, repairCommand(folder))
}
