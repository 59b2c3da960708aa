// Hashes of file contents, remembered as long as nothing suggests that a file has changed.
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs'
import { rawPath, type BytePath } from '../../files/byte-path.js'
import type { Breathe } from './breather.js'

export type HashingWalk = {
  hash(path: BytePath, entry: BigIntStats): Promise<string>
  /** Forgets what this walk did not meet. */
  finish(): void
}

type Known = { stamp: string; hash: string; settled: boolean }

const BUFFER_BYTES = 256 * 1024
/** The coarsest clock of a file system in use: within this time two writes can bear the same stamp. */
const STAMP_MILLISECONDS = 2000
const MOST_READS = 3
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

export function contentHashes(): (breathe: Breathe) => HashingWalk {
  let known = new Map<BytePath, Known>()
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  return (breathe) => {
    const met = new Map<BytePath, Known>()
    return {
      async hash(path, entry) {
        const before = known.get(path)
        const now = before?.settled && before.stamp === stampOf(entry) ? before : await readSettled(path, breathe, buffer)
        met.set(path, now)
        return now.hash
      },
      finish() {
        known = met
      },
    }
  }
}

function stampOf(entry: BigIntStats): string {
  return `${entry.dev} ${entry.ino} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs}`
}

/** A file that is written to while we read is read again; one that never rests keeps no remembered hash. */
async function readSettled(path: BytePath, breathe: Breathe, buffer: Buffer): Promise<Known> {
  for (let reads = 1; ; reads += 1) {
    const read = await readOnce(path, breathe, buffer)
    if (read.stable) return read
    if (reads === MOST_READS) return { ...read, settled: false }
  }
}

async function readOnce(path: BytePath, breathe: Breathe, buffer: Buffer): Promise<Known & { stable: boolean }> {
  const startedAt = Date.now()
  const file = openSync(rawPath(path), OPEN_FLAGS)
  try {
    const before = fstatSync(file, { bigint: true })
    const hash = createHash('sha256')
    while (before.isFile()) {
      const bytes = readSync(file, buffer)
      if (bytes === 0) break
      hash.update(buffer.subarray(0, bytes))
      await breathe()
    }
    const stamp = stampOf(fstatSync(file, { bigint: true }))
    const changedAt = Math.max(Number(before.mtimeMs), Number(before.ctimeMs))
    return { stamp, hash: hash.digest('hex'), settled: changedAt + STAMP_MILLISECONDS < startedAt, stable: stamp === stampOf(before) }
  } finally {
    closeSync(file)
  }
}
