// Reads the report a test runner left in a file, however large it is.
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import type { ReportFormat, TestRun } from '../../../text/failures/test-run.js'
import { cargoReader } from './cargo.js'
import type { Reader } from './collect.js'
import { LONGEST_DOCUMENT_BYTES, TOO_LARGE } from './document.js'
import { goReader } from './go.js'
import { jestReader } from './jest.js'
import { junitReader } from './junit.js'
import { mochaReader } from './mocha.js'
import { createNames, type Names } from './names.js'
import { plainReader } from './plain.js'
import { sarifReader } from './sarif.js'
import { tapReader } from './tap.js'
import { unittestReader } from './unittest.js'

export type ReadOptions = {
  path: string
  format: ReportFormat
  /** Absolute folders that are taken off file names and texts: the checkout and its real path. */
  roots: readonly string[]
  /** The folder of the package in the checkout, for reports that name files relative to it. */
  prefix?: string
}

/** No suite writes that much; a test can, with holes that take no room. */
const LONGEST_REPORT_BYTES = 4 * 1024 ** 3
/** Texts of more than 128 KB are kept apart from others and freed later, and most that is not ASCII takes two bytes for a character. */
const PIECE_BYTES = 60 * 1024
/** Each call to read costs as much as many pieces. */
const CHUNK_BYTES = 8 * PIECE_BYTES

/** Never throws for a report that is missing, unreadable or wrong: that is a run that is not complete. */
export async function readReport(options: ReadOptions): Promise<TestRun> {
  try {
    return await readFile(options)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    if (code === 'ENOENT') return unread('no report was written')
    return unread(code === 'ELOOP' ? 'the report is a link' : `the report cannot be read (${code})`)
  }
}

async function readFile(options: ReadOptions): Promise<TestRun> {
  // A test may have put anything there: a pipe would never end, a link leads elsewhere.
  const file = await open(options.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size, isPlain } = await shapeOf(file)
    if (!isPlain) return unread('the report is no plain file')
    if (size > LONGEST_REPORT_BYTES) return unread('the report is larger than 4 GB')
    if (isDocument(options.format) && size > LONGEST_DOCUMENT_BYTES) return unread(TOO_LARGE)
    return await readStream(file, size, readerFor(options.format, createNames(options)))
  } finally {
    await file.close()
  }
}

async function shapeOf(file: FileHandle): Promise<{ size: number; isPlain: boolean }> {
  const stats = await file.stat()
  return { size: stats.size, isPlain: stats.isFile() }
}

/** Up to the size it has now: a file that is still being written would never end. Bytes that are no UTF-8 become U+FFFD. */
async function readStream(file: FileHandle, size: number, reader: Reader): Promise<TestRun> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size))
  const decoder = new StringDecoder('utf8')
  for (let left = size; left > 0; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left), null)
    if (bytesRead === 0) break
    left -= bytesRead
    for (let at = 0; at < bytesRead; at += PIECE_BYTES) reader.push(decoder.write(buffer.subarray(at, Math.min(at + PIECE_BYTES, bytesRead))))
  }
  reader.push(decoder.end())
  return reader.end()
}

function isDocument(format: ReportFormat): boolean {
  return format === 'jest' || format === 'mocha' || format === 'sarif'
}

export function readerFor(format: ReportFormat, names: Names): Reader {
  switch (format) {
    case 'junit':
      return junitReader(names)
    case 'tap':
      return tapReader(names)
    case 'jest':
      return jestReader(names)
    case 'mocha':
      return mochaReader(names)
    case 'go':
      return goReader(names)
    case 'cargo':
      return cargoReader(names)
    case 'unittest':
      return unittestReader(names)
    case 'sarif':
      return sarifReader(names)
    case 'lines':
      return plainReader(names)
  }
}

function unread(note: string): TestRun {
  return { cases: [], more: 0, troubles: [], complete: false, note }
}
