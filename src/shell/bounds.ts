// How much of failures a record may carry; the whole output stands in files of its own.
import type { Failure } from '../core/types.js'

export const MOST_FAILURES = 100
const MOST_CHARS = 240

export function bounded(failure: Failure): Failure {
  return { ...failure, subject: cut(failure.subject), message: cut(failure.message) }
}

export function cut(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS - 1)}…` : text
}
