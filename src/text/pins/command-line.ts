// Takes a command line apart as a shell would: its simple commands, and the folder that each of them runs in.

export type Command = {
  words: string[]
  /** Files that are read as standard input. */
  inputs: string[]
  /** Relative to the root, which is `.`. */
  folder: string
}

type Part = Partial<Record<'blank' | 'redirect' | 'operator' | 'part', string>>

const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[ \t\r]+|\\\r?\n|(?<=^|[\s;|&()])#[^\n]*)`,
    String.raw`(?<redirect>\d*(?:<<<|<<-?|<&|>&|&>>?|>>|>\||<>|[<>]))`,
    '(?<operator>&&|\\|\\||[;|&\\n()`])',
    String.raw`(?<part>'[^']*'|"(?:[^"\\]|\\[^])*"|\$\([^()]*\)|\\[^]|[^\s'"\\;|&()<>` + '`' + String.raw`]+|[^])`,
  ].join('|'),
  'y',
)

export function commandsOf(text: string, folder: string): Command[] {
  const found: Command[] = []
  const outer: string[] = []
  let here = folder
  let command: Command = { words: [], inputs: [], folder: here }
  let word: string | null = null
  let into: string | null = null
  const endWord = (): void => {
    if (word !== null && into === null) command.words.push(word)
    else if (word !== null && into === '<') command.inputs.push(word)
    if (word !== null) [word, into] = [null, null]
  }
  const endCommand = (): void => {
    endWord()
    into = null
    if (command.words.length + command.inputs.length > 0) found.push(command)
    here = folderAfter(command.words, here)
    command = { words: [], inputs: [], folder: here }
  }
  for (const { redirect, operator, part } of tokensOf(text)) {
    if (part !== undefined) word = (word ?? '') + plainText(part)
    else if (operator === undefined) {
      endWord()
      into = redirect?.replace(/^\d+/, '') ?? into
    } else {
      endCommand()
      if (operator === '(') outer.push(here)
      if (operator === ')') here = outer.pop() ?? here
      command.folder = here
    }
  }
  endCommand()
  return found
}

function* tokensOf(text: string): Generator<Part> {
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) return
    TOKEN.lastIndex = at + match[0].length
    const next = TOKEN.lastIndex
    yield match.groups ?? {}
    TOKEN.lastIndex = next
  }
}

function plainText(part: string): string {
  if (part.length > 1 && part.startsWith("'")) return part.slice(1, -1)
  if (part.length > 1 && part.startsWith('"')) return part.slice(1, -1).replaceAll(/\\(["\\$`])/g, '$1')
  return part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
}

/** Where a shell is after `cd`. A folder that nobody can know beforehand leaves it where it was. */
function folderAfter(words: readonly string[], here: string): string {
  const at = words.findIndex((word) => !/^(?:\w+=|if$|then$|!$|\{$|command$|builtin$)/.test(word))
  if (!/^(?:cd|pushd)$/.test(words[at] ?? '')) return here
  return joined(here, words.slice(at + 1).find((word) => !word.startsWith('-')) ?? '') ?? here
}

const TOP = /^\$\(\s*git rev-parse --show-(?:toplevel|cdup)\s*\)(?=\/|$)/

/** A path as it is seen from the root, or null when it leads out of it. A variable at its beginning is taken for the folder. */
export function joined(folder: string, path: string): string | null {
  // The usual way to say it.
  if (TOP.test(path)) return joined('.', path.replace(TOP, '.'))
  const own = path.replace(/^(?:\$\{?\w+\}?|\$\([^()]*\))(?=\/|$)/, '.')
  if (own.startsWith('/') || own.startsWith('~')) return null
  const names: string[] = []
  for (const name of `${folder}/${own}`.split('/')) {
    if (name === '..' && names.pop() === undefined) return null
    if (name !== '..' && name !== '.' && name !== '') names.push(name)
  }
  return names.length === 0 ? '.' : names.join('/')
}
