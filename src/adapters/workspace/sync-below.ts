// Brings all that lies in a folder of ours to disk, for files that a program has written without doing so itself.
import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stateRefusal, syncFolder } from '../../files/durable.js'
import { quoteWord } from '../../text/quote.js'

/** Contents before the names that lead to them. What is no file, such as a link, is all name. */
export function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncBelow(path)
    else if (entry.isFile()) syncFile(path)
  }
  syncFolder(folder)
}

function syncFile(path: string): void {
  try {
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw stateRefusal(error, path, `ls -la ${quoteWord(path)}`)
  }
}
