// The one process runner: starts a process, keeps to its limits, takes its output in bounded memory, and leaves nothing of it behind.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeCapture, openCapture, take, type Capture } from './capture.js'
import { watchLimits } from './limits.js'
import { inBytes, inTime, oneLine } from './notes.js'
import { openPipe } from './pipe.js'
import { startProcess, type Child } from './start.js'
import { endTree, forgetTree, GRACE_SECONDS, isSurelyGone, newToken, registerTree, type Ended, type Tree } from './tree.js'
import type { Limit, ProcessRequest, ProcessResult } from './types.js'

/** How long output is waited for after the process has ended. A daemon that holds the pipe open would keep it open for ever. */
const DRAIN_MILLISECONDS = 300
/** How long a process is waited for that does not end even by force. */
const STUCK_MILLISECONDS = 1000
/** Past its limit a stream is read in portions with rests between, so that a flood slows its source down and not us. */
const PORTION_BYTES = 16 * 1024 * 1024
const REST_MILLISECONDS = 20

type Run = {
  request: ProcessRequest
  startedAt: number
  lastOutputAt: number
  stdout: Capture
  stderr: Capture
  decoders: { stdout: StringDecoder | null; stderr: StringDecoder | null }
  listenerFault: string | null
  /** Standard output is not read: whoever is talked with has not been answered yet. */
  held: boolean
}

type Outcome =
  | { kind: 'unstartable'; note: string }
  | { kind: 'unstarted' }
  | { kind: 'ended'; cause: Limit | null; exitCode: number | null; signal: string | null; ended: Ended }

/** Must not throw: whatever becomes of the process is in the result. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const now = performance.now()
  const run: Run = {
    request,
    startedAt: now,
    lastOutputAt: now,
    stdout: openCapture(request.stdoutPath, request.limits.outputBytes, request.secrets),
    stderr: openCapture(request.stderrPath, request.limits.outputBytes, request.secrets),
    decoders: { stdout: request.onText ? new StringDecoder('utf8') : null, stderr: request.onErrorText ? new StringDecoder('utf8') : null },
    listenerFault: null,
    held: false,
  }
  const token = newToken()
  const start = await startProcess(request.onPipe ? { stdin: '', ...request } : request, token)
  if (start.kind === 'aborted') return build(run, { kind: 'unstarted' })
  if (start.kind === 'unstartable') return build(run, start)
  const tree = registerTree(start.pid, token, request.inner)
  const outcome = await follow(run, start.child, tree)
  forgetTree(tree)
  return build(run, outcome)
}

async function follow(run: Run, child: Child, tree: Tree): Promise<Outcome> {
  const stopped: { cause: Limit | null; ending: Promise<Ended> | null } = { cause: null, ending: null }
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const stop = (): void => {
      if (tree.rootGone) return
      stopped.ending ??= endTree(tree, GRACE_SECONDS)
      void stopped.ending.then(() => (timer ??= setTimeout(resolve, STUCK_MILLISECONDS)))
    }
    const unwatch = watchLimits(run, (limit) => {
      stopped.cause = limit
      const { onLimit } = run.request
      if (onLimit) void afterGrace(onLimit(limit)).then(stop)
      else stop()
    })
    connect(run, child, () => void afterGrace(new Promise((left) => child.once('exit', left))).then(stop))
    child.once('exit', () => {
      unwatch()
      tree.rootGone = true
      clearTimeout(timer)
      // When we were held up ourselves, the last output may be waiting to be read: let it come first.
      timer = setTimeout(() => setImmediate(resolve), DRAIN_MILLISECONDS)
    })
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  const ended = await (stopped.ending ?? endLeftovers(tree))
  disconnect(run, child)
  return { kind: 'ended', cause: stopped.cause, exitCode: child.exitCode, signal: child.signalCode, ended }
}

/** Settles with the promise, however that ends, and after the grace in any case. */
async function afterGrace(promise: Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const grace = sleep(GRACE_SECONDS * 1000, undefined, { signal: over.signal })
  await Promise.race([promise, grace]).catch(() => {})
  over.abort()
  await grace.catch(() => {})
}

async function endLeftovers(tree: Tree): Promise<Ended> {
  return isSurelyGone(tree) ? { ended: 0, left: 0 } : endTree(tree, GRACE_SECONDS)
}

