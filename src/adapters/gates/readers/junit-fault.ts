// What JUnit XML says of a failing test: each writer fills type, message and text in its own way.
import type { Fault } from '../../../text/failures/test-run.js'
import { faultOf, isAssertionType, javascriptError, lastName } from './fault.js'

export type JunitProblem = { element: 'failure' | 'error'; type: string; message: string; text: string }

/** Words of node:test that stand where a type should. */
const NODE_TYPE = /^(?:test(?:Code|Timeout)Failure|cancelledByParent|subtestsFailed|hookFailed|uncaughtException|unhandledRejection)$/
const CRASH_TYPE = /SurefireBooterForkException|^worker '.*' crashed/

export function junitFault(problem: JunitProblem, writer: 'pytest' | 'any'): Fault {
  if (writer === 'pytest') return pytestFault({ ...problem, message: uncoloured(problem.message), text: uncoloured(problem.text) })
  if (NODE_TYPE.test(problem.type)) return nodeFault(problem)
  const { element, type, text } = problem
  const said = problem.message === '' ? messageIn(text) : problem.message
  const name = type === '' ? javascriptError(said).type : type
  const message = name !== '' && said.startsWith(`${name}: `) ? said.slice(name.length + 2) : said
  if (CRASH_TYPE.test(type)) return faultOf('crash', { type, message, stack: text })
  if (lastName(type) === 'TestTimedOutException') return { kind: 'timeout', type, message, stack: text }
  // Some writers say `failure` of whatever a test throws.
  const isThrown = element === 'error' || (/(?:Error|Exception)$/.test(name) && !isAssertionType(name))
  return faultOf(isThrown ? 'error' : 'assertion', { type: name, message, stack: text })
}

/** The text begins with what is wrong, and the stack follows: `at …` in Java, .NET and JavaScript, a path with a line in PHP and Ruby. */
function messageIn(text: string): string {
  // PHPUnit begins with the name of the test.
  const lines = text.trim().replace(/^[\w\\]+::\w+.*\n/, '').split('\n')
  const stack = lines.findIndex((line) => /^\s*at \S|^\S+\.\w+:\d+\b/.test(line))
  return lines.slice(0, stack < 0 ? 20 : stack).join('\n')
}

function nodeFault({ type, message, text }: JunitProblem): Fault {
  const cause = /^ *cause: ([^]*)/m.exec(text)?.[1] ?? ''
  const error = javascriptError(cause)
  const stack = cause === '' ? text : cause
  if (type === 'testTimeoutFailure') return { kind: 'timeout', type: '', message, stack: '' }
  // A whole file that fails is a process that ended badly.
  if (/\bexitCode: (?!0)\d+, signal: /.test(text)) return faultOf('crash', { type: '', message, stack: text })
  return faultOf(isAssertionType(error.type) ? 'assertion' : 'error', { type: error.type, message, stack })
}

/** XML has no place for the escape that begins a terminal code; pytest writes its number instead. */
function uncoloured(text: string): string {
  return text.includes('#x1B[') ? text.replace(/#x1B\[[0-9;]*[A-Za-z]/g, '') : text
}

/**
 * pytest has no type: the last line of the text names it (`tests/test_a.py:13: AssertionError`), or the message begins with it.
 */
function pytestFault({ element, message, text }: JunitProblem): Fault {
  if (message === 'collection failure') return collectionFault(text)
  const placed = /^\S+:\d+: ([A-Za-z_][\w.]*)$/.exec(lastLine(text))?.[1]
  const inner = /^failed on (?:setup|teardown) with "([^]*)"$/.exec(message)?.[1] ?? message
  const named = /^([A-Za-z_][\w.]*(?:Error|Exception|Failed|Exit|Interrupt|Warning)\b)(?:: |$)/m.exec(inner)
  const type = lastName(placed ?? named?.[1] ?? '')
  if (CRASH_TYPE.test(inner)) return faultOf('crash', { type, message: inner, stack: text })
  const isAssertion = element === 'failure' && (type === '' || isAssertionType(type))
  const plain = type !== '' && inner.startsWith(`${type}: `) ? inner.slice(type.length + 2) : inner
  return faultOf(isAssertion ? 'assertion' : 'error', { type, message: plain, stack: text })
}

function collectionFault(text: string): Fault {
  const raised = [...text.matchAll(/^E +([A-Za-z_][\w.]*(?:Error|Exception)\b)(?:: (.*))?$/gm)].at(-1)
  return { kind: 'collection', type: lastName(raised?.[1] ?? ''), message: raised?.[2] ?? text.split('\n', 1)[0] ?? '', stack: text }
}

function lastLine(text: string): string {
  const trimmed = text.trimEnd()
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1)
}
