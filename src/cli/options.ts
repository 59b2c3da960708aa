// The flags that several commands share, and how their values are read.
import { InvalidArgumentError, Option, type Command } from 'commander'

export const collect = (value: string, before: string[] = []): string[] => [...before, value]

export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError(`"${value}" is not a whole number of 0 or more.`)
  return Number(value)
}

const PERMITS = ['tests', 'dependencies', 'runner', 'ci']

function permitted(value: string, before: string[] = []): string[] {
  if (!PERMITS.includes(value)) throw new InvalidArgumentError(`"${value}" is none of ${PERMITS.join(', ')}.`)
  return [...before, value]
}

export function positive(value: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(value) || Number(value) === 0) throw new InvalidArgumentError(`"${value}" is not a number above 0.`)
  return Number(value)
}

export function amount(value: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(value)) throw new InvalidArgumentError(`"${value}" is not an amount.`)
  return Number(value)
}

export function addGlobalFlags(command: Command): void {
  command
    .option('-C <dir>', 'work as if started in this folder')
    .option('--config <file>', 'read this file instead of greenlatch.yaml')
    .option('--state-dir <dir>', 'keep sessions in this folder')
    .option('--json', 'write the result as JSON on standard output')
    .addOption(new Option('--output <format>', 'format of standard output').choices(['text', 'json', 'jsonl']))
    .addOption(new Option('--ui <kind>', 'how progress is shown').choices(['auto', 'live', 'stream', 'plain', 'none']))
    .option('-q, --quiet', 'say nothing but results and errors')
    .option('--accessible', 'tell progress in sentences, without a screen that is drawn again')
    .option('--no-color', 'show no colours')
    .option('--no-input', 'never ask; a question becomes an error that names the flag')
    .option('--yes', 'take the offered answer to every question')
}

/** For whatever may run what a file of the repository names. */
export function trustFlag(command: Command): Command {
  return command.option('--trust <hash>', 'trust what the files of this repository would run, in the state that has this hash (repeatable)', collect)
}

/** Everything that `run` and `open` are told about a session. */
export function sessionFlags(command: Command): Command {
  return trustFlag(sandboxFlag(placeFlags(scopeFlags(proofFlags(boundFlags(taskFlags(command))))))).option('--minimise', 'leave out of the proved result what its checks do not need')
}

/** What to do and who does it. */
function taskFlags(command: Command): Command {
  return agentFlags(command)
    .argument('[procedure-or-task...]', 'a procedure, a task in quotes, or both')
    .option('--task <file>', 'read the task from this file')
    .option('--spec <file>', 'the same, for a specification')
    .option('--philosophy <file>', 'how work is done here: a section of the prompts')
    .option('--context <text or file>', 'add to the prompt (repeatable)', collect)
    .option('--observe <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--orient <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--decide <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--act <text or file>', 'replace this part of the prompt (repeatable)', collect)
    .option('--profile <name or path>', 'who writes the prompts and reads the answers, in procedures with profiles')
    .option('--param <name=value>', 'a parameter of the profile (repeatable)', collect)
    .option('--gate <command>', 'a check that has to pass, as name=command or command (repeatable)', collect)
    .option('--pass-env <name>', 'hand this variable of your environment on to agents, gates and commands (repeatable)', collect)
    .option('--failure-threshold <n>', 'setbacks in a row that end the session', wholeNumber)
    .option('--min-iterations <n>', 'iterations before success counts', wholeNumber)
    .option('--fresh', 'begin anew although an interrupted session is there')
    .option('--parallel', 'begin although another session of this procedure is running')
}

/** Who answers. */
export function agentFlags(command: Command): Command {
  return command
    .option('--agent <name>', 'who answers: a known or configured name, role=name, repair, scripted:<file> or paste (repeatable)', collect)
    .option('--ai-cmd <command>', 'answer every role by this command, with the prompt on its standard input')
    .option('--ai-cmd-alias <name>', 'answer every role by a command line that is known by name, such as claude or codex')
    .option('--url <address>', 'answer every role by the model at this address, which speaks as OpenAI chat does')
    .option('--model <name>', 'the model to ask for')
}

export function boundFlags(command: Command): Command {
  return command
    .option('--max-iterations <n>', 'most iterations; 0 is no limit', wholeNumber)
    .option('--max-time <duration>', 'most active time, such as 90s, 30m or 8h')
    .option('--max-tokens <n>', 'most tokens', wholeNumber)
    .option('--max-cost <usd>', 'most money in US dollars', amount)
}

/** What has to be proved, and how well. */
export function proofFlags(command: Command): Command {
  return command
    .option('--target <test>', 'a test that has to pass in the end, by id or with *, or gate:<name> (repeatable)', collect)
    .option('--excuse <test>', 'a test that fails at the start and may go on failing, by id or with * (repeatable)', collect)
    .addOption(new Option('--require <label>', 'an end with a lesser label exits with 6').choices(['verified', 'partly verified']))
    .addOption(
      new Option('--permit <what>', 'may be changed though the checks depend on it: tests, dependencies, runner or ci (repeatable)').argParser(permitted),
    )
}

/** What may be changed. */
export function scopeFlags(command: Command): Command {
  return command
    .option('--allow <glob>', 'only what this takes may be changed (repeatable); a folder means all below it', collect)
    .option('--deny <glob>', 'what this takes may never be changed (repeatable)', collect)
    .option('--diff-budget <files/lines>', 'most files and lines that may be changed, such as 20/800, 20/ or /800')
}

export function sandboxFlag(command: Command): Command {
  return command.addOption(new Option('--sandbox <kind>', 'where agents, gates and commands run').choices(['auto', 'bubblewrap', 'container', 'none']))
}

/** Where the work is done and what is left of it. */
function placeFlags(command: Command): Command {
  return command
    .option('--project <dir>', 'a folder with task.md and philosophy.md, as init <name> makes it; the work is done there')
    .option('--workspace <dir>', 'do the work in this folder instead')
    .option('--in-place', 'work in your own folder instead of a copy')
    .addOption(new Option('--dirty <how>', 'what becomes of changes you have not committed').choices(['include', 'ignore']))
    .option('--branch <name>', 'the branch the work is done on')
    .option('--id <id>', 'names the branch feature/<procedure>-<id>, in procedures with a branch')
    .addOption(new Option('--leave <which>', 'which state is handed over at the end').choices(['last', 'best']))
}
