// Every command with its flags and examples. Actions are loaded when they are called, so that help costs little.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { EXIT, Refusal } from '../errors.js'
import { ignoreClosedPipes, refuse, type Format } from './output.js'
import type { GlobalFlags } from './context.js'

/** What an action is given: arguments by position, its own flags together with the global ones. */
export type Call<Flags = Record<string, never>> = { args: string[]; flags: Flags & GlobalFlags; version: string }
type Action = { default: (call: Call<never>) => Promise<number> }

export async function main(argv: string[], version: string): Promise<number> {
  ignoreClosedPipes()
  let code = 0
  const program = buildProgram(version, (result) => (code = result))
  try {
    addCompletion(program)
    await program.parseAsync(argv)
    return code
  } catch (error) {
    if (error instanceof CommanderError) return usage(error, argv)
    return refuse(error, formatOf(argv))
  }
}

/** It needs the whole program, so it is the one command that is not loaded by itself. */
function addCompletion(program: Command): void {
  const command = program
    .command('completion')
    .description('a script that completes words in your shell')
    .argument('<shell>', 'bash, zsh or fish')
    .copyInheritedSettings(program)
    .addHelpText('after', '\nExamples:\n  $ greenlatch completion bash > ~/.local/share/bash-completion/completions/greenlatch\n  $ source <(greenlatch completion bash)')
  command.action(async (shell: string) => {
    const { completionScript } = await import('./commands/completion.js')
    const { builtinProcedures } = await import('../procedures/index.js')
    process.stdout.write(completionScript(program, Object.keys(builtinProcedures), shell))
  })
}

function usage(error: CommanderError, argv: string[]): number {
  if (error.exitCode === 0) return 0
  const known = argv[2] && !argv[2].startsWith('-') && error.code !== 'commander.unknownCommand' && error.code !== 'commander.help'
  return refuse(new Refusal(EXIT.usage, faultOf(error, argv), `greenlatch${known ? ` ${argv[2]}` : ''} --help`), formatOf(argv))
}

/** Where help was shown because nothing else could be done, commander names no fault. */
function faultOf({ code, message }: CommanderError, argv: string[]): string {
  if (code !== 'commander.help') return message.replace(/^error: /, '')
  return argv[2] === 'help' ? `there is no command "${argv[3] ?? ''}"` : 'no command is given'
}

function formatOf(argv: readonly string[]): Format {
  const at = argv.indexOf('--output')
  const named = at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--output='))?.slice('--output='.length)
  return named === 'jsonl' || named === 'json' ? named : argv.includes('--json') ? 'json' : 'text'
}

function buildProgram(version: string, setCode: (code: number) => void): Command {
  const program = new Command('greenlatch')
    .description('Drives any AI coding agent round a loop until your own checks prove the work is done, or stops early and says why.')
    .version(version, '-V, --version')
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
  addGlobalFlags(program)
  const add = (usageText: string, summary: string, load: () => Promise<unknown>, shape: (command: Command) => Command, examples: string[]): void => {
    const command = shape(program.command(usageText).description(summary).copyInheritedSettings(program))
    addGlobalFlags(command)
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ greenlatch ${line}`).join('\n')}`)
    command.action(async (...all: unknown[]) => {
      const { default: action } = (await load()) as Action
      const args = all.slice(0, -2).flat().filter((word): word is string => typeof word === 'string')
      setCode(await action({ args, flags: command.optsWithGlobals(), version } as Call<never>))
    })
  }
  addLoopCommands(add)
  addTalkCommands(add)
  addLookCommands(add)
  program.addHelpText('after', '\nExamples:\n  $ greenlatch run "make the tests pass" --gate "npm test" --ai-cmd "claude -p"\n  $ greenlatch run ooda --max-iterations 5 --ai-cmd "codex exec -"\n  $ greenlatch status')
  return program
}

function addGlobalFlags(command: Command): void {
  command
    .option('-C <dir>', 'work as if started in this folder')
    .option('--config <file>', 'read this file instead of greenlatch.yaml')
    .option('--state-dir <dir>', 'keep sessions in this folder')
    .option('--json', 'write the result as JSON on standard output')
    .addOption(new Option('--output <format>', 'format of standard output').choices(['text', 'json', 'jsonl']))
    .addOption(new Option('--ui <kind>', 'how progress is shown').choices(['auto', 'stream', 'none']))
    .option('-q, --quiet', 'say nothing but results and errors')
    .option('--no-input', 'never ask; a question becomes an error that names the flag')
    .option('--yes', 'take the offered answer to every question')
}

type Add = (usage: string, summary: string, load: () => Promise<unknown>, shape: (command: Command) => Command, examples: string[]) => void

const collect = (value: string, before: string[] = []): string[] => [...before, value]

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError(`"${value}" is not a whole number of 0 or more.`)
  return Number(value)
}

function amount(value: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(value)) throw new InvalidArgumentError(`"${value}" is not an amount.`)
  return Number(value)
}

