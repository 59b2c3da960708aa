// `completion`: a script for the user's shell. It holds every word as it stands and evaluates nothing of what is typed.
import type { Command, Option } from 'commander'
import { EXIT, Refusal } from '../../errors.js'
import { ARTIFACT_NAMES } from '../../text/artifacts/artifacts.js'
import { SCOPES } from '../../text/estimate.js'
import { nearest } from '../../text/nearest.js'
import { TEMPLATES } from '../../text/project/settings-text.js'
import { SCENARIOS } from '../demo/scenarios.js'
import { didYouMean } from '../meant.js'

/** What may stand after one place of the line: flags, those of them that want a value, what some of these take, and other words. */
type Offered = { flags: string[]; takers: string[]; values: Values; words: string[] }
type Values = readonly { flag: string; choices: readonly string[] }[]
/** A command with its parts. `before`: what may stand before any command. */
type Spoken = Offered & { name: string; summary: string }
type Line = { before: Offered; commands: readonly Spoken[] }

const WRITERS: Record<string, (line: Line) => string> = { bash, zsh, fish }

export function completionScript(program: Command, procedures: string[], shell: string): string {
  const write = WRITERS[shell]
  const shells = Object.keys(WRITERS)
  if (!write) throw new Refusal(EXIT.usage, `there is no completion for "${shell}"${didYouMean(shell, shells)}; there is one for ${shells.join(', ')}`, `greenlatch completion ${nearest(shell, shells) ?? 'bash'}`)
  const { flags, ...before } = offeredBy(program.options, program.commands.map((command) => command.name()))
  return write({ before: { ...before, flags: [...new Set([...flags, '--help'])] }, commands: program.commands.map((command) => spokenOf(command, procedures)) })
}

function spokenOf(command: Command, procedures: string[]): Spoken {
  const words = command.commands.length > 0 ? command.commands.map((part) => part.name()) : argumentsOf(command.name(), procedures)
  const options = [command, ...command.commands].flatMap((part) => part.options)
  return { name: command.name(), summary: command.description(), ...offeredBy(options, words) }
}

function offeredBy(options: readonly Option[], words: string[]): Offered {
  const choicesOf = new Map(options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices.filter((choice) => !choice.includes(' '))] as const] : [])))
  return {
    flags: [...new Set(options.flatMap(({ long, short }) => long ?? short ?? []))],
    takers: [...new Set(options.flatMap(({ long, short, required }) => (required ? [long, short].filter((name) => name !== undefined) : [])))],
    values: Array.from(choicesOf, ([flag, choices]) => ({ flag, choices })),
    words,
  }
}

const list = (words: readonly string[]): string => words.join(' ')

/** Found by looking for a flag between two spaces. */
const spaced = (words: readonly string[]): string => ` ${list(words)} `

const all = ({ flags, words }: Offered): string => list([...flags, ...words])

/** A pattern of a shell's `case` for a command, or none, then its flag, and what that takes. */
function valueCases({ before, commands }: Line, offer: (words: string) => string): string {
  const lines = [{ name: '', values: before.values }, ...commands].flatMap(({ name, values }) => values.map(({ flag, choices }) => `      '${name} ${flag}') ${offer(list(choices))} ;;`))
  return lines.join('\n')
}

/** Flags may stand before the command, some with a value. Readline breaks words at =, unless it is told otherwise. */
function bash(line: Line): string {
  const cases = line.commands.map((command) => `          ${command.name}) words='${all(command)}' takers='${spaced(command.takers)}' ;;`)
  return `# bash completion for greenlatch
_greenlatch() {
  local current=\${COMP_WORDS[COMP_CWORD]} words='${all(line.before)}' takers='${spaced(line.before.takers)}' verb= flag= prefix= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      =) flag=\${flag:-=} ;;
      *) if [[ -n $flag ]]; then flag=
        elif [[ $word == -- ]]; then takers=
        elif [[ $word == -* ]]; then [[ $takers != *" $word "* ]] || flag=$word
        elif [[ -z $verb ]]; then verb=$word words= takers=; case $verb in
${cases.join('\n')}
        esac; fi ;;
    esac
  done
  if [[ $current == = ]]; then current= flag=\${flag:-=}
  elif [[ -z $flag && $current == --*=* ]]; then flag=\${current%%=*} current=\${current#*=} prefix=$flag=; fi
  if [[ -n $flag ]]; then
    words=
    case "$verb $flag" in
${valueCases(line, (words) => `words='${words}'`)}
    esac
  fi
  COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$current"))
}
complete -o default -F _greenlatch greenlatch
`
}

