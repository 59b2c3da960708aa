// Looks at a path that a person has named: what cannot be there is not there, and what keeps us from looking is said in one line.
import { lstatSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { errnoOf, printable } from './durable.js'

const OBSTACLES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links lead round in a circle',
  ENAMETOOLONG: 'the path is too long',
}

/** Links are followed. Throws Refusal, with `next` as what to type then. */
export function lookAt(path: string, next: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new Refusal(EXIT.usage, `${printable(path)}: ${obstacleOf(error)}`, next)
  }
}

/** As `lookAt`, of a folder that may have to be made: what is there of its path has to be folders. */
export function lookAtNew(path: string, next: string): Stats | undefined {
  const found = lookAt(path, next)
  const there = found ? null : nearestThere(path)
  if (there === null || lookAt(there, next)?.isDirectory()) return found
  throw new Refusal(EXIT.usage, `${printable(there)} is no folder`, next)
}

/** Also where a file stands in the way of the path. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')
}

/** Why a path cannot be looked at or read, in words. */
export function obstacleOf(error: unknown): string {
  const code = errnoOf(error)
  return OBSTACLES[code ?? ''] ?? code ?? 'unknown error'
}

/** As much of a path as is there, be it a link that leads nowhere. */
export function nearestThere(path: string): string {
  return isThere(path) || dirname(path) === path ? path : nearestThere(dirname(path))
}

/** Also a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
