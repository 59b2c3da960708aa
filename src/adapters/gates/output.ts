// What a command left as output: joined into one log, and read for the lines that say what is wrong.
import { createReadStream, createWriteStream, existsSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ProcessResult } from '../../process/types.js'
import { failingLines, type FailingLine } from '../../text/failing-lines.js'

const PIECE_BYTES = 1024 * 1024
const MOST_FAILURES = 500

/** Standard output, then standard error, raw. Returns what went wrong with that, for people. */
export async function joinStreams(log: string, stderrLog: string): Promise<string | null> {
  if (!existsSync(stderrLog)) return null
  try {
    if (existsSync(log)) {
      await pipeline(createReadStream(stderrLog), createWriteStream(log, { flags: 'a' }))
      await rm(stderrLog)
    } else await rename(stderrLog, log)
    return null
  } catch (error) {
    return `its output is in two files (${(error as NodeJS.ErrnoException).code ?? String(error)})`
  }
}

/**
 * From memory when that holds everything. Otherwise from the log: what memory leaves out lies at another place in every run,
 * and the same faults would not come out as the same set.
 */
export async function failingLinesOf({ stdout, stderr }: ProcessResult, log: string, cwd: string): Promise<FailingLine[]> {
  const inMemory = () => failingLines(withoutFolder(`${stdout.text}\n${stderr.text}`, cwd))
  if (!stdout.cut && !stderr.cut) return inMemory()
  try {
    return await failingLinesInFile(log, cwd)
  } catch {
    return inMemory()
  }
}

async function failingLinesInFile(log: string, cwd: string): Promise<FailingLine[]> {
  const found = new Map<string, FailingLine>()
  let rest = ''
  const pieces = createReadStream(log, { encoding: 'utf8', highWaterMark: PIECE_BYTES }) as AsyncIterable<string>
  for await (const piece of pieces) {
    const text = rest + piece
    const end = text.lastIndexOf('\n') + 1
    collect(found, text.slice(0, end), cwd)
    // A single line longer than a piece is no message for people.
    rest = text.length - end > PIECE_BYTES ? '' : text.slice(end)
  }
  collect(found, rest, cwd)
  return [...found.values()].slice(0, MOST_FAILURES)
}

function collect(found: Map<string, FailingLine>, text: string, cwd: string): void {
  if (found.size >= MOST_FAILURES) return
  for (const line of failingLines(withoutFolder(text, cwd))) if (!found.has(line.subject)) found.set(line.subject, line)
}

/** The workspace lies at another place in every session; its files do not. */
function withoutFolder(text: string, cwd: string): string {
  const folders = [cwd, realPathOf(cwd)].filter((folder) => folder.length > 1)
  return folders.reduce((shorter, folder) => shorter.replaceAll(`${folder}/`, ''), text)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
