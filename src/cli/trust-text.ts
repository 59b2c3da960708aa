// What a repository's files would run, as lines for people.
import { changedParts, type Executable, type Parts } from '../config/executable.js'
import { sanitise } from '../text/sanitise.js'

const MARKS = { new: '+ ', gone: '- ', changed: '~ ', same: '  ' } as const

/** One line for each part, marked where it is other than when it was trusted last. */
export function partLines({ shown: parts }: Executable, before: Parts | null): string[] {
  const changes = new Map(before === null ? [] : changedParts(before, parts).map(({ key, how }) => [key, how]))
  const keys = [...new Set([...Object.keys(parts), ...Object.keys(before ?? {})])]
  const width = Math.min(40, Math.max(...keys.map((key) => key.length)))
  return keys.map((key) => {
    const how = changes.get(key) ?? 'same'
    const mark = before === null ? '' : MARKS[how]
    const was = how === 'changed' ? `   (was ${shown(before?.[key])})` : ''
    return oneLine(`${mark}${key.padEnd(width)}  ${shown(how === 'gone' ? before?.[key] : parts[key])}${was}`)
  })
}

/** A single command as it would be typed, anything else as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return entries.length === 1 && typeof entries[0]?.[1] === 'string' ? `${entries[0][0]}: ${entries[0][1]}` : JSON.stringify(value)
}

function oneLine(text: string): string {
  return sanitise(text).replaceAll('\n', '⏎')
}
