// Writes a file that a person has named: what stands there is respected as a shell would.
import { existsSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { replaceFile } from '../files/durable.js'
import { redact } from '../process/secrets.js'

/** A link is followed. Throws Refusal, with `next` as what to type then. */
export function writeOut(path: string, text: string, next: string): void {
  if (isFolder(path)) throw new Refusal(EXIT.usage, `${path} is a folder`, next)
  if (!isFolder(dirname(path))) throw new Refusal(EXIT.usage, `there is no folder ${dirname(path)}`, next)
  const target = existsSync(path) ? realpathSync(path) : path
  if (statSync(target, { throwIfNoEntry: false })?.isFile() ?? true) return replaceFile(target, redact(text), next)
  writeInto(target, redact(text), next)
}

/** A device or a pipe is written into as a shell would, and never replaced by a file. */
function writeInto(path: string, text: string, next: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new Refusal(EXIT.state, `${path} cannot be written: ${(error as Error).message}`, next)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
