// Looks at a path that a person has named: what cannot be there is not there, and what keeps us from looking is said in one line.
import { statSync, type Stats } from 'node:fs'
import { EXIT, Refusal } from '../errors.js'
import { errnoOf, printable } from './durable.js'

const MISSING: ReadonlySet<string | null> = new Set(['ENOENT', 'ENOTDIR'])

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
    if (MISSING.has(errnoOf(error))) return undefined
    throw new Refusal(EXIT.usage, `${printable(path)}: ${obstacleOf(error)}`, next)
  }
}

/** Why a path cannot be looked at or read, in words. */
export function obstacleOf(error: unknown): string {
  const code = errnoOf(error)
  return OBSTACLES[code ?? ''] ?? code ?? 'unknown error'
}
