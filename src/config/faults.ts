// Turns what the schema found wrong into one-line messages that name the key and what is allowed.
import { nearest } from '../text/nearest.js'
import { placeName, quote, shown } from './words.js'

/** The part of a schema issue that is read here. Every message says what was expected; for unknown keys it lists the known ones. */
export type Issue = {
  readonly code?: string | undefined
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly keys?: readonly string[]
  readonly errors?: readonly (readonly Issue[])[]
  readonly issues?: readonly Issue[]
}

export type LocatedFault = { path: readonly PropertyKey[]; text: string }

export function faultsOf(issues: readonly Issue[], value: unknown): LocatedFault[] {
  return faultsWithin([], issues, value)
}

function faultsWithin(around: readonly PropertyKey[], issues: readonly Issue[], value: unknown): LocatedFault[] {
  const misspelt = new Set(issues.filter((issue) => issue.code === 'unrecognized_keys').map((issue) => placeName(issue.path)))
  // A map with a misspelt key also lacks the key that was meant; one complaint is enough.
  const telling = issues.filter((issue) => issue.code !== 'custom' || !misspelt.has(placeName(issue.path)))
  return telling.flatMap((issue) => faultsOfIssue(issue, [...around, ...issue.path], value))
}

function faultsOfIssue(issue: Issue, path: readonly PropertyKey[], value: unknown): LocatedFault[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return (issue.keys ?? []).map((key) => ({ path: [...path, key], text: unknownKey(key, path, issue.message.split(' ')) }))
    case 'invalid_union': {
      const branch = issue.errors?.find((errors) => !errors.some(misses))
      if (!branch) return [mismatch(issue.message, path, value)]
      return faultsWithin(path, branch, value)
    }
    case 'invalid_key': {
      const expected = issue.issues?.[0]?.message ?? issue.message
      return [{ path, text: `${placeName(path.slice(0, -1))}: ${expected}, found ${quote(String(path.at(-1)))}` }]
    }
    case 'custom':
      return [{ path, text: subject(path) + issue.message }]
    default:
      return [mismatch(issue.message, path, value)]
  }
}

/** Whether an alternative is of another kind than the value, so that its complaints are beside the point. */
function misses(issue: Issue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return issue.errors?.every((errors) => errors.some(misses)) ?? true
  return issue.code === 'invalid_type'
}

function mismatch(expected: string, path: readonly PropertyKey[], value: unknown): LocatedFault {
  const found = path.reduce<unknown>((inside, step) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[step], value)
  const last = path.at(-1)
  if (found === undefined && last !== undefined) {
    const around = path.slice(0, -1)
    const lacks = typeof last === 'number' ? 'expected at least one entry, found an empty list' : `${quote(String(last))} is missing`
    return { path: around, text: subject(around) + lacks }
  }
  return { path, text: `${subject(path)}${expected}, found ${shown(found)}` }
}

function unknownKey(key: string, path: readonly PropertyKey[], known: readonly string[]): string {
  const place = path.length === 0 ? '' : ` in ${placeName(path)}`
  return `unknown key ${quote(key)}${place} (${suggestion(key, known)})`
}

/** What to write instead of a word that is not known. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === null ? `allowed: ${known.join(', ')}` : `did you mean ${quote(near)}?`
}

function subject(path: readonly PropertyKey[]): string {
  return path.length === 0 ? '' : `${placeName(path)}: `
}
