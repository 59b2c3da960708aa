// A flag that needs a value and is followed by another flag: the shell hands that over as its value, and nobody meant it.
import type { Command } from 'commander'
import { EXIT, Refusal } from '../errors.js'

/** `words` are those after the program's name. Throws Refusal naming the flag. */
export function refuseMissingValue(program: Command, words: readonly string[]): void {
  const command = words.reduce((found, word) => found.commands.find((one) => one.name() === word) ?? found, program)
  if (command === program) return
  const options = [...command.options, ...program.options]
  const known = new Set(options.flatMap(({ long }) => (long ? [long] : [])))
  const needy = new Set(options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short]))
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const at = words.slice(0, end).findIndex((word, place) => needy.has(word) && isFlag(words[place + 1], known))
  if (at < 0) return
  const [flag, taken] = [words[at], words[at + 1]]
  const text = `${flag} needs a value, and ${taken} is another flag (${flag}=${taken} if it is really meant)`
  throw new Refusal(EXIT.usage, text, `${typedName(command)} --help`)
}

/** With the commands that it is a part of. */
function typedName(command: Command): string {
  return command.parent ? `${typedName(command.parent)} ${command.name()}` : command.name()
}

function isFlag(word: string | undefined, known: ReadonlySet<string>): boolean {
  return word?.startsWith('--') === true && known.has(word.split('=', 1)[0] ?? '')
}
