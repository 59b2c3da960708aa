// Command lines as people write them: splitting into arguments, and finding the program on PATH, without running anything.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { EXIT, Refusal } from '../errors.js'
import { oneLine } from './notes.js'

/** What the system itself searches when PATH is not set. */
const DEFAULT_PATH = '/usr/bin:/bin'

/** One quoted part, one escaped character, or a run of plain ones. What fits none of them is an unclosed quote. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\]+)/y

/** Splits by the quoting rules of a shell; variables, wildcards, pipes and redirections are plain text. */
export function splitCommand(text: string): [string, ...string[]] {
  const words: string[] = []
  let word: string | null = null
  for (let index = 0; index < text.length; ) {
    // A backslash at the end of a line joins it with the next.
    if (text.startsWith('\\\n', index)) {
      index += 2
      continue
    }
    PIECE.lastIndex = index
    const match = PIECE.exec(text)
    if (match) {
      word = (word ?? '') + pieceText(match)
      index = PIECE.lastIndex
    } else if (/\s/.test(text.charAt(index))) {
      if (word !== null) words.push(word)
      word = null
      index++
    } else throw unclosed(text, text.charAt(index))
  }
  if (word !== null) words.push(word)
  const [first, ...rest] = words
  if (!first) throw new Refusal(EXIT.usage, 'a command is empty', 'write the program and its arguments, e.g. npm test')
  if (text.includes('\0')) throw new Refusal(EXIT.usage, 'a command holds a NUL character', 'write it anew')
  return [first, ...rest]
}

function pieceText([, single, double, escaped, plain]: RegExpExecArray): string {
  // Between double quotes a backslash stands for itself, unless what follows would have a meaning there.
  if (double !== undefined) return double.replaceAll(/\\(["\\$`\n])/g, (_, mark: string) => (mark === '\n' ? '' : mark))
  return single ?? escaped ?? plain ?? ''
}

function unclosed(text: string, mark: string): Refusal {
  if (mark === '\\') return new Refusal(EXIT.usage, `the command ends in a backslash: ${oneLine(text)}`, 'take it away or double it')
  return new Refusal(EXIT.usage, `the command has a quote ${mark} that is not closed: ${oneLine(text)}`, 'close the quote')
}

/** The path of the program that would be started, or null. A name with a slash is a path. */
export function findExecutable(name: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  if (name.includes('/')) return isExecutable(name) ? name : null
  const folders = (environment['PATH'] ?? DEFAULT_PATH).split(delimiter)
  for (const folder of folders) {
    if (name !== '' && folder !== '' && isExecutable(join(folder, name))) return join(folder, name)
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
