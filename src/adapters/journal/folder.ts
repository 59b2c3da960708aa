// The session's folder: prompts, responses and other files, written whole, never through a link and never outside.
import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname, isAbsolute, join, relative as relativePath, resolve, sep } from 'node:path'
import type { Ref } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { errnoOf, printable, replaceFile, stateRefusal } from '../../files/durable.js'
import { find, inside, partsOf, type Found } from '../../files/guard.js'
import type { Folder } from '../../ports.js'
import { redact } from '../../process/secrets.js'

const NEXT = 'greenlatch doctor'

export function openFolder(path: string): Folder {
  const root = resolve(path)
  return {
    path: root,
    resolve: (relative) => inside(root, relative),
    read: (relative) => withPlainFile(find(root, relative), (fd) => readFileSync(fd, 'utf8')),
    has: (relative) => existsSync(join(root, ...partsOf(relative))),
    write(relative, text) {
      const found = find(root, relative)
      const bytes = Buffer.from(redact(text))
      if (found.entry && !found.entry.isFile()) throw new Refusal(EXIT.guard, `${printable(found.path)} is not a plain file`, NEXT)
      makeRoomFor(found)
      replaceFile(found.path, bytes)
      return { path: relative, sha: sha256(bytes), bytes: bytes.length }
    },
    mark: (relative, text) => overwrite(find(root, relative), Buffer.from(redact(text))),
    refer: (absolute) => referTo(root, absolute),
  }
}

/** Not synced: nothing in these folders is, and what a power cut takes away is made again. */
function makeRoomFor({ path, hasRoom }: Found): void {
  if (hasRoom) return
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw stateRefusal(error, dirname(path), NEXT)
  }
}

/** In place, without a new file for each mark: one write, half a dozen calls fewer than a replacement. */
function overwrite(found: Found, bytes: Buffer): void {
  const { path } = found
  makeRoomFor(found)
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
    try {
      const entry = fstatSync(fd)
      if (!entry.isFile() || entry.nlink > 1) throw new Refusal(EXIT.guard, `${printable(path)} is not a plain file of its own`, NEXT)
      writeSync(fd, bytes, 0, bytes.length, 0)
      if (entry.size > bytes.length) ftruncateSync(fd, bytes.length)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw stateRefusal(error, path, NEXT, bytes.length)
  }
}

/** The same folder in memory, for dry runs: nothing is read from or written to the disk. */
export function memoryFolder(path: string): Folder {
  const root = resolve(path)
  const files = new Map<string, string>()
  const refTo = (relative: string): Ref | undefined => {
    const text = files.get(relative)
    return text === undefined ? undefined : { path: relative, sha: sha256(Buffer.from(text)), bytes: Buffer.byteLength(text) }
  }
  return {
    path: root,
    resolve: (relative) => join(root, ...partsOf(relative)),
    read: (relative) => files.get(partsOf(relative).join('/')),
    has: (relative) => files.has(partsOf(relative).join('/')),
    write(relative, text) {
      files.set(partsOf(relative).join('/'), text)
      return refTo(relative) as Ref
    },
    mark: (relative, text) => void files.set(partsOf(relative).join('/'), text),
    refer(absolute) {
      const relative = within(root, absolute)
      return relative === undefined ? undefined : refTo(relative)
    },
  }
}

/** The relative path with forward slashes; undefined for what lies outside. */
function within(root: string, absolute: string): string | undefined {
  const relative = relativePath(root, absolute)
  if (relative === '' || relative === '..' || relative.startsWith(`..${sep}`) || isAbsolute(relative)) return undefined
  return sep === '/' ? relative : relative.split(sep).join('/')
}

function referTo(root: string, absolute: string): Ref | undefined {
  const relative = within(root, absolute)
  if (relative === undefined) return undefined
  return withPlainFile(find(root, relative), (fd) => ({ path: relative, ...digest(fd) }))
}

/** Undefined when there is no such plain file; opening without waiting keeps a pipe from holding us up. */
function withPlainFile<T>({ path, entry }: Found, use: (fd: number) => T): T | undefined {
  if (!entry?.isFile()) return undefined
  let fd: number | undefined
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    return fstatSync(fd).isFile() ? use(fd) : undefined
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(errnoOf(error) ?? '')) return undefined
    throw stateRefusal(error, path, NEXT)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** In pieces: a file an agent left may be larger than memory. */
function digest(fd: number): { sha: string; bytes: number } {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(256 * 1024)
  let bytes = 0
  for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
    hash.update(chunk.subarray(0, count))
    bytes += count
  }
  return { sha: hash.digest('hex'), bytes }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