function zsh(line: Line): string {
  const cases = line.commands.map((command) => `        ${command.name}) offered=(${all(command)}) takers='${spaced(command.takers)}' ;;`)
  return `#compdef greenlatch
_greenlatch() {
  local -a offered=(${all(line.before)})
  local takers='${spaced(line.before.takers)}' verb= flag= word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $flag ]]; then flag=
    elif [[ $word == -- ]]; then takers=
    elif [[ $word == -* ]]; then [[ $takers != *" $word "* ]] || flag=$word
    elif [[ -z $verb ]]; then verb=$word offered=() takers=
      case $verb in
${cases.join('\n')}
      esac
    fi
  done
  if [[ -z $flag && $words[CURRENT] == --*=* ]]; then flag=\${words[CURRENT]%%=*}; compset -P 1 '*='; fi
  if [[ -n $flag ]]; then
    offered=()
    case "$verb $flag" in
${valueCases(line, (words) => `offered=(${words})`)}
    esac
  fi
  ((! $#offered)) || compadd -- $offered
  [[ -n $flag && $#offered -gt 0 ]] || [[ -z $verb && -z $flag ]] || _files
}
compdef _greenlatch greenlatch
# Loaded by the first Tab, this file is the function: that Tab has to be answered, too.
[[ $funcstack[1] != _greenlatch ]] || _greenlatch "$@"
`
}

function fish({ before, commands }: Line): string {
  const at = (name: string): string => `complete -c greenlatch -n '__greenlatch_at "${name}"'`
  const flagLines = (name: string, offered: Offered): string[] => offered.flags.map((flag) => `${at(name)} ${fishFlag(flag, offered)}`)
  const lines = [
    `${at('')} -f`,
    ...flagLines('', before),
    ...commands.flatMap((command) => [
      `${at('')} -a ${command.name} -d ${inFish(command.summary)}`,
      ...flagLines(command.name, command),
      ...command.words.map((word) => `${at(command.name)} -a ${word}`),
    ]),
  ]
  return `# fish completion for greenlatch
# Whether this is the command so far; flags may stand before it, some with a value.
function __greenlatch_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l flag
  set -l verb
  for word in $words
    if test -n "$flag"
      set flag
    else if contains -- $word ${list(before.takers)}
      set flag $word
    else if not string match -q -- '-*' $word
      set verb $word
      break
    end
  end
  test "$verb" = $argv[1]
end
${lines.join('\n')}
`
}

function fishFlag(flag: string, { takers, values }: Offered): string {
  const named = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`
  const found = values.find((value) => value.flag === flag)
  return found ? `${named} -x -a '${list(found.choices)}'` : takers.includes(flag) ? `${named} -r -F` : named
}

/** Between single quotes fish reads only these two otherwise. */
function inFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
}

function argumentsOf(command: string, procedures: string[]): string[] {
  if (command === 'run' || command === 'open' || command === 'resume') return procedures
  if (command === 'procedures') return ['show', ...procedures]
  if (command === 'schema') return ['config', 'procedure', 'event', ...ARTIFACT_NAMES]
  if (command === 'init') return [...TEMPLATES]
  if (command === 'estimate') return [...SCOPES]
  if (command === 'demo') return Object.keys(SCENARIOS)
  if (command === 'trust') return ['show', 'grant', 'revoke']
  return command === 'completion' ? Object.keys(WRITERS) : []
}
