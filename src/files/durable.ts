// Files that are there whole or not at all, and the one translation of a file system's errors into a line for people.
import { closeSync, constants, fsyncSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, statSync, statfsSync, writeSync, type StatsFs } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { EXIT, FullDisk, Refusal } from '../errors.js'

/** What is written without another command to name lies in the state folder. */
const NEXT = 'greenlatch doctor'
const ADVICE = 'make room or give access there, or name another folder with --state-dir'

/** Still there after a power cut: temporary file, fsync, rename, fsync of the folder (without it xfs keeps 0 bytes). */
export function writeDurable(path: string, data: string | Uint8Array, next: string = NEXT): void {
  writeSynced(path, data, next)
  syncFolder(dirname(path), next)
}

/** Its bytes are still there after a power cut, its name need not be: for a file that is then given another, which the caller makes durable. */
export function writeSynced(path: string, data: string | Uint8Array, next: string = NEXT): void {
  replace(path, data, next, fsyncSync)
}

/** Never seen half-written, but a power cut may empty it: for caches and messages, which can be made or sent again. */
export function replaceFile(path: string, data: string | Uint8Array, next: string = NEXT): void {
  replace(path, data, next, () => {})
}

/**
 * The temporary name is always the same, since each of our files has one writer at a time: what a killed process left under it
 * is taken away by the next, and no folder fills up.
 */
function replace(path: string, data: string | Uint8Array, next: string, flush: (fd: number) => void): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  const temporary = temporaryOf(path)
  try {
    const fd = openNew(temporary)
    try {
      writeAll(fd, bytes)
      flush(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, path)
  } catch (error) {
    const refusal = stateRefusal(error, path, next, bytes.length)
    rmSync(temporary, { force: true })
    throw refusal
  }
}

function temporaryOf(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 200)}.tmp`)
}

/** Takes away what a killed process left of a file that may not be written again soon. Call as its one writer. */
export function clearTemporary(path: string): void {
  rmSync(temporaryOf(path), { force: true })
}

/** Always a new file: what lies there may be a link, or have another name elsewhere. */
function openNew(path: string): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    rmSync(path, { force: true })
    return openSync(path, flags, 0o600)
  }
}

/** The kernel may take less than it is given, and says "no space" only when it is asked for the rest. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(fd, bytes, written)
}

/** Makes a folder and all above it, private to the user, with every new name durable. */
export function makeFolder(path: string, next: string = NEXT): void {
  const full = resolve(path)
  try {
    if (statSync(full, { throwIfNoEntry: false })?.isDirectory()) return
    if (dirname(full) !== full) makeFolder(dirname(full), next)
    mkdirSync(full, { mode: 0o700 })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST' || !statSync(full, { throwIfNoEntry: false })?.isDirectory()) throw stateRefusal(error, full, next)
  }
  syncFolder(dirname(full), next)
}

/** A new folder of our own whose name begins like this. */
export function makeScratch(prefix: string, next: string = NEXT): string {
  try {
    return mkdtempSync(prefix)
  } catch (error) {
    throw stateRefusal(error, prefix, next)
  }
}

/** Makes names made or renamed in a folder durable. Where folders cannot be synced, there is nothing to do. */
export function syncFolder(path: string, next: string = NEXT): void {
  if (process.platform === 'win32') return
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (errnoOf(error) !== 'EINVAL') throw stateRefusal(error, path, next)
  }
}

/** Node has no name for a quota that is used up, only its number, which is another one on each system. */
const NAMELESS: Readonly<Record<string, string>> = { 'Unknown system error -122': 'EDQUOT', 'Unknown system error -69': 'EDQUOT' }

export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? (NAMELESS[code] ?? code) : null
}

/** Turns an error of the file system into one line for people. Anything else is a bug and is handed back as it is. */
export function stateRefusal(error: unknown, path: string, next: string = NEXT, needBytes: number = 0): Error {
  if (error instanceof Refusal) return error
  const code = errnoOf(error)
  if (code === null || !/^E[A-Z0-9]+$/.test(code)) return error instanceof Error ? error : new Error(String(error))
  const Kind = code === 'ENOSPC' || code === 'EDQUOT' ? FullDisk : Refusal
  const what = explain(code, error as Error, path, needBytes)
  return new Kind(EXIT.state, next === NEXT ? `${what}; ${ADVICE}` : what, next)
}

function explain(code: string, error: Error, path: string, needBytes: number): string {
  const where = printable(path)
  switch (code) {
    case 'ENOSPC':
      return `no space left to write ${where}: ${needAndHave(path, needBytes)}`
    case 'EDQUOT':
      return `disk quota used up, cannot write ${where}: ${needAndHave(path, needBytes)}`
    case 'EROFS':
      return `cannot write ${where}: the file system is read-only`
    case 'EACCES':
    case 'EPERM':
      return `no permission for ${where} (${code})`
    case 'EIO':
      return `the disk reported an error at ${where} (EIO); what was written last cannot be trusted`
    case 'EMFILE':
    case 'ENFILE':
      return `too many open files (${code}), cannot open ${where}`
    default:
      return `${where}: ${/^\w+: ([^,\n]+)/.exec(error.message)?.[1] ?? 'failed'} (${code})`
  }
}

/** `path` is in the folder that is full. */
export function needAndHave(path: string, needBytes: number): string {
  const need = `need ${needBytes.toLocaleString('en')} bytes`
  try {
    const disk = statfsSync(dirname(path))
    if (disk.files > 0 && disk.ffree === 0) return `${need} and a file name, have no file names (inodes) left`
    return `${need}, have ${(disk.bavail * disk.bsize).toLocaleString('en')} bytes`
  } catch {
    return `${need}, how many are left cannot be told`
  }
}

/** Less than this, and what comes of the next thing to be done may not find room. */
export const LEAST_BYTES = 16 * 1024 * 1024
const LEAST_NAMES = 64

/** Refuses when a folder is on a disk that is nearly full. Where that cannot be told, nothing is said. */
export function requireRoom(folder: string, next: string): void {
  const disk = diskOf(folder)
  if (disk === null) return
  const bytes = disk.bavail * disk.bsize
  const where = printable(folder)
  const before = 'stopped before anything was begun; nothing is lost'
  if (bytes < LEAST_BYTES) throw new FullDisk(EXIT.state, `too little space left on the disk of ${where}: need ${LEAST_BYTES.toLocaleString('en')} bytes, have ${bytes.toLocaleString('en')} bytes; ${before}`, next)
  if (disk.files > 0 && disk.ffree < LEAST_NAMES) throw new FullDisk(EXIT.state, `too few file names (inodes) left on the disk of ${where}: need ${LEAST_NAMES}, have ${disk.ffree}; ${before}`, next)
}

function diskOf(folder: string): StatsFs | null {
  try {
    return statfsSync(folder)
  } catch {
    return null
  }
}

/** A path as it may be shown: odd characters escaped, so that a message stays one line. */
export function printable(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  const odd = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g
  return path.replace(odd, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
