// `completion`: a script for the user's shell. It holds every word as it stands and evaluates nothing of what is typed.
import type { Command } from 'commander'
import { EXIT, Refusal } from '../../errors.js'
import { SCOPES } from '../../text/estimate.js'
import { TEMPLATES } from '../../text/project/settings-text.js'
import { SCENARIOS } from '../demo/scenarios.js'
import { didYouMean } from '../meant.js'

/** A command, its flags and those of its parts, what some of them take, and what may stand after it. */
type Spoken = { name: string; summary: string; flags: string[]; values: Values; words: string[] }
type Values = readonly { flag: string; choices: readonly string[] }[]

const WRITERS: Record<string, (commands: readonly Spoken[]) => string> = { bash, zsh, fish }

export function completionScript(program: Command, procedures: string[], shell: string): string {
  const write = WRITERS[shell]
  const shells = Object.keys(WRITERS).join('|')
  if (!write) throw new Refusal(EXIT.usage, `there is no completion for "${shell}"${didYouMean(shell, Object.keys(WRITERS))}`, `greenlatch completion ${shells}`)
  return write(program.commands.map((command) => spokenOf(command, procedures)))
}

function spokenOf(command: Command, procedures: string[]): Spoken {
  const options = [command, ...command.commands].flatMap((part) => part.options)
  const choicesOf = new Map(options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices.filter((choice) => !choice.includes(' '))] as const] : [])))
  return {
    name: command.name(),
    summary: command.description().replaceAll(/[^\w ,;.()-]/g, ''),
    flags: [...new Set(options.flatMap((option) => option.long ?? []))],
    values: Array.from(choicesOf, ([flag, choices]) => ({ flag, choices })),
    words: command.commands.length > 0 ? command.commands.map((part) => part.name()) : argumentsOf(command.name(), procedures),
  }
}

const list = (words: readonly string[]): string => words.join(' ')

/** A pattern of a shell's `case` for a command, then its flag, and what that takes. */
function valueCases(commands: readonly Spoken[], offer: (words: string) => string): string[] {
  return commands.flatMap(({ name, values }) => values.map(({ flag, choices }) => `    '${name} ${flag}') ${offer(list(choices))} ;;`))
}

function bash(commands: readonly Spoken[]): string {
  const cases = commands.map(({ name, flags, words }) => `    ${name}) words='${list([...flags, ...words])}' ;;`)
  return `# bash completion for greenlatch
_greenlatch() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='${list(commands.map((command) => command.name))} --help --version'
  if ((COMP_CWORD > 1)); then case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words='' ;;
  esac; case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(commands, (words) => `words='${words}'`).join('\n')}
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
  case "$words[2] $words[CURRENT-1]" in
${valueCases(commands, (words) => `compadd -- ${words}; return`).join('\n')}
  esac
  case $words[2] in
${cases.join('\n')}
  esac
  _files
}
compdef _greenlatch greenlatch
# Loaded by the first Tab, this file is the function: that Tab has to be answered, too.
[[ $funcstack[1] != _greenlatch ]] || _greenlatch "$@"
`
}

function fish(commands: readonly Spoken[]): string {
  const lines = commands.flatMap(({ name, summary, flags, values, words }) => [
    `complete -c greenlatch -n __fish_use_subcommand -a ${name} -d '${summary}'`,
    ...flags.map((flag) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${takes(values, flag)}`),
    ...words.map((word) => `complete -c greenlatch -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
  ])
  return `# fish completion for greenlatch\n${lines.join('\n')}\n`
}

function takes(values: Values, flag: string): string {
  const found = values.find((value) => value.flag === flag)
  return found ? ` -x -a '${list(found.choices)}'` : ''
}

function argumentsOf(command: string, procedures: string[]): string[] {
  if (command === 'run' || command === 'open' || command === 'resume') return procedures
  if (command === 'procedures') return ['show', ...procedures]
  if (command === 'schema') return ['config', 'procedure']
  if (command === 'init') return [...TEMPLATES]
  if (command === 'estimate') return [...SCOPES]
  if (command === 'demo') return Object.keys(SCENARIOS)
  if (command === 'trust') return ['show', 'grant', 'revoke']
  return command === 'completion' ? Object.keys(WRITERS) : []
}
