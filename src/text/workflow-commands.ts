// Annotations of a build at GitHub: what failed, as the commands its log reader obeys, with text of others that can be no command.
import type { Failure } from '../core/types.js'
import { sanitise } from './sanitise.js'

export type Annotation = { level: 'error' | 'warning' | 'notice'; title: string; text: string; file?: string; line?: number }

const MOST_ANNOTATIONS = 10
const MOST_CHARS = 1000

export function commandOf({ level, title, text, file, line }: Annotation): string {
  const properties = Object.entries({ file, line, title }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${property(String(value))}`]))
  return `::${level} ${properties.join(',')}::${data(text.slice(0, MOST_CHARS))}`
}

/** From here on the log reader obeys nothing, until it reads the other of the two; only who knows the word can write that. */
export function silenced(word: string): { begin: string; end: string } {
  return { begin: `::stop-commands::${word}`, end: `::${word}::` }
}

/** The outcome first, then what fails, as many as are shown at all. `isFile` says whether a path is a file of the repository. */
export function annotationsOf(outcome: Annotation, failing: readonly Failure[], isFile: (path: string) => boolean): Annotation[] {
  const room = MOST_ANNOTATIONS - 1
  const shown = failing.slice(0, failing.length > room ? room - 1 : room)
  const more = failing.length - shown.length
  const rest: Annotation[] = more > 0 ? [{ level: 'error', title: 'Greenlatch', text: `and ${more} more that fail: see the summary` }] : []
  return [outcome, ...shown.map((failure) => annotationOf(failure, isFile)), ...rest]
}

function annotationOf({ subject, message, finding }: Failure, isFile: (path: string) => boolean): Annotation {
  const file = finding?.path ?? subject.split('::')[0] ?? ''
  return {
    level: 'error',
    title: subject.slice(0, 200),
    text: message === '' ? subject : message,
    ...(isFile(file) && { file, ...(finding?.line !== undefined && { line: finding.line }) }),
  }
}

function data(text: string): string {
  return sanitise(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
