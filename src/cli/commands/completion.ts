// `completion`: a script for the user's shell. It holds every word as it stands and evaluates nothing of what is typed.
import type { Command } from 'commander'
import { EXIT, Refusal } from '../../errors.js'

type Words = { commands: { name: string; summary: string; flags: string[] }[]; procedures: string[] }

const WRITERS: Record<string, (words: Words) => string> = { bash, zsh, fish }

export function completionScript(program: Command, procedures: string[], shell: string): string {
  const write = WRITERS[shell]
  if (!write) throw new Refusal(EXIT.usage, `there is no completion for "${shell}"`, `greenlatch completion ${Object.keys(WRITERS).join('|')}`)
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.description().replaceAll(/[^\w ,;.()-]/g, ''),
    flags: [...new Set(command.options.flatMap((option) => option.long ?? []))],
  }))
  return write({ commands, procedures })
}

const list = (words: readonly string[]): string => words.join(' ')

function bash({ commands, procedures }: Words): string {
  const cases = commands.map((command) => `    ${command.name}) words='${list([...command.flags, ...argumentsOf(command.name, procedures)])}' ;;`)
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

function zsh({ commands, procedures }: Words): string {
  const cases = commands.map((command) => `    ${command.name}) compadd -- ${list([...command.flags, ...argumentsOf(command.name, procedures)])} ;;`)
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

function fish({ commands, procedures }: Words): string {
  const lines = commands.flatMap((command) => [
    `complete -c greenlatch -n __fish_use_subcommand -a ${command.name} -d '${command.summary}'`,
    ...command.flags.map((flag) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${command.name}' -l ${flag.slice(2)}`),
    ...argumentsOf(command.name, procedures).map((word) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${command.name}' -a ${word}`),
  ])
  return `# fish completion for greenlatch\n${lines.join('\n')}\n`
}

function argumentsOf(command: string, procedures: string[]): string[] {
  if (command === 'run' || command === 'open' || command === 'resume') return procedures
  if (command === 'procedures') return ['show', ...procedures]
  if (command === 'schema') return ['config', 'procedure']
  return command === 'completion' ? Object.keys(WRITERS) : []
}
