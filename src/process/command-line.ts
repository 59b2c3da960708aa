// Command lines as people write them: splitting into arguments, and finding the program on PATH, without running anything.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { commandWords } from '../text/commands/command-words.js'
import { oneLine } from './notes.js'

/** What the system itself searches when PATH is not set. */
const DEFAULT_PATH = '/usr/bin:/bin'

/** Splits by the quoting rules of a shell; variables, wildcards, pipes and redirections are plain text. */
export function splitCommand(text: string): [string, ...string[]] {
  const split = commandWords(text)
  if (split.kind === 'unclosed') throw unclosed(text, split.mark)
  const [first, ...rest] = split.words
  if (!first) throw new Refusal(EXIT.usage, 'a command is empty', 'write the program and its arguments, e.g. npm test')
  if (text.includes('\0')) throw new Refusal(EXIT.usage, 'a command holds a NUL character', 'write it anew')
  return [first, ...rest]
}

function unclosed(text: string, mark: string): Refusal {
  if (mark === '\\') return new Refusal(EXIT.usage, `the command ends in a backslash: ${oneLine(text)}`, 'take it away or double it')
  return new Refusal(EXIT.usage, `the command has a quote ${mark} that is not closed: ${oneLine(text)}`, 'close the quote')
}

/** The path of the program that would be started, or null. A name with a slash is a path. Folders of PATH that are no whole path are passed over: they lead into whatever repository one is in. */
export function findExecutable(name: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  if (name.includes('/')) return isExecutable(name) ? name : null
  const folders = (environment['PATH'] ?? DEFAULT_PATH).split(delimiter)
  for (const folder of folders) {
    if (name !== '' && isAbsolute(folder) && isExecutable(join(folder, name))) return join(folder, name)
  }
  return null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
