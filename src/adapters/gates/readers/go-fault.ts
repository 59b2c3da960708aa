// What the output of a failing Go test, or of a package, says is wrong.
import type { Fault } from '../../../text/failures/test-run.js'
import { faultOf } from './fault.js'

const RESULT = /^\s*--- (?:PASS|FAIL|SKIP): /
const PLACED = /^\s+[^\s:]+\.go:\d+: /
const PANIC = /^(?:panic|fatal error): (.*)$/

export function goFault(output: readonly string[], where: 'own' | 'inside'): Fault {
  const lines = output.filter((line) => !RESULT.test(line))
  const stack = lines.join('\n')
  const panic = lines.findIndex((line) => PANIC.test(line))
  if (panic >= 0) return panicFault(lines.slice(panic))
  if (lines.some((line) => line.startsWith('WARNING: DATA RACE'))) {
    return { kind: 'error', type: 'DATA RACE', message: 'race detected', stack }
  }
  if (where === 'inside' && !lines.some((line) => PLACED.test(line))) {
    return { kind: 'assertion', type: '', message: 'a subtest failed', stack }
  }
  const first = lines.findIndex((line) => PLACED.test(line))
  const told = lines.slice(Math.max(first, 0)).map((line) => line.replace(PLACED, '').replace(/^ {4,8}/, ''))
  return { kind: 'assertion', type: '', message: told.join('\n').trim(), stack }
}

/** `[recovered]` is said when the test's own frame saw the panic pass; the panic is the same. */
function panicFault(lines: readonly string[]): Fault {
  const [, said = ''] = PANIC.exec(lines[0] ?? '') ?? []
  const end = lines.findIndex((line, at) => at > 0 && (line === '' || line.startsWith('goroutine ') || line.startsWith('\tpanic: ')))
  const rest = lines.slice(1, end < 0 ? 10 : end)
  const message = [said.replace(/ \[recovered(?:, repanicked)?\]$/, ''), ...rest].join('\n')
  return message.startsWith('test timed out after ')
    ? { kind: 'timeout', type: 'panic', message: message.split('\n', 1)[0] ?? '', stack: lines.join('\n') }
    : faultOf('crash', { type: lines[0]?.startsWith('fatal') ? 'fatal error' : 'panic', message, stack: lines.join('\n') })
}
