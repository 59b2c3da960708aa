// What a command left as output: joined into one log, and read for the lines that say what is wrong.
import { createReadStream, createWriteStream, existsSync, realpathSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ProcessResult } from '../../process/types.js'
import { failingLines, type FailingLine } from '../../text/failures/failing-lines.js'
import { sanitise } from '../../text/sanitise.js'

const PIECE_BYTES = 1024 * 1024
const MOST_FAILURES = 500
const MOST_REMARKS = 50

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

/** Output as it was kept: short ones whole in memory, all of them in the log. */
export type Output = { result: ProcessResult; log: string; cwd: string }

export async function failingLinesOf(output: Output): Promise<FailingLine[]> {
  const found = new Map<string, FailingLine>()
  await eachPiece(output, (text) => {
    if (found.size >= MOST_FAILURES) return
    for (const line of failingLines(withoutFolder(text, output.cwd))) if (!found.has(line.subject)) found.set(line.subject, line)
  })
  return [...found.values()].slice(0, MOST_FAILURES)
}

/** What runners and `console.assert` only print: a run without tests, and assertions that failed without failing anything. */
export type Remarks = { assertions: string[]; withoutTests: number }

const ASSERTION = /^[ \t]*(?:# )?(Assertion failed(?:: .*)?)$|^[ \t]*console\.assert\n[ \t]*(\S.*)$/gm
/** Looked for first, because output is long and seldom has them. */
const WORDS = ['Assertion failed', 'console.assert', 'No test']
const WITHOUT_TESTS = /^(?:Error: )?No test(?:s| files) found\b/gm

export async function remarksOf(output: Output): Promise<Remarks> {
  const assertions = new Set<string>()
  let withoutTests = 0
  await eachPiece(output, (piece) => {
    if (!WORDS.some((word) => piece.includes(word))) return
    const text = sanitise(piece)
    for (const [, plain, titled] of text.matchAll(ASSERTION)) if (assertions.size < MOST_REMARKS) assertions.add(plain ?? titled ?? '')
    withoutTests += [...text.matchAll(WITHOUT_TESTS)].length
  })
  return { assertions: [...assertions], withoutTests }
}

/**
 * From memory when that holds everything. Otherwise from the log: what memory leaves out lies at another place in every run,
 * and the same faults would not come out as the same set.
 */
async function eachPiece({ result: { stdout, stderr }, log }: Output, visit: (text: string) => void): Promise<void> {
  const whole = `${stdout.text}\n${stderr.text}`
  if (!stdout.cut && !stderr.cut) return visit(whole)
  try {
    await eachPieceOfFile(log, visit)
  } catch {
    visit(whole)
  }
}

async function eachPieceOfFile(log: string, visit: (text: string) => void): Promise<void> {
  let rest = ''
  const pieces = createReadStream(log, { encoding: 'utf8', highWaterMark: PIECE_BYTES }) as AsyncIterable<string>
  for await (const piece of pieces) {
    const text = rest + piece
    const end = text.lastIndexOf('\n') + 1
    visit(text.slice(0, end))
    // A single line longer than a piece is no message for people.
    rest = text.length - end > PIECE_BYTES ? '' : text.slice(end)
  }
  visit(rest)
}

/** The workspace lies at another place in every session; its files do not. The longer name first, since it may end in the other. */
function withoutFolder(text: string, cwd: string): string {
  const folders = [cwd, realPathOf(cwd)].filter((folder) => folder.length > 1).toSorted((one, other) => other.length - one.length)
  return folders.reduce((shorter, folder) => shorter.replaceAll(`${folder}/`, ''), text)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
