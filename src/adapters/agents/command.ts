// An agent that is any command: a fresh process for every ask, the prompt on its standard input, its answer on standard output.
import { resolve } from 'node:path'
import type { Agent, Answer, AskRequest } from '../../ports.js'
import { findExecutable } from '../../process/command-line.js'
import { runProcess } from '../../process/run.js'
import type { ProcessResult } from '../../process/types.js'
import { quoteCommand, quoteWord } from '../../text/quote.js'
import { countTokens } from '../../text/tokens.js'

export type CommandAgentOptions = {
  name: string
  argv: readonly [string, ...string[]]
  /** Where it will work: a program named by a relative path is looked for there. */
  cwd: string
  env?: Readonly<Record<string, string | undefined>>
  inText?: boolean
}

const MOST_COMPLAINT = 160

export function commandAgent({ name, argv, cwd, env = {}, inText = false }: CommandAgentOptions): Agent {
  return {
    name,
    describe: quoteCommand(argv),
    person: false,
    inText,
    async ready() {
      const program = argv[0].includes('/') ? resolve(cwd, argv[0]) : argv[0]
      const found = findExecutable(program, { ...process.env, ...env })
      return found === null ? `${quoteWord(argv[0])} is not an executable program, here or on PATH` : null
    },
    async ask(request, signal) {
      const stderrPath = stderrPathFor(request.responsePath)
      const result = await runProcess({
        // The prompt never becomes an argument: arguments are seen by every user, are bounded, and could be read as options.
        argv,
        stdin: request.prompt,
        cwd: request.cwd,
        env: { ...env, ...placeOf(request) },
        limits: request.limits,
        stdoutPath: request.responsePath,
        stderrPath,
        onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
        onCut: (note) => request.onActivity({ kind: 'cut', note }),
        signal,
      })
      // A file is made with the first byte that goes into it.
      const files = [...(result.stdout.bytes > 0 ? [request.responsePath] : []), ...(result.stderr.bytes > 0 ? [stderrPath] : [])]
      return answerOf(request, result, files)
    },
  }
}

function placeOf({ session, effect }: AskRequest): Record<string, string> {
  return { GREENLATCH_SESSION: session, GREENLATCH_EFFECT: effect.id, GREENLATCH_ITERATION: String(effect.iteration) }
}

function stderrPathFor(responsePath: string): string {
  return `${responsePath.replace(/(?:-response)?\.\w+$/, '')}-stderr.log`
}

function answerOf({ prompt }: AskRequest, result: ProcessResult, files: string[]): Answer {
  return {
    ending: endingOf(result),
    note: noteOf(result),
    text: result.stdout.text,
    files,
    // A plain command does not say what it used: the least it can have been is what went in and what came out.
    spent: { seconds: result.seconds, tokens: countTokens(prompt) + Math.ceil(result.stdout.bytes / 4), usd: 0 },
  }
}

/** How it ended; a failure with the last thing it complained of, which is usually why. */
function noteOf({ note, leftovers, exitCode, stderr }: ProcessResult): string {
  const complaint = exitCode === 0 ? '' : (stderr.text.trim().split('\n').at(-1) ?? '').trim().slice(0, MOST_COMPLAINT)
  const said = complaint === '' ? note : `${note}: ${complaint}`
  return leftovers === 0 ? said : `${said}; ${countOf(leftovers)} left running and ended`
}

function endingOf({ ending, exitCode }: ProcessResult): Answer['ending'] {
  switch (ending) {
    case 'exited':
      return exitCode === 0 ? 'done' : 'failed'
    case 'signalled':
      return 'failed'
    case 'unstartable':
      return 'unavailable'
    case 'timeout':
    case 'silence':
    case 'aborted':
      return ending
  }
}

function countOf(processes: number): string {
  return processes === 1 ? '1 process was' : `${processes} processes were`
}