/** Flags that say what to do and who does it: shared by `run` and `open`. */
function taskFlags(command: Command): Command {
  return command
    .option('--task <file>', 'read the task from this file')
    .option('--context <text or file>', 'add to the prompt (repeatable)', collect)
    .option('--observe <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--orient <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--decide <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--act <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--agent <name>', 'who answers: a configured name, role=name, scripted:<file> or paste (repeatable)', collect)
    .option('--ai-cmd <command>', 'answer every role by this command, with the prompt on its standard input')
    .option('--gate <command>', 'a check that has to pass, as name=command or command (repeatable)', collect)
    .option('--failure-threshold <n>', 'setbacks in a row that end the session', wholeNumber)
    .option('--min-iterations <n>', 'iterations before success counts', wholeNumber)
    .option('--fresh', 'begin anew although an interrupted session is there')
    .option('--parallel', 'begin although another session of this procedure is running')
}

function boundFlags(command: Command): Command {
  return command
    .option('--max-iterations <n>', 'most iterations; 0 is no limit', wholeNumber)
    .option('--max-time <duration>', 'most active time, such as 90s, 30m or 8h')
    .option('--max-tokens <n>', 'most tokens', wholeNumber)
    .option('--max-cost <usd>', 'most money in US dollars', amount)
}

function addLoopCommands(add: Add): void {
  add('run', 'loop to an outcome', () => import('./commands/run.js'), (command) =>
    boundFlags(taskFlags(command.argument('[procedure-or-task...]', 'a procedure, a task in quotes, or both')))
      .option('--dry-run', 'show the first prompt and what would run, and run nothing')
      .option('--detach', 'go on in the background'),
  ['run "make the tests pass" --gate "npm test" --ai-cmd "claude -p"', 'run ooda --max-iterations 3 --agent scripted:script.yaml', 'run ooda --dry-run --ai-cmd "claude -p"'])
  add('open', 'make a session without running it', () => import('./commands/open.js'), (command) =>
    boundFlags(taskFlags(command.argument('[procedure-or-task...]', 'a procedure, a task in quotes, or both'))),
  ['open ooda "tidy the parser" --agent paste'])
  add('step', 'exactly one transition of a session', () => import('./commands/step.js'), (command) => command.argument('[session]'), ['step'])
  add('resume', 'go on with a session that was interrupted, paused or stopped', () => import('./commands/resume.js'), (command) =>
    boundFlags(command.argument('[procedure-or-session]'))
      .option('--detach', 'go on in the background'),
  ['resume', 'resume ooda', 'resume --max-iterations 40'])
}

function addTalkCommands(add: Add): void {
  add('reply', "hand in a person's answer to the prompt that waits", () => import('./commands/reply.js'), (command) =>
    command.argument('[session]').option('--file <file>', 'take the answer from this file instead of standard input'),
  ['reply --file answer.md', 'reply < answer.md'])
  add('hint', 'guidance for the next candidate', () => import('./commands/hint.js'), (command) =>
    command.argument('<session-or-text...>', 'the hint in quotes, with the session before it when it is not the newest'),
  ['hint "the parser is in src/parse.ts"'])
  add('pause', 'pause at the end of the phase under way', () => import('./commands/pause.js'), (command) => command.argument('[session]'), ['pause'])
  add('stop', 'stop at the end of the phase under way', () => import('./commands/stop.js'), (command) =>
    command.argument('[session]').option('--now', 'end the phase under way at once'), ['stop --now'])
}

function addLookCommands(add: Add): void {
  add('status', 'where a session stands', () => import('./commands/status.js'), (command) =>
    command.argument('[session]').option('--short', 'one line').option('--wait', 'wait until it is at rest and exit with its code'), ['status', 'status --json', 'status --wait'])
  add('logs', 'the events of a session', () => import('./commands/logs.js'), (command) =>
    command.argument('[session]').option('-f, --follow', 'go on as events come').option('--iter <n>', 'only this iteration', wholeNumber).option('--phase <name>', 'only this phase'),
  ['logs', 'logs --iter 2', 'logs -f', 'logs --output jsonl'])
  add('sessions', 'all sessions of this repository', () => import('./commands/sessions.js'), (command) => command, ['sessions', 'sessions --json'])
  add('path', "where a session's files are", () => import('./commands/path.js'), (command) => command.argument('[session]'), ['path'])
  add('config', 'every setting with its value and where it comes from', () => import('./commands/config.js'), (command) => command, ['config', 'config --json'])
  add('procedures', 'the procedures there are, or one of them in full', () => import('./commands/procedures.js'), (command) =>
    command.argument('[show-and-name...]'), ['procedures', 'procedures show ooda'])
  add('schema', 'JSON Schema of the configuration or of a procedure', () => import('./commands/schema.js'), (command) =>
    command.argument('[name]', 'config or procedure', 'config'), ['schema', 'schema procedure'])
  add('repair', 'recover a session whose journal is damaged; nothing is deleted', () => import('./commands/repair.js'), (command) =>
    command.argument('[session]'), ['repair'])
}
