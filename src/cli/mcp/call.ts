// Does what a tool asks for by our own command line, and gives its answer back as one.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { runOurselves } from '../../process/ourselves.js'
import { withNext } from './next.js'
import type { Line } from './tools.js'

/** What every line is given besides its own words. */
export type Ground = { cwd: string; flags: readonly string[] }

const SECONDS = 60
const OUTPUT_BYTES = 8_000_000
/** More than this is cut: whoever asks has to read it. */
const LONGEST_TEXT = 200_000

export async function callTool(line: Line, { cwd, flags }: Ground, signal: AbortSignal): Promise<CallToolResult> {
  const { argv: [command = '', ...rest], stdin = '', seconds = SECONDS, form } = line
  const args = [command, ...(form === 'text' ? [] : ['--json']), '--no-input', ...flags, ...rest]
  const told = await runOurselves({ args, cwd, stdin, signal, timeoutSeconds: seconds, outputBytes: OUTPUT_BYTES })
  // A session that is still running when the wait is over is no failure: where it stands is the answer.
  if (told.ending === 'timeout' && rest.includes('--wait')) {
    return callTool({ argv: line.argv.filter((word) => word !== '--wait') }, { cwd, flags }, signal)
  }
  const text = told.stdout.trim()
  if (told.ending === 'exited' && text !== '') return answered(isRefusal(text) ? text : withNext(command, text), isRefusal(text))
  // Without data the exit code decides: a session that changed nothing has an empty patch, and what is said of that is the answer.
  if (told.ending === 'exited' && told.code === 0) return answered(told.stderr.trim(), false)
  return answered(`greenlatch ${command}: ${told.stderr.trim() || told.ending}`, true)
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