function connect(run: Run, child: Child, onInputEnd: () => void): void {
  const { stdin, onText, onErrorText, onPipe } = run.request
  // A process may end, or close its input, without having read it.
  child.stdin?.on('error', () => {})
  if (onPipe) {
    const onTouch = (): void => void (run.lastOutputAt = performance.now())
    const onHold = (held: boolean): void => void (run.held = held)
    guard(run, () => onPipe(openPipe(child, { onEnd: onInputEnd, onTouch, onHold })))
  } else child.stdin?.end(stdin)
  listen(run, 'standard output', run.stdout, child.stdout, decoded(run.decoders.stdout, onText))
  listen(run, 'standard error', run.stderr, child.stderr, decoded(run.decoders.stderr, onErrorText))
}

function decoded(decoder: StringDecoder | null, onText: ProcessRequest['onText']): OnChunk {
  return (chunk) => {
    const text = decoder?.write(chunk)
    if (text) onText?.(text)
  }
}

type StreamName = 'standard output' | 'standard error'
type OnChunk = (chunk: Buffer) => void

function listen(run: Run, name: StreamName, capture: Capture, stream: Readable, onChunk: OnChunk): void {
  let portion = 0
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => {
    run.lastOutputAt = performance.now()
    const before = capture.bytes
    take(capture, chunk)
    guard(run, () => {
      run.request.onOutput?.(chunk.length)
      onChunk(chunk)
    })
    if (capture.bytes <= capture.limitBytes) return
    if (before <= capture.limitBytes) guard(run, () => run.request.onCut?.(pastLimit(name, capture)))
    portion += chunk.length
    if (portion < PORTION_BYTES) return
    portion = 0
    stream.pause()
    setTimeout(() => {
      if (!run.held || name !== 'standard output') stream.resume()
    }, REST_MILLISECONDS)
  })
}

/** A listener that fails is not called again; the process goes on, and the note says so. */
function guard(run: Run, call: () => void): void {
  if (run.listenerFault !== null) return
  try {
    call()
  } catch (error) {
    run.listenerFault = oneLine(String(error))
  }
}

function disconnect(run: Run, child: Child): void {
  for (const [decoder, onText] of [[run.decoders.stdout, run.request.onText], [run.decoders.stderr, run.request.onErrorText]] as const) {
    const rest = decoder?.end()
    if (rest) guard(run, () => onText?.(rest))
  }
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  child.unref()
}

/** The one builder of results, for every way a run can end. */
function build(run: Run, outcome: Outcome): ProcessResult {
  const ended = outcome.kind === 'ended' ? outcome : null
  const { ending, note } = describe(run.request, outcome)
  return {
    ending,
    exitCode: ended?.exitCode ?? null,
    signal: ended?.signal ?? null,
    note: [note, ...remarks(run, ended?.ended)].join('; '),
    seconds: (performance.now() - run.startedAt) / 1000,
    stdout: closeCapture(run.stdout),
    stderr: closeCapture(run.stderr),
    leftovers: ended?.ended.ended ?? 0,
  }
}

function describe({ limits }: ProcessRequest, outcome: Outcome): Pick<ProcessResult, 'ending' | 'note'> {
  if (outcome.kind === 'unstartable') return { ending: 'unstartable', note: outcome.note }
  if (outcome.kind === 'unstarted') return { ending: 'aborted', note: 'stopped before it was started' }
  switch (outcome.cause) {
    case 'timeout':
      return { ending: 'timeout', note: `ended after ${inTime(limits.wallSeconds)} (wall-clock limit)` }
    case 'silence':
      return { ending: 'silence', note: `ended after ${inTime(limits.silenceSeconds)} without output (silence limit)` }
    case 'aborted':
      return { ending: 'aborted', note: 'stopped on request' }
    case null:
      if (outcome.signal !== null) return { ending: 'signalled', note: `ended by ${outcome.signal}` }
      return { ending: 'exited', note: `exit ${outcome.exitCode}` }
  }
}

function remarks(run: Run, ended: Ended | undefined): string[] {
  const remarks: string[] = []
  for (const [name, capture] of [['standard output', run.stdout], ['standard error', run.stderr]] as const) {
    if (capture.bytes > capture.limitBytes) remarks.push(pastLimit(name, capture))
    if (capture.fault !== null) remarks.push(`${name} could not be saved (${capture.fault})`)
  }
  if (run.listenerFault !== null) remarks.push(`reading its output failed: ${run.listenerFault}`)
  if (ended && ended.left > 0) remarks.push(`${ended.left} of its processes could not be ended`)
  return remarks
}

function pastLimit(name: StreamName, { limitBytes }: Capture): string {
  return `${name} went past its limit of ${inBytes(limitBytes)} and the rest was dropped`
}
