// Writes a file that a person has named: only what an earlier call has written is written over, since the rest may be somebody's work.
import { closeSync, openSync, readSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { printable, replaceFile } from '../files/durable.js'
import { lookAt } from '../files/look.js'
import { redact } from '../process/secrets.js'

/** `head` is how a file of this kind that we wrote begins, `next` what to type where it cannot be written. */
export type OutFile = { path: string; text: string; head: RegExp; next: string }

const HEAD_BYTES = 4096

/** A link is followed. Throws Refusal. */
export function writeOut(file: OutFile): void {
  refuseTaken(file)
  const { path, text, next } = file
  const found = statSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) return writeInto(path, redact(text), next)
  replaceFile(found ? realpathSync(path) : path, redact(text), next)
}

export function refuseTaken({ path, head, next }: Omit<OutFile, 'text'>): void {
  if (lookAt(path, next)?.isDirectory()) throw new Refusal(EXIT.usage, `${printable(path)} is a folder`, next)
  if (!lookAt(dirname(path), next)?.isDirectory()) throw new Refusal(EXIT.usage, `there is no folder ${printable(dirname(path))}`, next)
  if (isTaken(path, head)) throw new Refusal(EXIT.usage, `${printable(path)} is there already, and greenlatch did not write it`, next)
}

/** A folder is; a device or a pipe holds nobody's work, and nor does an empty file. */
export function isTaken(path: string, head: RegExp): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isFile() !== true) return found?.isDirectory() === true
    return found.size > 0 && !head.test(headOf(path))
  } catch {
    return true
  }
}

function headOf(path: string): string {
  const fd = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('utf8', 0, readSync(fd, bytes))
  } finally {
    closeSync(fd)
  }
}

/** A device or a pipe is written into as a shell would, and never replaced by a file. */
function writeInto(path: string, text: string, next: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new Refusal(EXIT.state, `${path} cannot be written: ${(error as Error).message}`, next)
  }
}
