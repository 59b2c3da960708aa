// What is known of a blob, kept from survey to survey: one line each with its own checksum, so that damage costs only a second look.
import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, replaceFile, writeAll } from '../../files/durable.js'
import type { FileContent } from '../../text/survey/survey.js'
import { packed, unpacked, type Packed } from './packed.js'

/** Raise it when outlines come out differently or are written in another way; lines of other versions count for nothing. */
const VERSION = 2
const MOST_BYTES = 1024 * 1024 * 1024
/** Lines that the last survey did not use may take up as much room as those it used, and this much more. */
const SPARE_BYTES = 4 * 1024 * 1024

const SUM_CHARS = 8
const LONGEST_HEAD = 120
const SPACE = 0x20
const FIRST_OF_KEY = `${VERSION} `.length
const MARK = ` ${VERSION} `

export type SurveyCache = {
  get(key: string): FileContent | undefined
  /** Returns the value as a later survey will read it. */
  put(key: string, content: FileContent): FileContent
  /** Whether the new lines could be kept. */
  save(): boolean
}

type Store = { folder: string; path: string; bytes: Buffer; isSound: boolean; found: Map<string, Buffer>; added: Buffer[] }

/** Only lines whose key is wanted are looked into. */
export function openCache(folder: string, wanted: ReadonlySet<string>): SurveyCache {
  const path = join(folder, 'survey.cache')
  const bytes = readAll(path)
  const found = findLines(bytes ?? Buffer.alloc(0), wanted)
  const store: Store = { folder, path, bytes: bytes ?? Buffer.alloc(0), isSound: bytes !== null, found, added: [] }
  return {
    get: (key) => get(store, key),
    put: (key, content) => {
      const json = JSON.stringify(packed(content))
      store.added.push(encode(key, json))
      return unpacked(JSON.parse(json) as Packed)
    },
    save: () => save(store),
  }
}

/** Null for what is not a file of ours or has grown out of all bounds: it is made anew. */
function readAll(path: string): Buffer | null {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (!entry) return Buffer.alloc(0)
    return entry.isFile() && entry.size <= MOST_BYTES ? readFileSync(path) : null
  } catch {
    return null
  }
}

function findLines(bytes: Buffer, wanted: ReadonlySet<string>): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline < 0 ? bytes.length : newline
    const key = keyIn(bytes.toString('latin1', start, Math.min(end, start + LONGEST_HEAD)))
    if (newline >= 0 && wanted.has(key)) found.set(key, bytes.subarray(start, end + 1))
    start = end + 1
  }
  return found
}

/** Of the beginning of a line; empty for one of another version. Whether the line is sound is told by its sum. */
function keyIn(head: string): string {
  const from = SUM_CHARS + MARK.length
  return head.startsWith(MARK, SUM_CHARS) ? head.slice(from, Math.max(from, head.indexOf(' ', from))) : ''
}

/** `sum version key json`; the sum is that of everything after it. */
function encode(key: string, json: string): Buffer {
  const body = Buffer.from(`${VERSION} ${key} ${json}`)
  return Buffer.concat([Buffer.from(`${sumOf(body)} `), body, Buffer.from('\n')])
}

function sumOf(body: Buffer): string {
  return crc32(body).toString(16).padStart(8, '0')
}

function get(store: Store, key: string): FileContent | undefined {
  const line = store.found.get(key)
  const content = line && decode(line)
  if (!content) store.found.delete(key)
  return content
}

function decode(line: Buffer): FileContent | undefined {
  const body = line.subarray(SUM_CHARS + 1, -1)
  if (line.toString('latin1', 0, SUM_CHARS) !== sumOf(body)) return undefined
  return unpacked(JSON.parse(body.toString('utf8', body.indexOf(SPACE, FIRST_OF_KEY) + 1)) as Packed)
}

/** A cache that cannot be kept costs time at the next survey and nothing else, so it fails without a word of its own. */
function save(store: Store): boolean {
  try {
    const used = [...store.found.values(), ...store.added]
    const usedBytes = sizeOf(used)
    const isBloated = store.bytes.length + sizeOf(store.added) > 2 * usedBytes + SPARE_BYTES
    if (isBloated || !store.isSound) replaceFile(store.path, Buffer.concat(used))
    else if (store.added.length > 0) append(store)
    return true
  } catch {
    return false
  }
}

/** Begins with a line break, so that a line cut off by a crash damages none but itself. */
function append({ folder, path, added }: Store): void {
  makeFolder(folder)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0)
  const fd = openSync(path, flags, 0o600)
  try {
    writeAll(fd, Buffer.concat([Buffer.from('\n'), ...added]))
  } finally {
    closeSync(fd)
  }
}

function sizeOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0)
}
