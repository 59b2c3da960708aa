// What a failing line of TAP says is wrong.
import type { Fault } from '../../../text/failures/test-run.js'
import { faultOf, isAssertionType, javascriptError, withCause } from './fault.js'
import type { Point } from './tap-point.js'

export function faultOfPoint({ details, comments }: Point, where: 'own' | 'inside'): Fault {
  if (details?.error === undefined && details?.stack === undefined) {
    const said = comments.map((text) => text.trim()).filter((text) => text !== '').join('\n')
    if (said === '' && where === 'inside') return SUBTEST_FAILED
    return faultOf('assertion', { type: '', message: said, stack: '' })
  }
  if (details.failureType === 'subtestsFailed') return SUBTEST_FAILED
  const error = javascriptError(details.error ?? details.stack ?? '')
  const type = details.name ?? error.type
  const isAssertion = isAssertionType(type) || details.code === 'ERR_ASSERTION'
  const text = { type, message: details.name === undefined ? error.message : (details.error ?? ''), stack: withCause(details.stack ?? '', details.cause ?? '') }
  if (details.failureType === 'testTimeoutFailure') return { kind: 'timeout', ...text }
  return faultOf(isAssertion ? 'assertion' : 'error', text)
}

/** Without a number, so that it is the same fault whether one or two of them fail. */
const SUBTEST_FAILED: Fault = { kind: 'assertion', type: '', message: 'a subtest failed', stack: '' }

const UNLOADABLE = /\[ERR_(?:MODULE|UNKNOWN|REQUIRE|PACKAGE|UNSUPPORTED)\w*\]|: Cannot find (?:module|package) /

/** Null for a file in which only tests failed, or nothing. What the file printed before it died tells more than its status. */
export function fileFault(point: Point, failed: 'in tests' | 'elsewhere'): Fault | null {
  if (point.ok || point.directive !== null) return null
  const { details } = point
  if (details?.failureType === 'subtestsFailed' || (details === null && failed === 'in tests')) return null
  if (details?.failureType === 'testTimeoutFailure') return { kind: 'timeout', type: '', message: details.error ?? '', stack: '' }
  const said = point.before.map((text) => text.replace(/^ /, ''))
  const at = said.findLastIndex((text) => /^(?:Uncaught )?[A-Z]\w*(?:Error|Exception)?(?: \[\w+\])?: /.test(text))
  const status = details?.signal === undefined ? `exit ${details?.exitCode ?? 'status unknown'}` : `ended by ${details.signal}`
  if (at < 0) return { kind: 'crash', type: '', message: `${details?.error ?? 'the file failed'} (${status})`, stack: said.join('\n') }
  const error = javascriptError(said.slice(at).join('\n'))
  const isUnloadable = error.type === 'SyntaxError' || UNLOADABLE.test(said[at] ?? '')
  return { kind: isUnloadable ? 'collection' : 'crash', ...error }
}
