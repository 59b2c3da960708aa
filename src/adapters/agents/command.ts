// An agent that is any command: a fresh process for every ask, the prompt on its standard input, its answer on standard output.
import { resolve } from 'node:path'
import type { Price } from '../../agent-entry.js'
import type { Agent, Answer, AskRequest, Sandbox } from '../../ports.js'
import { findExecutable } from '../../process/command-line.js'
import type { ProcessResult } from '../../process/types.js'
import { faultIn, type AgentFault } from '../../text/agent-faults/agent-faults.js'
import { quoteCommand, quoteWord } from '../../text/prompt/quote.js'
import { countTokens } from '../../text/prompt/tokens.js'
import { runForAsk } from './ask-process.js'
import { reachOfAgent } from './reach.js'
import { NO_USAGE, spendOf, withPrice } from './usage.js'

/** A command, and what it is started with. */
export type CommandAgentOptions = {
  /** What sessions and reports call it. */
  name: string
  /** The program and its arguments; no shell is between. */
  argv: readonly [string, ...string[]]
  /** Where it will work: a program named by a relative path is looked for there. */
  cwd: string
  /** Added to the environment it is given; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>
  /** True when it cannot edit files itself: those in its reply are written for it. False where nothing is said. */
  inText?: boolean
  /** What a million tokens cost in US dollars; without it nobody knows what it costs. */
  price?: Price | undefined
  /** Where it runs. */
  sandbox: Sandbox
  /** Values that it may know and nobody else may read. */
  secrets?: readonly string[]
}

const MOST_COMPLAINT = 160

/** An agent that is a command: its prompt on standard input, its answer on standard output. */
export function commandAgent({ name, argv, cwd, env = {}, inText = false, price, sandbox, secrets = [] }: CommandAgentOptions): Agent {
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
      // The prompt never becomes an argument: arguments are seen by every user, are bounded, and could be read as options.
      const program = argv[0].includes('/') ? resolve(request.cwd, argv[0]) : (findExecutable(argv[0], { ...process.env, ...env }) ?? argv[0])
      const reach = reachOfAgent({ known: null, argv: [program, ...argv.slice(1)], env })
      const { result, files } = await runForAsk(request, { argv, env, stdin: request.prompt, stdoutPath: request.responsePath, secrets, sandbox, reach, signal })
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
    ...(fault?.kind === 'login' && { closed: true }),
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
