// How much of failures a record may carry, and how many things a line for people names; the whole output stands in files of its own.
import type { Failure } from '../core/types.js'
import { cut } from '../text/failures/recorded.js'

export const MOST_FAILURES = 100
const MOST_NAMED = 5

export function bounded(failure: Failure): Failure {
  return { ...failure, subject: cut(failure.subject), message: cut(failure.message) }
}

/** `more`: how many there are besides those that are given. */
export function named(all: readonly string[], more = 0): string {
  const rest = more + Math.max(0, all.length - MOST_NAMED)
  return `${all.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
