// Reads what may have been put there by anybody: only a plain file is read, and never more of it than was asked for.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export type Piece = { mostBytes: number; from?: 'start' | 'end' }

/** Null where there is none or it cannot be read. A link, a pipe or a device that lies there instead is not followed or waited for. */
export function readPlainFile(path: string, { mostBytes, from = 'start' }: Piece): Buffer | null {
  let fd: number | null = null
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const entry = fstatSync(fd)
    if (!entry.isFile()) return null
    const bytes = Buffer.alloc(Math.min(entry.size, mostBytes))
    const read = readSync(fd, bytes, 0, bytes.length, from === 'start' ? 0 : entry.size - bytes.length)
    return bytes.subarray(0, read)
  } catch {
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}
