// Whether compiled Python that lies in a folder may belong to sources that have been changed since.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { readPlainFile } from '../../../files/plain-file.js'
import { entriesOf } from './entries.js'

const MOST_ENTRIES = 20_000
const COMPARES_HASH = 2
const HEADER_BYTES = 16
/** Libraries, and what belongs to others. */
const SKIPPED = new Set(['.git', 'node_modules', 'site-packages', '.tox', '.nox', 'target'])

/**
 * Python takes what it compiled for current when time and size of the source are as noted, and it notes whole seconds. So a source
 * may have been changed without notice only if it was compiled in the very second it was last written. Passing over everything
 * compiled, to be safe, would cost more than a second for each start of pytest; it is done where more lies than is looked through.
 */
export function hasDoubtfulBytecode(root: string, mostEntries = MOST_ENTRIES): boolean {
  const waiting = [root]
  for (let seen = 0; waiting.length > 0; ) {
    if (seen >= mostEntries) return true
    const folder = waiting.pop() ?? root
    for (const entry of entriesOf(folder)) {
      seen += 1
      if (!entry.isDirectory() || SKIPPED.has(entry.name)) continue
      const path = join(folder, entry.name)
      if (entry.name !== '__pycache__') waiting.push(path)
      else if (entriesOf(path).some(({ name }) => name.endsWith('.pyc') && isDoubtful(join(path, name)))) return true
    }
  }
  return false
}

/** After four bytes of version come four of flags, then the time of the source, or a hash of it that is compared or not. */
function isDoubtful(path: string): boolean {
  try {
    const header = readPlainFile(path, { mostBytes: HEADER_BYTES })
    if (header === null) return false
    const flags = header.readUInt32LE(4)
    return flags === 0 ? Math.floor(lstatSync(path).mtimeMs / 1000) <= header.readUInt32LE(8) : (flags & COMPARES_HASH) === 0
  } catch {
    return false
  }
}
