// Runs the commands of a reply: each as the words that the policy lets through, under limits, and through no shell.
import type { Commands, CommandsRequest, Ran, Sandbox } from '../../ports.js'
import type { ProcessResult } from '../../process/types.js'
import { judgeCommand, type CommandPolicy } from '../../text/commands/command-policy.js'

export type CommandsOptions = {
  policy: CommandPolicy
  /** Variables that commands of a model have no business with, such as its own key. */
  withheld: readonly string[]
  sandbox: Sandbox
  /** Variables that they are given besides. */
  env?: Readonly<Record<string, string>>
}

const MOST_COMMANDS = 10
const MOST_OUTPUT_BYTES = 64 * 1024

export function createCommands(options: CommandsOptions): Commands {
  return {
    async run(request, signal) {
      const began = performance.now()
      const ran: Ran[] = []
      for (const [at, line] of request.lines.entries()) {
        const left = request.wallSeconds - (performance.now() - began) / 1000
        const why = at >= MOST_COMMANDS ? `a reply may have ${MOST_COMMANDS} commands` : left <= 0 ? 'no time is left' : null
        const one = why === null ? await runOne(options, request, line, left, signal) : notStarted(line, 'left out', why)
        if (one === 'aborted') return 'aborted'
        ran.push(one)
      }
      return ran
    },
  }
}

async function runOne(options: CommandsOptions, request: CommandsRequest, line: string, left: number, signal: AbortSignal): Promise<Ran | 'aborted'> {
  const { policy, withheld, env = {}, sandbox } = options
  const judged = judgeCommand(line, policy)
  if (judged.kind === 'blocked') return notStarted(line, 'blocked', judged.why)
  request.onActivity({ kind: 'doing', note: line })
  const wallSeconds = Math.min(left, policy.timeoutSeconds)
  const result = await sandbox.run({
    argv: judged.argv,
    reach: { network: 'none' },
    cwd: request.cwd,
    env: { ...Object.fromEntries(withheld.map((name) => [name, undefined])), ...env, ...placeOf(request) },
    limits: { wallSeconds, silenceSeconds: wallSeconds, outputBytes: MOST_OUTPUT_BYTES },
    onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
    signal,
  })
  return result.ending === 'aborted' ? 'aborted' : ranAs(line, result)
}

function notStarted(line: string, ending: 'blocked' | 'left out', note: string): Ran {
  return { line, ending, note, output: '' }
}

/** By these a process that outlives us is found again. */
function placeOf({ session, effect }: CommandsRequest): Record<string, string> {
  return { GREENLATCH_SESSION: session, GREENLATCH_EFFECT: effect.id, GREENLATCH_ITERATION: String(effect.iteration) }
}

function ranAs(line: string, { ending, exitCode, note, stdout, stderr }: ProcessResult): Ran {
  const output = [stdout.text, stderr.text].filter((text) => text.trim() !== '').join('\n')
  const isLate = ending === 'timeout' || ending === 'silence'
  return { line, ending: isLate ? 'timeout' : ending === 'exited' && exitCode === 0 ? 'passed' : 'failed', note, output }
}
