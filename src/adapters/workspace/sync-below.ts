// Brings files to disk that a program has written without doing so itself.
import { closeSync, constants, fsyncSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bytePath, rawPath, type BytePath } from '../../files/byte-path.js'
import { stateRefusal, syncFolder } from '../../files/durable.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { entryAt, isReached, prefixesOf } from './nested.js'

/** All that lies in a folder of ours: contents before the names that lead to them. What is no file, such as a link, is all name. */
export function syncBelow(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncBelow(path)
    else if (entry.isFile()) syncFile(path)
  }
  syncFolder(folder)
}

/** Some paths of a folder, and the folders that lead to them. Nothing is opened that is no file, or is reached through a link. */
export function syncPaths(folder: string, paths: readonly BytePath[]): void {
  const full = (path: BytePath): Buffer => rawPath(`${bytePath(folder)}/${path}`)
  const folders = [...new Set(paths.flatMap((path) => ['.', ...prefixesOf(path)]))].filter((path) => isReached(folder, path))
  const reached = new Set(folders)
  const files = paths.filter((path) => reached.has(prefixesOf(path).at(-1) ?? '.') && entryAt(folder, path)?.isFile())
  for (const path of [...files, ...folders.toReversed()]) syncFile(full(path))
}

export function syncFile(path: string | Buffer): void {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const text = path.toString()
    throw stateRefusal(error, text, `ls -la ${quoteWord(text)}`)
  }
}
