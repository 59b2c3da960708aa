// The guard of the session's folder: a relative path stays inside and is reached through no link.
import { lstatSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { printable } from './durable.js'

const NEXT = 'greenlatch path'

/** The absolute path of `relative` in `root`. Throws Refusal for a path that leads out or through a link. */
export function inside(root: string, relative: string): string {
  const parts = partsOf(relative)
  let path = root
  for (const part of parts) {
    path = join(path, part)
    const entry = lstatSync(path, { throwIfNoEntry: false })
    if (!entry) return join(root, ...parts)
    if (entry.isSymbolicLink()) throw refused(relative, `${printable(part)} is a link`)
  }
  return path
}

/** The names a relative path is made of; refuses what is absolute, climbs, or is no plain name. */
export function partsOf(relative: string): string[] {
  if (relative.includes('\0')) throw refused(relative, 'it contains a NUL')
  if (isAbsolute(relative) || /^[A-Za-z]:/.test(relative)) throw refused(relative, 'it is absolute')
  if (relative.includes('\\')) throw refused(relative, 'it contains a backslash')
  const parts = relative.split('/')
  if (parts.includes('..')) throw refused(relative, 'it contains ..')
  if (parts.some((part) => part === '' || part === '.')) throw refused(relative, 'it contains an empty name')
  return parts
}

function refused(relative: string, why: string): Refusal {
  return new Refusal(EXIT.guard, `the path ${printable(relative)} is refused: ${why}`, NEXT)
}
