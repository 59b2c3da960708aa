// Takes one stream of a process: the first bytes to a file, and the beginning and the end to memory, however much comes.
import { closeSync, constants, existsSync, openSync, unlinkSync, writeSync } from 'node:fs'
import type { RedactedStream } from '../text/redact.js'
import { sanitise } from '../text/sanitise.js'
import { secretless } from './secrets.js'
import type { Captured } from './types.js'

/** Kept in memory of the beginning, and as much again of the end. */
const KEPT_BYTES = 64 * 1024
/** How far a cut is moved to fall between two lines. */
const LINE_SEARCH_BYTES = 4 * 1024
const MOST_PIECES = 64

export type Capture = {
  readonly path: string | undefined
  readonly limitBytes: number
  readonly redacted: RedactedStream
  bytes: number
  head: Buffer[]
  headBytes: number
  /** A ring, made when the head is full. */
  tail: Buffer | null
  tailBytes: number
  file: number | null
  /** Why the file does not hold what it should, e.g. `ENOSPC`. */
  fault: string | null
}

export function openCapture(path: string | undefined, limitBytes: number, secrets: readonly string[] = []): Capture {
  const capture: Capture = { path, limitBytes, redacted: secretless(secrets), bytes: 0, head: [], headBytes: 0, tail: null, tailBytes: 0, file: null, fault: null }
  // What an earlier attempt left would pass for the output of this one.
  if (path !== undefined && existsSync(path)) attempt(capture, () => unlinkSync(path))
  return capture
}

export function take(capture: Capture, chunk: Buffer): void {
  keep(capture, capture.redacted.push(chunk))
}

function keep(capture: Capture, chunk: Buffer): void {
  if (chunk.length === 0) return
  if (capture.path !== undefined && capture.bytes < capture.limitBytes) store(capture, capture.path, chunk)
  capture.bytes += chunk.length
  const room = KEPT_BYTES - capture.headBytes
  if (room > 0) toHead(capture, room < chunk.length ? chunk.subarray(0, room) : chunk)
  if (room < chunk.length) toTail(capture, room > 0 ? chunk.subarray(room) : chunk)
}

export function closeCapture(capture: Capture): Captured {
  keep(capture, capture.redacted.end())
  if (capture.bytes === 0) return { text: '', bytes: 0, cut: false }
  if (capture.file !== null) closeSync(capture.file)
  capture.file = null
  const head = capture.head.length === 1 && capture.head[0] ? capture.head[0] : Buffer.concat(capture.head)
  if (capture.tail === null) return { text: sanitise(head.toString('utf8')), bytes: capture.bytes, cut: false }
  const tail = orderedTail(capture, capture.tail)
  if (capture.tailBytes <= KEPT_BYTES) {
    return { text: sanitise(Buffer.concat([head, tail]).toString('utf8')), bytes: capture.bytes, cut: false }
  }
  const first = head.subarray(0, headCut(head))
  const last = tail.subarray(tailCut(tail))
  const gap = `[… ${capture.bytes - first.length - last.length} bytes left out …]`
  return { text: `${lines(first)}${gap}\n${sanitise(last.toString('utf8'))}`, bytes: capture.bytes, cut: true }
}

function lines(bytes: Buffer): string {
  const text = sanitise(bytes.toString('utf8'))
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function store(capture: Capture, path: string, chunk: Buffer): void {
  if (capture.fault !== null) return
  attempt(capture, () => {
    capture.file ??= createFile(path)
    const end = Math.min(chunk.length, capture.limitBytes - capture.bytes)
    for (let at = 0; at < end; ) at += writeSync(capture.file, chunk, at, end - at)
  })
}

function attempt(capture: Capture, work: () => void): void {
  try {
    work()
  } catch (error) {
    capture.fault = (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** Always a new file: a link, a pipe or another's file at this place is taken away and not written to. */
function createFile(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    unlinkSync(path)
    return openSync(path, flags, 0o600)
  }
}

function toHead(capture: Capture, piece: Buffer): void {
  capture.head.push(piece)
  capture.headBytes += piece.length
  // Thousands of tiny pieces cost far more than their bytes.
  if (capture.head.length >= MOST_PIECES) capture.head = [Buffer.concat(capture.head)]
}

function toTail(capture: Capture, piece: Buffer): void {
  const tail = (capture.tail ??= Buffer.allocUnsafe(KEPT_BYTES))
  const kept = piece.length > KEPT_BYTES ? piece.subarray(piece.length - KEPT_BYTES) : piece
  const at = (capture.tailBytes + piece.length - kept.length) % KEPT_BYTES
  const untilWrap = Math.min(kept.length, KEPT_BYTES - at)
  kept.copy(tail, at, 0, untilWrap)
  kept.copy(tail, 0, untilWrap)
  capture.tailBytes += piece.length
}

function orderedTail({ tailBytes }: Capture, tail: Buffer): Buffer {
  if (tailBytes <= KEPT_BYTES) return tail.subarray(0, tailBytes)
  const at = tailBytes % KEPT_BYTES
  return Buffer.concat([tail.subarray(at), tail.subarray(0, at)])
}

/** Where to end the head: after its last line, else before a character that is not whole. */
function headCut(head: Buffer): number {
  const lineEnd = head.lastIndexOf(0x0a) + 1
  if (lineEnd > head.length - LINE_SEARCH_BYTES) return lineEnd
  for (let back = 1; back <= 3; back++) {
    const byte = head[head.length - back] ?? 0
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    if (length > 1) return length > back ? head.length - back : head.length
  }
  return head.length
}

/** Where to begin the tail: at its first whole line, else at the first whole character. */
function tailCut(tail: Buffer): number {
  const lineEnd = tail.indexOf(0x0a) + 1
  if (lineEnd > 0 && lineEnd < LINE_SEARCH_BYTES) return lineEnd
  let at = 0
  while (at < 3 && ((tail[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}
