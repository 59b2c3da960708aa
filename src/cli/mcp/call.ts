// Does what a tool asks for by our own command line, and gives its answer back as one.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { runOurselves, type OwnResult } from '../../process/ourselves.js'
import { refusalText } from '../output.js'
import { sessionIn, withNext } from './next.js'
import type { Line } from './tools.js'

/** What every line is given besides its own words. */
export type Ground = { cwd: string; flags: readonly string[] }

const SECONDS = 60
const OUTPUT_BYTES = 8_000_000
/** More than this is cut: whoever asks has to read it. */
const LONGEST_TEXT = 200_000

export async function callTool(line: Line, ground: Ground, signal: AbortSignal): Promise<CallToolResult> {
  if (!statSync(ground.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return refused(new Refusal(EXIT.usage, `there is no folder ${ground.cwd} any more`, 'greenlatch mcp -C <folder>'))
  }
  if (line.task === undefined) return answerOf(line, ground, signal)
  const { task, ...others } = line
  const file = taskFile(task)
  const answer = await answerOf({ ...others, argv: [...line.argv.slice(0, 1), `--task=${file}`, ...line.argv.slice(1)] }, ground, signal)
  // The next command that a refusal names reads it once more.
  if (answer.isError !== true) rmSync(dirname(file), { recursive: true, force: true })
  return answer
}

/** A refusal as it is told everywhere: error, code, next. */
export function refused(thrown: unknown): CallToolResult {
  return answered(refusalText(thrown), true)
}

/** One word of a command line holds 128 KiB, and a task that is a single word may be the name of a procedure. */
function taskFile(task: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'greenlatch-task-')), 'task.md')
  writeFileSync(file, task, { mode: 0o600 })
  return file
}

async function answerOf(line: Line, ground: Ground, signal: AbortSignal): Promise<CallToolResult> {
  const { argv, form, seconds = SECONDS } = line
  const [command = ''] = argv
  const told = await tell(line, ground, signal)
  // A session that is still running when the wait is over is no failure: where it stands is the answer.
  if (told.ending === 'timeout' && argv.includes('--wait')) return answerOf({ argv: argv.filter((word) => word !== '--wait') }, ground, signal)
  const text = told.stdout.trim()
  if (told.ending === 'exited' && told.code === 0 && form === 'text') return answered(text || told.stderr.trim(), false)
  // What is text for people when it is refused is asked for again in JSON, which has the code and the next command.
  if (told.ending === 'exited' && form === 'text') return answerOf({ argv }, ground, signal)
  if (told.ending === 'exited' && text !== '') return answered(isRefusal(text) ? text : withNext(command, text), isRefusal(text))
  return refused(new Refusal(EXIT.failed, `greenlatch ${command} gave no answer: ${whyNot(told, seconds)}`, 'greenlatch doctor'))
}

/** What opens a session is not broken off half-way: it is brought to its end, and then taken back by the session's name. */
async function tell(line: Line, { cwd, flags }: Ground, signal: AbortSignal): Promise<OwnResult> {
  const { argv: [command = '', ...rest], stdin = '', seconds = SECONDS, form, takenBackBy } = line
  const args = [command, ...(form === 'text' ? [] : ['--json']), '--no-input', ...flags, ...rest]
  const request = { args, cwd, stdin, timeoutSeconds: seconds, outputBytes: OUTPUT_BYTES }
  if (takenBackBy === undefined) return runOurselves({ ...request, signal })
  const { signal: never } = new AbortController()
  const told = await runOurselves({ ...request, signal: never })
  const session = sessionIn(told.stdout)
  if (signal.aborted && session !== null) await tell({ argv: takenBackBy(session) }, { cwd, flags }, never)
  return told
}

function whyNot({ ending, stderr }: OwnResult, seconds: number): string {
  if (ending === 'timeout') return `it took longer than ${seconds} s`
  if (ending === 'too much') return `it has more than ${OUTPUT_BYTES} bytes`
  return stderr.trim() || ending
}

function answered(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text: shortened(text) }], ...(isError && { isError }) }
}

/** A refusal is one object with an error, a code and the next command; an outcome, also a bad one, is not. */
function isRefusal(text: string): boolean {
  return text.startsWith('{"error":')
}

function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}\n… cut here: ${text.length} characters in all`
}
