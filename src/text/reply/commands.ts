// How the commands of a reply went, in words: for the next prompt, and for people.
import type { Ran } from '../../ports.js'
import { headOf, tailOf } from '../prompt/delimited.js'
import { lineOf } from './values.js'
import { sanitise } from '../sanitise.js'

const LONGEST_LINE_CHARS = 300
/** The end of an output usually says why; of all outputs together no more than a prompt can bear. */
const MOST_OUTPUT_CHARS = 3000
const MOST_CHARS_IN_ALL = 12_000

const WORDS: Record<Ran['ending'], string> = {
  passed: 'passed', failed: 'failed', timeout: 'timed out', blocked: 'not run', 'left out': 'not run',
}

export function ranText(ran: readonly Ran[]): string {
  let left = MOST_CHARS_IN_ALL
  return ran.map(({ line, ending, note, output }, at) => {
    const shown = shownOutput(output, Math.min(left, MOST_OUTPUT_CHARS))
    left -= shown.length
    return `${at + 1}. ${lineOf(line, LONGEST_LINE_CHARS)}\n   ${WORDS[ending]}: ${lineOf(note, LONGEST_LINE_CHARS)}\n${shown === '' ? '' : `\n${shown}\n`}`
  }).join('\n')
}

function shownOutput(output: string, most: number): string {
  const text = sanitise(output).trim()
  if (text === '' || most < 200) return ''
  const shown = text.length <= most ? text : `${headOf(text, Math.floor(most / 4))}\n…\n${tailOf(text, Math.floor((most * 3) / 4))}`
  return shown.split('\n').map((line) => `   ${line}`.trimEnd()).join('\n')
}

/** Nobody has to hear of a command that went well. */
export function noticeOf({ line, ending, note }: Ran): string[] {
  return ending === 'passed' ? [] : [`command ${WORDS[ending]}: ${lineOf(line, LONGEST_LINE_CHARS)} (${lineOf(note, LONGEST_LINE_CHARS)})`]
}
