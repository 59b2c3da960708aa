// What a failing test of Cargo printed, as a fault.
import type { Fault } from '../../../text/failures/test-run.js'
import { faultOf } from './fault.js'

const PANICKED = /^thread '(.*)' (?:\(\d+\) )?panicked at (.+)$/
const STACK = /^(?:stack backtrace:|note: (?:run with|Some details are omitted))/

export function cargoFault(test: string, output: readonly string[]): Fault {
  const panics = output.flatMap((line, at) => (PANICKED.test(line) ? [at] : []))
  const own = panics.findLast((at) => PANICKED.exec(output[at] ?? '')?.[1] === test) ?? panics.at(-1)
  if (own !== undefined) return panicFault(output.slice(own))
  const stack = output.join('\n').trim()
  const returned = output.findIndex((line) => line.startsWith('Error: '))
  if (returned >= 0) {
    return { kind: 'error', type: 'Error', message: output.slice(returned).join('\n').slice('Error: '.length).trim(), stack }
  }
  const note = output.find((line) => /^note: (?:test did not panic|panic did not contain)/.test(line))
  if (note !== undefined) return { kind: 'assertion', type: '', message: note.slice('note: '.length), stack }
  const isUncompiled = output.some((line) => line.startsWith("Couldn't compile the test"))
  return { kind: isUncompiled ? 'collection' : 'error', type: '', message: stack, stack }
}

/** Before Rust 1.73 the message stood in quotes before the place, since then below it. */
function panicFault(lines: readonly string[]): Fault {
  const [, , where = ''] = PANICKED.exec(lines[0] ?? '') ?? []
  const old = /^'([^]*)', (\S+:\d+:\d+)$/.exec(where)
  const end = lines.findIndex((line, at) => at > 0 && (STACK.test(line) || PANICKED.test(line)))
  const below = lines.slice(1, end < 0 ? lines.length : end)
  const message = old === null ? below.join('\n').trimEnd() : (old[1] ?? '')
  const kind = /^assertion\b/.test(message) ? 'assertion' : 'error'
  return faultOf(kind, { type: 'panic', message, stack: lines.join('\n').trim() })
}
