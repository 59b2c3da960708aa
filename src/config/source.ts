// Reads a settings file as text, or says in one line why it cannot be read.
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { EXIT, Refusal } from '../errors.js'
import type { SettingsFile } from './locate.js'
import { quoteWord } from '../text/prompt/quote.js'

const LARGEST_BYTES = 1_048_576

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'cannot be read: its links lead round in a circle',
  ENAMETOOLONG: 'cannot be read: the path is too long',
}

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
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    throw unreadable(file, REASONS[code] ?? `cannot be read: ${code}`)
  }
}

/** Also a link that leads nowhere. A name that no system takes is looked at all the same. */
function isThere({ path }: SettingsFile): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function unreadable(file: SettingsFile, reason: string): Refusal {
  return new Refusal(EXIT.usage, `${file.name} ${reason}`, isThere(file) ? `ls -ld ${quoteWord(file.name)}` : 'greenlatch config')
}
