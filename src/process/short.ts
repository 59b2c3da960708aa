// Runs short commands of our own, such as git: nothing is inherited, and the output comes back whole, as bytes, or not at all.
import { watchLimits } from './limits.js'
import { inBytes, inTime } from './notes.js'
import { startProcess, type Child } from './start.js'
import { endTree, forgetTree, GRACE_SECONDS, isGroupGone, isSurelyGone, newToken, registerTree, type Tree } from './tree.js'
import type { Limit, ProcessRequest } from './types.js'

export type ShortRequest = Pick<ProcessRequest, 'argv' | 'cwd' | 'signal'> & {
  /** All that the command finds in its environment, besides the mark of its tree. */
  env: Readonly<Record<string, string>>
  stdin?: string | Uint8Array
  timeoutSeconds: number
  /** A command that writes more is ended: half of an answer is none. */
  outputBytes: number
  /**
   * For a command that can start no program: what it leaves could only be a fork of itself, in its group. To look at all
   * processes after each command costs more the more of them the machine has.
   */
  leaves?: 'at most its group'
}

export type ShortResult = {
  /** `flood`: more output than allowed. `held`: it ended, but something it started keeps its output open. */
  ending: 'exited' | 'signalled' | 'timeout' | 'flood' | 'held' | 'aborted' | 'unstartable'
  exitCode: number | null
  /** One line for people that names the ending. */
  note: string
  /** Whole when `ending` is `exited`, else what had come until then. */
  stdout: Buffer
  /** At most its first 64 KiB. */
  stderr: Buffer
}

const STDERR_BYTES = 64 * 1024
/** How long output is waited for after the process has ended, before what holds it open is ended too. */
const DRAIN_MILLISECONDS = 2000
const STUCK_MILLISECONDS = 1000

type Cause = Exclude<Limit, 'silence'> | 'flood' | 'held'
type Pieces = { chunks: Buffer[]; bytes: number }
type Run = { request: ShortRequest; stdout: Pieces; stderr: Pieces; cause: Cause | null }

/** Must not throw: whatever becomes of the command is in the result. */
export async function runShort(request: ShortRequest): Promise<ShortResult> {
  const run: Run = { request, stdout: { chunks: [], bytes: 0 }, stderr: { chunks: [], bytes: 0 }, cause: null }
  const token = newToken()
  const start = await startProcess({ ...request, inherits: 'nothing' }, token)
  if (start.kind === 'aborted') return build(run, 'aborted', 'stopped before it was started', null)
  if (start.kind === 'unstartable') return build(run, 'unstartable', start.note, null)
  const tree = registerTree(start.pid, token, null)
  await follow(run, start.child, tree)
  forgetTree(tree)
  return describe(run, start.child)
}

async function follow(run: Run, child: Child, tree: Tree): Promise<void> {
  let ending: Promise<unknown> | null = null
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const stop = (cause: Cause): void => {
      run.cause ??= cause
      ending ??= endTree(tree, GRACE_SECONDS)
      void ending.then(() => (timer ??= setTimeout(resolve, STUCK_MILLISECONDS)))
    }
    const limits = { wallSeconds: run.request.timeoutSeconds, silenceSeconds: 0, outputBytes: 0 }
    const { signal } = run.request
    const startedAt = performance.now()
    const unwatch = watchLimits({ request: { limits, ...(signal && { signal }) }, startedAt, lastOutputAt: startedAt }, (limit) =>
      stop(limit === 'aborted' ? 'aborted' : 'timeout'),
    )
    connect(run, child, () => stop('flood'))
    child.once('exit', () => {
      unwatch()
      tree.rootGone = true
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        // When we were held up ourselves, the end of the output may be waiting to be read: let it come first.
        setImmediate(() => isReadWhole(child) || stop('held'))
      }, DRAIN_MILLISECONDS)
    })
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  await (ending ?? (isGone(run.request, tree) ? null : endTree(tree, GRACE_SECONDS)))
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  child.unref()
}

function isGone({ leaves }: ShortRequest, tree: Tree): boolean {
  return (leaves === 'at most its group' && isGroupGone(tree)) || isSurelyGone(tree)
}

function connect(run: Run, child: Child, onFlood: () => void): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    if (run.stdout.bytes + chunk.length > run.request.outputBytes) return onFlood()
    keep(run.stdout, chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (run.stderr.bytes < STDERR_BYTES) keep(run.stderr, chunk.subarray(0, STDERR_BYTES - run.stderr.bytes))
  })
  child.stdin?.end(run.request.stdin)
}

/** True before the child is said to be closed, for which the event loop has to turn once more. */
function isReadWhole({ stdout, stderr }: Child): boolean {
  return stdout.readableEnded && stderr.readableEnded
}

function keep(pieces: Pieces, chunk: Buffer): void {
  pieces.chunks.push(chunk)
  pieces.bytes += chunk.length
}

function describe(run: Run, { exitCode, signalCode }: Child): ShortResult {
  const { timeoutSeconds, outputBytes } = run.request
  switch (run.cause) {
    case 'timeout':
      return build(run, 'timeout', `ended after ${inTime(timeoutSeconds)} (wall-clock limit)`, exitCode)
    case 'flood':
      return build(run, 'flood', `its output went past the limit of ${inBytes(outputBytes)}`, exitCode)
    case 'held':
      return build(run, 'held', 'something it started kept its output open', exitCode)
    case 'aborted':
      return build(run, 'aborted', 'stopped on request', exitCode)
    case null:
      if (signalCode !== null) return build(run, 'signalled', `ended by ${signalCode}`, null)
      return build(run, 'exited', `exit ${exitCode}`, exitCode)
  }
}

function build(run: Run, ending: ShortResult['ending'], note: string, exitCode: number | null): ShortResult {
  return { ending, exitCode, note, stdout: Buffer.concat(run.stdout.chunks), stderr: Buffer.concat(run.stderr.chunks) }
}
