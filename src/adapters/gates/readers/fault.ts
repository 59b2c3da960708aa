// Makes a fault of what runners print: which kind it is, its type, its message and its stack.
import type { Fault } from '../../../text/failures/test-run.js'

/** Only the words of runners themselves: a time-out inside the program under test is an error like any other. */
const RUNNER_TIMEOUT = new RegExp(
  [
    '^(?:Error: )?(?:test|hook|suite) timed out (?:after|in) \\d', // node:test, vitest
    '^(?:thrown: ")?Exceeded timeout of [\\d,]+ ?ms for a (?:test|hook)', // jest
    '^Timeout of [\\d.]+m?s exceeded\\. For async tests and hooks', // mocha
    '^(?:Failed: )?Timeout (?:\\(?>|>)', // pytest-timeout
    '^test timed out after ', // go
    '\\btimed out after \\d+ (?:nano|micro|milli)?seconds$', // JUnit
  ].join('|'),
  'i',
)
const ASSERTION_TYPE = /assert|expect|comparison|multiplefailures/i

type FaultText = { type: string; message: string; stack: string }

export function faultOf(kind: Fault['kind'], text: FaultText): Fault {
  const isTimeout = RUNNER_TIMEOUT.test(text.message.trimStart().split('\n', 1)[0] ?? '')
  return { kind: isTimeout && kind !== 'crash' ? 'timeout' : kind, ...text }
}

export function isAssertionType(type: string): boolean {
  return ASSERTION_TYPE.test(type)
}

/** A stack with what the error comes from, where the runner tells that apart from it. */
export function withCause(stack: string, cause: string): string {
  return cause === '' || stack.includes('[cause]: ') ? stack : `${stack}\n  [cause]: ${cause}`
}

/** What vitest and jest say of a file without tests. */
export function isEmptyFile(message: string): boolean {
  return /^(?:No test suite found in file|Your test suite must contain at least one test)/.test(message)
}

/** What JavaScript prints of an error: its name, its message of any length, then indented lines that begin with `at`. */
export function javascriptError(text: string): FaultText {
  const at = /(?:^|\n)\s+at (?:async |new )?\S/.exec(text)?.index ?? text.length
  const head = text.slice(0, at).trim()
  const named = /^(?:Uncaught )?((?:[\w$]+\.)*[A-Z_$][\w$]*)(?: \[[\w-]+\])?(?:: |\n|$)/.exec(head)
  const type = named?.[1] ?? ''
  const isName = type !== '' && (/(?:Error|Exception|Failure)$/.test(type) || text.length > at)
  return isName ? { type, message: head.slice(named?.[0].length), stack: text } : { type: '', message: head, stack: text }
}

/** What Python prints of an error: after the last frame the first line that is not indented names the type. */
export function pythonError(text: string): FaultText {
  const frames = Math.max(text.lastIndexOf('\n  File "'), text.startsWith('  File "') ? 0 : -1)
  const from = frames < 0 ? 0 : frames + 1
  const named = /^([A-Za-z_][\w.]*)(?::(?: |\n|$)|$)/m.exec(text.slice(from))
  if (named === null) return { type: '', message: text, stack: text }
  const message = text.slice(from + named.index + named[0].length).split(/\n(?:Stdout|Stderr):\n/, 1)[0] ?? ''
  return { type: lastName(named[1] ?? ''), message, stack: text }
}

/** Modules move; the name of the type is what stays. */
export function lastName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1)
}
