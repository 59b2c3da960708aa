// `completion`: a script for the user's shell. It holds every word as it stands and evaluates nothing of what is typed.
import type { Command } from 'commander'
import { EXIT, Refusal } from '../../errors.js'
import { SCOPES } from '../../text/estimate.js'
import { TEMPLATES } from '../../text/project/settings-text.js'
import { didYouMean } from '../meant.js'

/** A command, its flags, and what may stand after it. */
type Spoken = { name: string; summary: string; flags: string[]; words: string[] }

const WRITERS: Record<string, (commands: readonly Spoken[]) => string> = { bash, zsh, fish }

export function completionScript(program: Command, procedures: string[], shell: string): string {
  const write = WRITERS[shell]
  const shells = Object.keys(WRITERS).join('|')
  if (!write) throw new Refusal(EXIT.usage, `there is no completion for "${shell}"${didYouMean(shell, Object.keys(WRITERS))}`, `greenlatch completion ${shells}`)
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.description().replaceAll(/[^\w ,;.()-]/g, ''),
    flags: [...new Set(command.options.flatMap((option) => option.long ?? []))],
    words: command.commands.length > 0 ? command.commands.map((part) => part.name()) : argumentsOf(command.name(), procedures),
  }))
  return write(commands)
}

const list = (words: readonly string[]): string => words.join(' ')

function bash(commands: readonly Spoken[]): string {
  const cases = commands.map(({ name, flags, words }) => `    ${name}) words='${list([...flags, ...words])}' ;;`)
  return `# bash completion for greenlatch
_greenlatch() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='${list(commands.map((command) => command.name))} --help --version'
  if ((COMP_CWORD > 1)); then case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words='' ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _greenlatch greenlatch
`
}

function zsh(commands: readonly Spoken[]): string {
  const cases = commands.map(({ name, flags, words }) => `    ${name}) compadd -- ${list([...flags, ...words])} ;;`)
  return `#compdef greenlatch
_greenlatch() {
  if ((CURRENT == 2)); then compadd -- ${list(commands.map((command) => command.name))} --help --version; return; fi
  case $words[2] in
${cases.join('\n')}
  esac
  _files
}
compdef _greenlatch greenlatch
`
}

function fish(commands: readonly Spoken[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => [
    `complete -c greenlatch -n __fish_use_subcommand -a ${name} -d '${summary}'`,
    ...flags.map((flag) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
    ...words.map((word) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
  ])
  return `# fish completion for greenlatch\n${lines.join('\n')}\n`
}

function argumentsOf(command: string, procedures: string[]): string[] {
  if (command === 'run' || command === 'open' || command === 'resume') return procedures
  if (command === 'procedures') return ['show', ...procedures]
  if (command === 'schema') return ['config', 'procedure']
  if (command === 'init') return [...TEMPLATES]
  if (command === 'estimate') return [...SCOPES]
  return command === 'completion' ? Object.keys(WRITERS) : []
}
