// An agent that is any command: a fresh process for every ask, the prompt on its standard input, its answer on standard output.
import { resolve } from 'node:path'
import type { Price } from '../../agent-entry.js'
import type { Agent, Answer, AskRequest } from '../../ports.js'
import { findExecutable } from '../../process/command-line.js'
import { runProcess } from '../../process/run.js'
import type { ProcessResult } from '../../process/types.js'
import { faultIn, type AgentFault } from '../../text/agent-faults.js'
import { quoteCommand, quoteWord } from '../../text/quote.js'
import { countTokens } from '../../text/tokens.js'
import { artifactPath, placeOf } from './place.js'
import { NO_USAGE, spendOf, withPrice } from './usage.js'

export type CommandAgentOptions = {
  name: string
  argv: readonly [string, ...string[]]
  /** Where it will work: a program named by a relative path is looked for there. */
  cwd: string
  env?: Readonly<Record<string, string | undefined>>
  inText?: boolean
  price?: Price | undefined
}

const MOST_COMPLAINT = 160

export function commandAgent({ name, argv, cwd, env = {}, inText = false, price }: CommandAgentOptions): Agent {
  return {
    name,
    describe: quoteCommand(argv),
    person: false,
    inText,
    priced: price !== undefined,
    async ready() {
      const program = argv[0].includes('/') ? resolve(cwd, argv[0]) : argv[0]
      const found = findExecutable(program, { ...process.env, ...env })
      return found === null ? `${quoteWord(argv[0])} is not an executable program, here or on PATH` : null
    },
    async ask(request, signal) {
      const stderrPath = artifactPath(request, 'stderr.log')
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
      return answerOf(request, result, files, price)
    },
  }
}

function answerOf({ prompt }: AskRequest, result: ProcessResult, files: string[], price: Price | undefined): Answer {
  // A plain command does not say what it used: the least it can have been is what went in and what came out.
  const least = { ...NO_USAGE, input: countTokens(prompt), output: Math.ceil(result.stdout.bytes / 4) }
  const fault = faultOf(result)
  return {
    ending: fault ? 'unavailable' : endingOf(result),
    note: noteOf(result, fault),
    text: result.stdout.text,
    files,
    spent: spendOf(withPrice(least, price), result.seconds),
    ...(fault?.until !== undefined && { until: fault.until }),
  }
}

/** Only one that failed can have been out of reach. Where it says so differs: some complain on standard output. */
function faultOf({ ending, exitCode, stderr, stdout }: ProcessResult): AgentFault | null {
  if (ending !== 'exited' || exitCode === 0) return null
  return faultIn(stderr.text, Date.now()) ?? faultIn(stdout.text, Date.now())
}

/** How it ended; a failure with the last thing it complained of, which is usually why. */
function noteOf({ note, leftovers, exitCode, stderr }: ProcessResult, fault: AgentFault | null): string {
  const last = fault?.note ?? stderr.text.trim().split('\n').at(-1) ?? ''
  const complaint = exitCode === 0 ? '' : last.trim().slice(0, MOST_COMPLAINT)
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
