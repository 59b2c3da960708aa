// A gate that is any command: its exit status and the reports of the test runners it starts decide together.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { Failure, GateResult } from '../../core/types.js'
import { errnoOf } from '../../files/durable.js'
import type { Gate, GateOutcome, GateRequest, Limits, Sandbox } from '../../ports.js'
import type { ProcessResult } from '../../process/types.js'
import { fingerprintOf, type FailingLine } from '../../text/failures/failing-lines.js'
import { failureOf } from '../../text/failures/fingerprint.js'
import { quoteCommand } from '../../text/prompt/quote.js'
import { failingLinesOf, joinStreams, type Output } from './output.js'
import type { ReportOption } from './runners/report-files.js'
import { verdictOf, verdictOnly, type Verdict } from './runners/verdict.js'
import { watch, type Watch, type WatchOptions } from './runners/watch.js'

export type CommandGateOptions = {
  name: string
  /** Text goes through `/bin/sh -c`, a list is started as it is. */
  run: string | readonly [string, ...string[]]
  /** Relative to the top of the tree. */
  cwd?: string
  /** Takes the place of the wall-clock limit of the request. */
  timeoutSeconds?: number
  /** Files that the command writes by itself, relative to where it runs. Then runners are left as they are. */
  report?: ReportOption
  /** `none` takes the command as it is; otherwise test runners that it starts are made to report. */
  runner?: 'auto' | 'none'
  /** The limit for one test, where the runner has one. */
  testTimeoutSeconds?: number
  /** Over the environment that everything we start gets; undefined takes a variable out of it. */
  env?: Readonly<Record<string, string | undefined>>
  sandbox: Sandbox
  /** `host`: it may reach whatever the machine reaches. */
  network?: 'none' | 'host'
  /** Folders that it writes to besides, as absolute paths. */
  writes?: readonly string[]
}

const LONGEST_TAIL_CHARS = 500

export function commandGate(options: CommandGateOptions): Gate {
  const { name, run } = options
  const command = typeof run === 'string' ? run : quoteCommand(run)
  return {
    name,
    describe: command,
    async run(request, signal) {
      const base = baseOf(name, request)
      const cwd = resolve(request.cwd, options.cwd ?? '.')
      const fault = faultOfFolder(request.cwd, options.cwd)
      if (fault !== null) return unusable(name, fault)
      const watched = tryWatch({ ...options, root: request.cwd, cwd, base, only: request.only })
      if (typeof watched === 'string') return unusable(name, watched)
      try {
        const result = await start(options, request, signal, { base, cwd, watched })
        return result.ending === 'aborted' ? 'aborted' : await outcomeOf(options, request, result, { base, watched })
      } finally {
        watched.remove()
      }
    },
  }
}

/** A link that stands on the way takes a gate wherever whoever made it likes. */
function faultOfFolder(top: string, folder = '.'): string | null {
  const place = resolve(top, folder)
  try {
    if (!statSync(place).isDirectory()) return `its folder ${folder} is no folder`
    const real = relative(realpathSync(top), realpathSync(place))
    return real === relative(top, place) ? null : `its folder ${folder} is reached by a link, and leads to ${real}: name that instead`
  } catch (error) {
    const code = errnoOf(error)
    if (code === null) throw error
    return code === 'ENOENT' ? `its folder ${folder} is not there` : `its folder ${folder} cannot be reached (${code})`
  }
}

/** Neither the base of a request nor a name holds a dot, so that no two gates of a session share a file. */
export function baseOf(name: string, { base }: Pick<GateRequest, 'base'>): string {
  return `${base}.${name.replace(/[^\w-]/g, '_')}`
}

