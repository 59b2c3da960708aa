// The guard of the session's folder: a relative path stays inside and is reached through no link.
import { lstatSync, type Stats } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { printable } from './durable.js'

const NEXT = 'greenlatch path'

/** `entry` is what stands there, undefined when there is nothing; `hasRoom` tells whether the folder it belongs in is there. */
export type Found = { path: string; entry: Stats | undefined; hasRoom: boolean }

/** The absolute path of `relative` in `root`. Throws Refusal for a path that leads out or through a link. */
export function inside(root: string, relative: string): string {
  return find(root, relative).path
}

/** The same, with what was seen on the way: looking twice costs more than all the rest. */
export function find(root: string, relative: string): Found {
  const parts = partsOf(relative)
  let path = root
  let entry: Stats | undefined
  for (const [index, part] of parts.entries()) {
    path = `${path}/${part}`
    entry = lstatSync(path, { throwIfNoEntry: false })
    if (!entry) return { path: join(root, ...parts), entry, hasRoom: index === parts.length - 1 }
    if (entry.isSymbolicLink()) throw refused(relative, `${printable(part)} is a link`)
  }
  return { path, entry, hasRoom: true }
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
