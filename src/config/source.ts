// Reads a settings file as text, or says in one line why it cannot be read.
import { readFileSync, statSync } from 'node:fs'
import { EXIT, Refusal } from '../errors.js'
import { printable } from '../files/durable.js'
import { isMissing, nearestThere, obstacleOf } from '../files/look.js'
import type { SettingsFile } from './locate.js'
import { quoteWord } from '../text/prompt/quote.js'

const LARGEST_BYTES = 1_048_576

export function readSource(file: SettingsFile): string {
  const bytes = readBytes(file)
  if (bytes.length > LARGEST_BYTES) throw unreadable(file, `is too large: ${bytes.length} bytes, at most ${LARGEST_BYTES}`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable(file, 'is not UTF-8 text')
  }
}

function readBytes(file: SettingsFile): Buffer {
  try {
    const found = statSync(file.path)
    if (found.isDirectory()) throw unreadable(file, 'is a folder, not a file')
    // A pipe or a device might never end.
    if (!found.isFile()) throw unreadable(file, 'is not a regular file')
    if (found.size > LARGEST_BYTES) throw unreadable(file, `is too large: ${found.size} bytes, at most ${LARGEST_BYTES}`)
    return readFileSync(file.path)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw unreadable(file, isMissing(error) ? 'does not exist' : `cannot be read: ${obstacleOf(error)}`)
  }
}

/** Where it is not there, its name is at fault, and would be in any command that reads the settings. */
function unreadable(file: SettingsFile, reason: string): Refusal {
  const there = nearestThere(file.path)
  return new Refusal(EXIT.usage, `${file.name} ${reason}`, `ls ${there === file.path ? '-ld' : '-la'} ${quoteWord(printable(there))}`)
}
