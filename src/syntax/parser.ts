// One parsing thread: takes sources in turn, and is replaced when one of them breaks it or holds it up.
import { Worker } from 'node:worker_threads'
import type { Assets } from './assets.js'
import { syntaxOf, type Everything, type Open, type Syntax, type Table } from './syntax.js'

/** What a parser has to know of a language: the name of its grammar, and how far to look into it. */
export type Grammar = { grammar: string; open: Open | Everything }

export type Parsed =
  | { kind: 'parsed'; root: Syntax; errors: number }
  /** It took too much time or memory. */
  | { kind: 'given-up' }
  /** The parser was closed before its turn came. */
  | { kind: 'closed' }

export type Parser = {
  /** Sources that wait for their answer. */
  waiting(): number
  parse(language: Grammar, text: string): Promise<Parsed>
  close(): Promise<void>
}

/** The limit is in processor time of the whole process: a machine that is busy or was asleep must not make a file look hostile. */
type Request = { grammar: string; file: string; open: Open | Everything; text: string; limitMilliseconds: number }
type Answer = { kind: 'ready' } | { kind: 'broken'; why: string } | { kind: 'given-up' } | (Table & { kind: 'parsed'; errors: number })
type Job = { request: Request; settle: (parsed: Parsed) => void; fail: (error: Error) => void }

type Lane = {
  assets: Assets
  graceMilliseconds: number
  jobs: Job[]
  worker: Worker | null
  isReady: boolean
  watch: NodeJS.Timeout | undefined
}

/** About ten times what ordinary source needs. */
const LEAST_MILLISECONDS = 1_000
const MILLISECONDS_PER_MEGABYTE = 4_000
/** The thread keeps its own limit; this is for one that cannot even look at the clock. */
const GRACE_MILLISECONDS = 10_000
const WATCH_MILLISECONDS = 1_000

export function createParser(assets: Assets, graceMilliseconds: number = GRACE_MILLISECONDS): Parser {
  const lane: Lane = { assets, graceMilliseconds, jobs: [], worker: null, isReady: false, watch: undefined }
  return {
    waiting: () => lane.jobs.length,
    parse: (language, text) =>
      new Promise((settle, fail) => enqueue(lane, { request: requestOf(lane, language, text), settle, fail })),
    close: () => close(lane),
  }
}

function requestOf(lane: Lane, language: Grammar, text: string): Request {
  const { grammar, open } = language
  const limitMilliseconds = LEAST_MILLISECONDS + (text.length / 1e6) * MILLISECONDS_PER_MEGABYTE
  return { grammar, file: lane.assets.grammar(grammar), open, text, limitMilliseconds }
}

function enqueue(lane: Lane, job: Job): void {
  lane.jobs.push(job)
  if (lane.worker === null) return startWorker(lane)
  lane.worker.postMessage(job.request, [])
  if (lane.jobs.length === 1) watchFirst(lane)
}

function startWorker(lane: Lane): void {
  const worker = new Worker(lane.assets.worker, {
    workerData: { runtime: lane.assets.runtime },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  Object.assign(lane, { worker, isReady: false })
  worker.on('message', (answer: Answer) => lane.worker === worker && takeAnswer(lane, answer))
  worker.on('error', (error) => lane.worker === worker && workerEnded(lane, error))
  worker.on('exit', (code) => lane.worker === worker && workerEnded(lane, new Error(`the parsing thread ended with ${code}`)))
  for (const { request } of lane.jobs) worker.postMessage(request, [])
  watchFirst(lane)
}

function watchFirst(lane: Lane): void {
  clearInterval(lane.watch)
  const [first] = lane.jobs
  if (!first) return
  const began = process.cpuUsage()
  const mostMilliseconds = first.request.limitMilliseconds + lane.graceMilliseconds
  lane.watch = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    const spentMilliseconds = (user + system) / 1_000
    if (spentMilliseconds > mostMilliseconds) workerEnded(lane, new Error('the parsing thread hangs'))
  }, WATCH_MILLISECONDS)
}

function takeAnswer(lane: Lane, answer: Answer): void {
  if (answer.kind === 'ready') {
    lane.isReady = true
    return
  }
  const job = lane.jobs.shift()
  watchFirst(lane)
  switch (answer.kind) {
    case 'broken':
      return job?.fail(new Error(answer.why))
    case 'given-up':
      return job?.settle(answer)
    case 'parsed':
      return job?.settle({ kind: 'parsed', root: syntaxOf(answer), errors: answer.errors })
  }
}

/** Sources are parsed in turn, so the first without an answer is what ended the thread; the others get a new one. */
function workerEnded(lane: Lane, error: Error): void {
  const { isReady } = lane
  void stopWorker(lane)
  const jobs = isReady ? lane.jobs.splice(0, 1) : lane.jobs.splice(0)
  for (const job of jobs) {
    if (isReady) job.settle({ kind: 'given-up' })
    else job.fail(error)
  }
  if (lane.jobs.length > 0) startWorker(lane)
}

async function stopWorker(lane: Lane): Promise<void> {
  const { worker } = lane
  clearInterval(lane.watch)
  lane.worker = null
  await worker?.terminate()
}

async function close(lane: Lane): Promise<void> {
  for (const job of lane.jobs.splice(0)) job.settle({ kind: 'closed' })
  await stopWorker(lane)
}
