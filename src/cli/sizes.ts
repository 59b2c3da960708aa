// How much room files take on disk.
import { lstatSync, readdirSync } from 'node:fs'
import { bytePath, rawPath, type BytePath } from '../files/byte-path.js'

const BLOCK_BYTES = 512

/** Of a file, or of a folder with all that lies below it; links are counted, not followed. What cannot be looked at counts as nothing. */
export function sizeOf(path: string): number {
  return sizeBelow(bytePath(path))
}

function sizeBelow(path: BytePath): number {
  try {
    const entry = lstatSync(rawPath(path))
    const own = entry.blocks * BLOCK_BYTES
    if (!entry.isDirectory()) return own
    return readdirSync(rawPath(path), { encoding: 'latin1' }).reduce((sum, name) => sum + sizeBelow(`${path}/${name}`), own)
  } catch {
    return 0
  }
}
