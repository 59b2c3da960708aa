// Where two plain JSON values first differ.

/** `path` as people write it, e.g. `stall.level`; an entry that is missing is null. */
export type Difference = { path: string; recorded: unknown; now: unknown }

/** Null when they are the same. Keys that are missing and keys that are undefined count as one. */
export function differenceOf(recorded: unknown, now: unknown, path = ''): Difference | null {
  if (recorded === now) return null
  if (!isTree(recorded) || !isTree(now) || Array.isArray(recorded) !== Array.isArray(now)) {
    return { path, recorded: recorded ?? null, now: now ?? null }
  }
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
    const found = differenceOf(recorded[key], now[key], path === '' ? key : `${path}.${key}`)
    if (found) return found
  }
  return null
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
