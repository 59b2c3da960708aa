// The command line: finds the command, runs it, and turns whatever goes wrong into one line with a code.
import { Command, CommanderError } from 'commander'
import { EXIT, Refusal } from '../errors.js'
import { nearest } from '../text/nearest.js'
import { quoteCommand } from '../text/prompt/quote.js'
import { carryPlaces } from './carried.js'
import { COMMANDS, type Declared } from './command-list.js'
import type { GlobalFlags } from './context.js'
import { didYouMean } from './meant.js'
import { refuseMissingValue } from './missing-value.js'
import { addGlobalFlags } from './options.js'
import { outliveOutputs, refuse, settleData, type Format } from './output.js'
import { withTyped } from './typed.js'

/** What an action is given: arguments by position, its own flags together with the global ones, and all words as they were typed. */
export type Call<Flags = Record<string, never>> = { args: string[]; flags: Flags & GlobalFlags; version: string; words: readonly string[] }

type Action = { default: (call: Call<never>) => Promise<number> }

/** Commands that open a session. */
const OPENING: ReadonlySet<string> = new Set(['run', 'open'])

/** Below this commander would leave the breaking of lines to the terminal, which breaks words. */
const NARROWEST_COLUMN = 16

const EXAMPLES = [
  'run "make the tests pass" --gate "npm test" --agent claude',
  'run ooda --max-iterations 5 --agent codex',
  'status',
]

/** Commands that change something: typed once more they would do another thing, and `status` tells what they did. */
const CHANGING: ReadonlySet<string> = new Set([
  'run', 'open', 'step', 'resume', 'reply', 'hint', 'pause', 'stop', 'baseline', 'repair', 'undo', 'redo', 'minimise', 'accept', 'clean', 'demo', 'init', 'fleet',
])

const NAMES: ReadonlySet<string> = new Set(COMMANDS.map(({ name }) => name))

export async function main(argv: string[], version: string): Promise<number> {
  outliveOutputs()
  const words = argv.slice(2)
  const told = CHANGING.has(words.find((word) => NAMES.has(word)) ?? '') ? ['status'] : words
  return settleData(await codeOf(argv, version), quoteCommand(['greenlatch', ...told]))
}

async function codeOf(argv: string[], version: string): Promise<number> {
  let code = 0
  const words = argv.slice(2)
  const program = buildProgram(version, words, (result) => (code = result))
  try {
    refuseMissingValue(program, words)
    await program.parseAsync(argv)
    return code
  } catch (error) {
    if (error instanceof CommanderError) return usage(error, argv)
    return refuse(error, formatOf(argv))
  }
}

function buildProgram(version: string, words: readonly string[], setCode: (code: number) => void): Command {
  const program = new Command('greenlatch')
    .description('Drives any AI coding agent round a loop until your own checks prove the work is done, or stops early and says why.')
    .version(version, '-V, --version')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .configureHelp({ minWidthToWrap: NARROWEST_COLUMN })
    .addHelpText('after', examplesText(EXAMPLES))
  addGlobalFlags(program)
  for (const declared of COMMANDS) addCommand(program, declared, { version, words, setCode })
  addCompletion(program)
  return program
}

type Told = { version: string; words: readonly string[]; setCode: (code: number) => void }

function addCommand(parent: Command, { name, summary, load, shape, examples, parts }: Declared, told: Told): void {
  const bare = parent.command(name).description(summary).copyInheritedSettings(parent)
  const command = shape ? shape(bare) : bare
  addGlobalFlags(command)
  command.addHelpText('after', examplesText(examples))
  if (parts) return parts.forEach((part) => addCommand(command, part, told))
  command.action(async (...all: unknown[]) => {
    const { default: action } = (await load()) as Action
    const args = all.slice(0, -2).flat().filter((word): word is string => typeof word === 'string')
    const flags: GlobalFlags = command.optsWithGlobals()
    carryPlaces(flags)
    const call = { args, flags, version: told.version, words: told.words } as Call<never>
    told.setCode(
      await action(call).catch((error: unknown) => {
        throw OPENING.has(name) ? withTyped(error, told.words) : error
      }),
    )
  })
}

/** It needs the whole program, so it is the one command that is not loaded by itself. */
function addCompletion(program: Command): void {
  const examples = ['completion bash > ~/.local/share/bash-completion/completions/greenlatch', 'completion zsh > ~/.zfunc/_greenlatch', 'completion fish > ~/.config/fish/completions/greenlatch.fish']
  const command = program
    .command('completion')
    .description('a script that completes words in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .copyInheritedSettings(program)
    .addHelpText('after', examplesText(examples))
  command.action(async (shell: string) => {
    const { completionScript } = await import('./commands/completion.js')
    const { builtinProcedures } = await import('../procedures/index.js')
    process.stdout.write(completionScript(program, Object.keys(builtinProcedures), shell))
  })
}

function examplesText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((line) => `  $ greenlatch ${line}`).join('\n')}`
}

// ───────────────────────────── wrong command lines ─────────────────────────────

function usage(error: CommanderError, argv: string[]): number {
  if (error.exitCode === 0) return 0
  const isUnknown = error.code === 'commander.unknownCommand' || error.code === 'commander.help'
  const meant = isUnknown ? nearest((argv[2] === 'help' ? argv[3] : argv[2]) ?? '', COMMANDS.map(({ name }) => name)) : argv[2]
  const known = meant && !meant.startsWith('-')
  return refuse(new Refusal(EXIT.usage, faultOf(error, argv), `greenlatch${known ? ` ${meant}` : ''} --help`), formatOf(argv))
}

/** Where help was shown because nothing else could be done, commander names no fault. */
function faultOf({ code, message }: CommanderError, argv: string[]): string {
  if (code !== 'commander.help') return withMeant(message.replace(/^error: /, ''))
  const named = argv[3] ?? ''
  return argv[2] === 'help' ? `there is no command "${named}"${didYouMean(named, COMMANDS.map(({ name }) => name))}` : 'no command is given'
}

/** Commander lists what may be chosen, and leaves it to people to find what they meant. */
function withMeant(message: string): string {
  const [, word, choices] = /argument '([^']*)' is invalid\. (?:Allowed choices are|"[^"]*" is none of) ([^.]+)\.$/.exec(message) ?? []
  return word === undefined || choices === undefined ? message : message + didYouMean(word, choices.split(', '))
}

function formatOf(argv: readonly string[]): Format {
  const at = argv.indexOf('--output')
  const named = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--output='))?.slice('--output='.length)
  return named === 'jsonl' || named === 'json' ? named : argv.includes('--json') ? 'json' : 'text'
}
