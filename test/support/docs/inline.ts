// Command lines of ours within a line of text: the command is there, and so is each flag.
import { Command, type Option } from 'commander'
import { COMMANDS, type Declared } from '../../../src/cli/command-list.js'
import { addGlobalFlags } from '../../../src/cli/options.js'
import { readPage } from './blocks.js'

const IN_LINE = /(`+)(?!`)([^\n]*?)(?<!`)\1(?!`)/g
/** A text in quotes and what the reader fills in are one word each, whatever stands in them. */
const WORD = /"[^"]*"|'[^']*'|\$\([^)]*\)|<[^>\s][^>]*>|\[[^\]]*\]|\S+/g
const ENDS: ReadonlySet<string> = new Set(['|', '&&', '||', ';', '<', '>', '>>'])

const program = commandOf({ name: 'greenlatch', parts: COMMANDS }).version('0', '-V, --version')
program.command('completion').argument('<shell>')

function commandOf({ name, shape = (bare) => bare, parts = [] }: Pick<Declared, 'name' | 'shape' | 'parts'>): Command {
  const command = shape(new Command(name))
  addGlobalFlags(command)
  command.option('-h, --help')
  for (const part of parts) command.addCommand(commandOf(part))
  return command
}

/** A line for each that could not be typed. */
export function wrongCommands(page: string, text?: string): string[] {
  return readPage(page, text).prose.flatMap(([line, written]) => {
    const shown = Array.from(written.matchAll(IN_LINE), ([, , code = '']) => code.trim()).filter((code) => code.startsWith('greenlatch '))
    return shown.flatMap((code) => commandsIn(code).map((words) => faultOf(program, words)).filter((fault) => fault !== null).map((fault) => `${page}:${line}: \`${code}\`: ${fault}`))
  })
}

/** The words behind each `greenlatch`, up to where the shell begins another command. */
function commandsIn(code: string): string[][] {
  const words = code.match(WORD) ?? []
  return words.flatMap((word, at) => {
    if (word !== 'greenlatch' || (at > 0 && !ENDS.has(words[at - 1] ?? ''))) return []
    const rest = words.slice(at + 1)
    const end = rest.findIndex((each) => ENDS.has(each))
    return [end === -1 ? rest : rest.slice(0, end)]
  })
}

function faultOf(command: Command, words: readonly string[]): string | null {
  let room = command.registeredArguments.some(({ variadic }) => variadic) ? Infinity : command.registeredArguments.length
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    // Half a word, which the shell is asked to complete, or any at all.
    if (word.endsWith('<Tab>') || word === '…') return null
    if (word === '--') continue
    if (word.startsWith('-')) {
      const option = optionOf(command, word)
      if (!option) return `${command.name()} has no ${word}`
      const isAlone = word.includes('=') || words[at + 1]?.startsWith('-')
      if ((option.required || option.optional) && !isAlone) at += 1
    } else if (command.commands.length > 0) {
      const part = command.commands.find((each) => each.name() === word)
      return part ? faultOf(part, words.slice(at + 1)) : `${command.name()} has no "${word}"`
    } else if ((room -= 1) < 0) return `${command.name()} takes no "${word}"`
  }
  return null
}

function optionOf(command: Command, word: string): Option | undefined {
  const [name = ''] = word.split('=')
  return command.options.find(({ short, long }) => short === name || long === name)
}
