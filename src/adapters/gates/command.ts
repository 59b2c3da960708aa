// A gate that is any command: its exit status decides, and its output says what is wrong.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Failure, GateResult } from '../../core/types.js'
import type { Gate, GateOutcome, GateRequest, Limits } from '../../ports.js'
import { runProcess } from '../../process/run.js'
import type { ProcessResult } from '../../process/types.js'
import { fingerprintOf, type FailingLine } from '../../text/failing-lines.js'
import { quoteCommand } from '../../text/quote.js'
import { failingLinesOf, joinStreams } from './output.js'

export type CommandGateOptions = {
  name: string
  /** Text goes through `/bin/sh -c`, a list is started as it is. */
  run: string | readonly [string, ...string[]]
  /** Relative to the workspace. */
  cwd?: string
  /** Takes the place of the wall-clock limit of the request. */
  timeoutSeconds?: number
}

const LONGEST_TAIL_CHARS = 500

export function commandGate(options: CommandGateOptions): Gate {
  const { name, run } = options
  const argv = typeof run === 'string' ? (['/bin/sh', '-c', run] as const) : run
  const command = typeof run === 'string' ? run : quoteCommand(run)
  return {
    name,
    describe: options.cwd === undefined ? command : `${command} (in ${options.cwd})`,
    async run(request, signal) {
      // Neither the base nor a name holds a dot, so that no two gates of a session share a file.
      const base = `${request.base}.${name.replace(/[^\w-]/g, '_')}`
      const [log, stderrLog] = [`${base}.log`, `${base}.stderr.log`]
      const result = await runProcess({
        argv,
        cwd: resolve(request.cwd, options.cwd ?? '.'),
        env: placeOf(request),
        limits: limitsOf(request, options),
        stdoutPath: log,
        stderrPath: stderrLog,
        onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
        onCut: (note) => request.onActivity({ kind: 'cut', note: `${name}: ${note}` }),
        signal,
      })
      return result.ending === 'aborted' ? 'aborted' : outcomeOf(name, request, result, { log, stderrLog })
    },
  }
}

function limitsOf({ limits }: GateRequest, { timeoutSeconds }: CommandGateOptions): Limits {
  return timeoutSeconds === undefined ? limits : { ...limits, wallSeconds: timeoutSeconds, silenceSeconds: timeoutSeconds }
}

function placeOf({ session, effect }: GateRequest): Record<string, string> {
  return { GREENLATCH_SESSION: session, GREENLATCH_EFFECT: effect.id, GREENLATCH_ITERATION: String(effect.iteration) }
}

type Logs = { log: string; stderrLog: string }

async function outcomeOf(gate: string, request: GateRequest, result: ProcessResult, logs: Logs): Promise<GateOutcome> {
  const fault = await joinStreams(logs.log, logs.stderrLog)
  const exit = exitOf(result)
  const judged = exit === 'fail' || exit === 'timeout'
  const lines = judged ? await failingLinesOf(result, logs.log, request.cwd) : []
  return {
    result: {
      gate,
      exit,
      complete: result.ending === 'exited',
      known: false,
      missing: 0,
      seconds: result.seconds,
      note: noteOf(result, fault),
    },
    failures: judged ? [...lines, ...endingLine(result, exit, lines)].map((line) => failureOf(gate, line)) : [],
    files: [logs.log, logs.stderrLog].filter((path) => existsSync(path)),
  }
}

function exitOf({ ending, exitCode }: ProcessResult): GateResult['exit'] {
  switch (ending) {
    case 'exited':
      return exitCode === 0 ? 'pass' : isUnstarted(exitCode) ? 'error' : 'fail'
    case 'signalled':
      return 'fail'
    case 'timeout':
    case 'silence':
      return 'timeout'
    case 'unstartable':
    case 'aborted':
      return 'error'
  }
}

/** What shells say when the command they were given does not exist, or may not be run: then nothing was checked. */
function isUnstarted(exitCode: number | null): boolean {
  return exitCode === 127 || exitCode === 126
}

function noteOf(result: ProcessResult, fault: string | null): string {
  const lastLine = result.stderr.text.trim().split('\n').at(-1) ?? ''
  const what = result.exitCode === 127 ? 'command not found' : 'command not executable'
  const reason = isUnstarted(result.exitCode) ? [`${what}: ${lastLine.slice(0, 200)}`] : []
  const leftovers = result.leftovers === 0 ? [] : [`processes left running and ended: ${result.leftovers}`]
  return [result.note, ...reason, ...leftovers, ...(fault === null ? [] : [fault])].join('; ')
}

/** How it ended is a failure of its own when a limit cut it off, or when nothing in its output looks like one. */
function endingLine(result: ProcessResult, exit: GateResult['exit'], lines: readonly FailingLine[]): FailingLine[] {
  if (exit !== 'timeout' && lines.length > 0) return []
  const output = [result.stdout.text, result.stderr.text].map((text) => text.trim()).filter((text) => text !== '')
  const tail = output.join('\n').slice(-LONGEST_TAIL_CHARS)
  return [{ subject: exit === 'timeout' ? 'time limit' : 'exit status', message: tail === '' ? result.note : `${result.note}\n${tail}` }]
}

function failureOf(gate: string, { subject, message }: FailingLine): Failure {
  return { gate, subject, class: 'behaviour', fingerprint: fingerprintOf(gate, subject), message, runs: { failed: 1, of: 1 } }
}