/** The reason, when there is no room for what it needs. */
function tryWatch(options: WatchOptions): Watch | string {
  try {
    return watch(options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return `cannot be prepared: ${message}`
  }
}

/** What a gate comes to that could not even be begun. */
export function unusable(gate: string, note: string): GateOutcome {
  const result: GateResult = { gate, exit: 'error', complete: false, known: false, missing: 0, seconds: 0, note }
  return { result, failures: [], ids: null, skipped: [], files: [] }
}

type Place = { base: string; cwd: string; watched: Watch }

function start(options: CommandGateOptions, request: GateRequest, signal: AbortSignal, place: Place): Promise<ProcessResult> {
  const { name, run } = options
  const { base, cwd, watched } = place
  return options.sandbox.run({
    reach: { network: options.network ?? 'none', tree: request.cwd, write: [...watched.folders, ...(options.writes ?? [])], read: typeof run === 'string' ? [] : run.filter((word) => isAbsolute(word)) },
    argv: typeof run === 'string' ? ['/bin/sh', '-c', run] : run,
    cwd,
    env: { ...placeOf(request), ...watched.environment },
    limits: limitsOf(request, options),
    stdoutPath: `${base}.log`,
    stderrPath: `${base}.stderr.log`,
    onOutput: (bytes) => request.onActivity({ kind: 'output', bytes }),
    onCut: (note) => request.onActivity({ kind: 'cut', note: `${name}: ${note}` }),
    signal,
  })
}

function limitsOf({ limits }: GateRequest, { timeoutSeconds }: CommandGateOptions): Limits {
  return timeoutSeconds === undefined ? limits : { ...limits, wallSeconds: timeoutSeconds, silenceSeconds: timeoutSeconds }
}

function placeOf({ session, effect }: GateRequest): Record<string, string> {
  return { GREENLATCH_SESSION: session, GREENLATCH_EFFECT: effect.id, GREENLATCH_ITERATION: String(effect.iteration) }
}

async function outcomeOf(
  options: CommandGateOptions, request: GateRequest, result: ProcessResult, { base, watched }: Pick<Place, 'base' | 'watched'>,
): Promise<GateOutcome> {
  const { name, run } = options
  const [log, stderrLog] = [`${base}.log`, `${base}.stderr.log`]
  const fault = await joinStreams(log, stderrLog)
  const output: Output = { result, log, cwd: request.cwd }
  const { told, remarks } = await watched.told(output)
  const exit = exitOf(result)
  const cut = exit === 'pass' ? [] : cutOff(options, result)
  // At the beginning it is the settings that are wrong, and not the work.
  if (request.effect.baseline) for (const note of cut) request.onActivity({ kind: 'denied', note: `${name}: ${note}` })
  const assertions = told.hasTests || isNodeItself(run) ? remarks.assertions : []
  const verdict = request.only !== null && told.known ? verdictOnly(told, exit, request.only) : verdictOf(told, exit, assertions)
  return {
    result: {
      gate: name,
      exit: verdict.exit,
      complete: result.ending === 'exited' && verdict.complete,
      known: told.known,
      missing: 0,
      seconds: result.seconds,
      note: [noteOf(result, fault), ...verdict.notes, ...cut].join('; '),
    },
    failures: await failuresOf(name, verdict, output),
    ids: told.known ? verdict.cases.map(({ id }) => id) : null,
    skipped: verdict.cases.filter(({ status }) => status === 'skip').map(({ id }) => id),
    files: [log, stderrLog].filter((path) => existsSync(path)),
  }
}

/** Failing tests, what went wrong outside them, and where neither says why it failed, what the output says. */
async function failuresOf(gate: string, { exit, cases, troubles, reads }: Verdict, output: Output): Promise<Failure[]> {
  if (exit !== 'fail' && exit !== 'timeout') return []
  const told = [...cases.filter(({ status }) => status === 'fail'), ...troubles].map((item) => failureOf(gate, item))
  const lines = reads === 'the output' ? await failingLinesOf(output) : []
  return [...told, ...[...lines, ...endingLine(gate, output.result, exit, lines.length + told.length)].map((line) => lineFailure(gate, line))]
}

/** `node file`, where nothing but the exit status would tell of an assertion that is only printed. */
function isNodeItself(run: CommandGateOptions['run']): boolean {
  return typeof run === 'string' ? /^\s*(?:\w+=\S*\s+)*node\s/.test(run) : /(?:^|\/)node$/.test(run[0])
}

function exitOf(result: ProcessResult): GateResult['exit'] {
  switch (result.ending) {
    case 'exited':
      return result.exitCode === 0 ? 'pass' : unstarted(result) === null ? 'fail' : 'error'
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

/** All that Python says of a module that is not there, and npm of a script: the runner itself is missing. */
const NO_RUNNER = /^\S*python[\d.]*: No module named \S+$|^npm (?:error|ERR!) Missing script: .*$/m

/** Why nothing was checked: the command does not exist, may not be run, or only starts something that is not there. Null where it ran. */
function unstarted({ exitCode, stdout, stderr }: ProcessResult): string | null {
  const lastLine = stderr.text.trim().split('\n').at(-1) ?? ''
  if (exitCode === 127) return `command not found: ${lastLine}`
  if (exitCode === 126) return `command not executable: ${lastLine}`
  const said = exitCode === 1 && stdout.bytes === 0 ? NO_RUNNER.exec(stderr.text) : null
  return said && `its runner is not there: ${said[0]}`
}

function noteOf(result: ProcessResult, fault: string | null): string {
  const why = unstarted(result)
  const reason = why === null ? [] : [why.slice(0, 220)]
  const leftovers = result.leftovers === 0 ? [] : [`processes left running and ended: ${result.leftovers}`]
  return [result.note, ...reason, ...leftovers, ...(fault === null ? [] : [fault])].join('; ')
}

const UNREACHED_WORDS = /\b(?:connection refused|network is unreachable|name resolution|could not resolve|no such host|name or service not known)\b/i
/** As they are written: ModuleNotFoundError is none of them. */
const UNREACHED_CODES = /\b(?:ECONNREFUSED|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/

/** Where it fails for want of a network that the sandbox keeps from it, the key that gives it one. */
function cutOff({ name, sandbox, network = 'none' }: CommandGateOptions, { stdout, stderr }: ProcessResult): string[] {
  const isCutOff = sandbox.confines && network === 'none' && [stdout.text, stderr.text].some((text) => UNREACHED_CODES.test(text) || UNREACHED_WORDS.test(text))
  return isCutOff ? [`it reached for the network, which gates do not have in the sandbox; "network: host" in the entry of the gate "${name}" in greenlatch.yaml gives it one (one that was typed with --gate has to be written there first)`] : []
}

/** How it ended is a failure of its own when a limit cut it off, or when nothing else says what is wrong. It names its gate: elsewhere it stands alone. */
function endingLine(gate: string, result: ProcessResult, exit: GateResult['exit'], others: number): FailingLine[] {
  if (exit !== 'timeout' && others > 0) return []
  const output = [result.stdout.text, result.stderr.text].map((text) => text.trim()).filter((text) => text !== '')
  const tail = output.join('\n').slice(-LONGEST_TAIL_CHARS)
  return [{ subject: `${exit === 'timeout' ? 'time limit' : 'exit status'} of ${gate}`, message: tail === '' ? result.note : `${result.note}\n${tail}` }]
}

function lineFailure(gate: string, { subject, message }: FailingLine): Failure {
  return { gate, subject, class: 'behaviour', fingerprint: fingerprintOf(gate, subject), message, runs: { failed: 1, of: 1 } }
}
