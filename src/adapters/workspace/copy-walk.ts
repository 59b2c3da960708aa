// What stands at each path below a folder, as far as it shows without reading a file: enough to tell that nobody has written there.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { errnoOf } from '../../files/durable.js'
import { breather, type Breathe } from './breather.js'

/**
 * Path → kind, rights, size or target, and after an `@` the time of the last change, which no program can set. A folder has no time:
 * what changes in it shows by itself.
 */
export type Walked = ReadonlyMap<BytePath, string>

/** A folder that cannot be looked into. */
export const CLOSED = 'closed'

type LeaveOut = (path: BytePath) => boolean
type Walk = { root: BytePath; found: Map<BytePath, string>; leaveOut: LeaveOut; breathe: Breathe }

/** Below `from`, itself included when it is not empty; links are not followed. */
export async function walkBelow(folder: string, from: readonly BytePath[] = [''], leaveOut: LeaveOut = () => false): Promise<Walked> {
  const walk: Walk = { root: bytePath(folder), found: new Map(), leaveOut, breathe: breather() }
  for (const path of from) await (path === '' ? walkFolder(walk, '') : walkEntry(walk, path))
  return walk.found
}

async function walkEntry(walk: Walk, path: BytePath): Promise<void> {
  if (walk.leaveOut(path)) return
  const entry = lstatSync(rawPath(`${walk.root}/${path}`), { bigint: true, throwIfNoEntry: false })
  if (!entry) return
  walk.found.set(path, identityOf(`${walk.root}/${path}`, entry))
  if (entry.isDirectory()) await walkFolder(walk, path)
}

async function walkFolder(walk: Walk, path: BytePath): Promise<void> {
  await walk.breathe()
  for (const name of namesIn(walk, path)) await walkEntry(walk, path === '' ? name : `${path}/${name}`)
}

function namesIn({ root, found }: Walk, path: BytePath): BytePath[] {
  try {
    return readdirSync(rawPath(`${root}/${path}`), { encoding: 'latin1' }).toSorted()
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) throw error
    found.set(path, CLOSED)
    return []
  }
}

function identityOf(path: BytePath, entry: BigIntStats): string {
  const rights = (entry.mode & 0o7777n).toString(8)
  if (entry.isDirectory()) return `folder ${rights}`
  if (entry.isSymbolicLink()) return `link ${targetOf(path)}@${entry.ctimeNs}`
  if (entry.isFile()) return `file ${rights} ${entry.size}@${entry.ctimeNs}`
  return `other ${entry.mode.toString(8)}@${entry.ctimeNs}`
}

function targetOf(path: BytePath): string {
  try {
    return readlinkSync(rawPath(path), { encoding: 'latin1' })
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return ''
  }
}

/** What it is without when it was changed. */
export function timeless(identity: string | undefined): string {
  return identity?.slice(0, identity.lastIndexOf('@') + 1 || undefined) ?? ''
}

/** Neither a path nor an identity can hold a NUL, so no two folders give the same text. */
export function hashOf(walked: Walked, before = ''): string {
  const hash = createHash('sha256').update(before)
  for (const [path, identity] of walked) hash.update(`${path}\0${identity}\0`, 'latin1')
  return hash.digest('hex')
}

/** Where times are whole seconds, a change soon after another one would not show. */
export function tellsChanges(walked: Walked): boolean {
  for (const identity of walked.values()) {
    const time = identity.slice(identity.lastIndexOf('@') + 1)
    if (/^\d+$/.test(time) && !time.endsWith('000000000')) return true
  }
  return false
}
