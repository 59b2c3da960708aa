// A worker: takes jobs from every queue whose labels it has, as many at a time as it may, until it is told to come to rest.
import { randomUUID } from 'node:crypto'
import type { Worker } from 'bullmq'
import { EXIT, Refusal } from '../errors.js'
import { attempt, firstLine, pause, type Means, type Taken } from './attempt.js'
import { SILENCE_MILLISECONDS } from './connection.js'
import { queueNames, servesQueue, type FleetJob } from './queues.js'
import { PREFIX } from './shared.js'
import type { Progress, Result, Task } from './types.js'

export type WorkerOptions = {
  labels: readonly string[]
  concurrency: number
  /** How often a session may be taken over after its worker died, before it counts as poison. */
  takeovers: number
  /** Ends when nothing is waiting, instead of waiting for more. */
  until: 'told' | 'empty'
}

type Source = Worker<Task, Result, string>

/** A worker that died is noticed within two of these after its lease has ended. */
const STALLED_MILLISECONDS = 2000
const IDLE_MILLISECONDS = 400
const LOOK_MILLISECONDS = 2000
const FIRST_WAIT_MILLISECONDS = 500
const LONGEST_WAIT_MILLISECONDS = 10_000
const TROUBLE_SECONDS = 600

/** Resolves when it has come to rest; rejects when the server stays away. */
export async function work(means: Means, options: WorkerOptions, lost: Promise<never>): Promise<void> {
  const sources = new Map<string, Source>()
  const stop = new AbortController()
  const refresh = async (): Promise<void> => {
    for (const name of await queueNames(means.redis)) {
      if (!sources.has(name) && servesQueue(name, options.labels)) sources.set(name, await openSource(name, means, options))
    }
  }
  await refresh()
  const looking = setInterval(() => void refresh().catch(() => {}), LOOK_MILLISECONDS)
  means.draining.addEventListener('abort', () => stop.abort())
  const slots = Array.from({ length: options.concurrency }, () => slot(sources, means, options, stop.signal))
  try {
    await Promise.race([Promise.all(slots), lost])
  } finally {
    clearInterval(looking)
    stop.abort()
    for (const source of sources.values()) void source.close(true).catch(() => {})
  }
}

async function openSource(name: string, { peers, redis, worker, leaseMilliseconds }: Means, { takeovers }: WorkerOptions): Promise<Source> {
  const source: Source = new peers.bullmq.Worker(name, null, {
    connection: redis,
    prefix: PREFIX,
    name: worker,
    autorun: false,
    lockDuration: leaseMilliseconds,
    stalledInterval: Math.min(STALLED_MILLISECONDS, leaseMilliseconds),
    maxStalledCount: takeovers,
  })
  source.on('error', () => {})
  await source.startStalledCheckTimer()
  return source
}

async function slot(sources: ReadonlyMap<string, Source>, means: Means, { until }: WorkerOptions, stop: AbortSignal): Promise<void> {
  const trouble = troubleTeller(means.say)
  while (!stop.aborted) {
    try {
      const taken = await Promise.race([take(sources), soonAfter(stop)])
      trouble.over()
      if (taken) await attempt(taken, means)
      else if (until === 'empty') return
      else await pause(IDLE_MILLISECONDS, stop)
    } catch (error) {
      await pause(trouble.wait(error), stop)
    }
  }
}

/** A server that is away is waited for no longer than this once the worker is to come to rest. */
async function soonAfter(stop: AbortSignal): Promise<null> {
  await new Promise<void>((resolve) => void stop.addEventListener('abort', () => resolve(), { once: true }))
  await new Promise<void>((resolve) => void setTimeout(resolve, SILENCE_MILLISECONDS).unref())
  return null
}

type Trouble = { wait(error: unknown): number; over(): void }

/** A server may answer with an error for a while: short of memory, loading, a replica. Each is told once, and it is tried ever less often. Throws Refusal when it lasts. */
function troubleTeller(say: (text: string) => void): Trouble {
  let [since, tries, told] = [0, 0, '']
  return {
    wait(error) {
      const what = firstLine(error)
      since ||= performance.now()
      if (performance.now() - since > TROUBLE_SECONDS * 1000) throw new Refusal(EXIT.state, `the queue's server has answered with an error for more than ${TROUBLE_SECONDS} s: ${what}`, 'greenlatch fleet worker  (sessions go on where they were pushed last)')
      if (what !== told) say(`the queue's server answers with an error, trying again: ${what}`)
      told = what
      return Math.min(FIRST_WAIT_MILLISECONDS * 2 ** tries++, LONGEST_WAIT_MILLISECONDS)
    },
    over() {
      if (told !== '') say("the queue's server takes commands again")
      ;[since, tries, told] = [0, 0, '']
    },
  }
}

async function take(sources: ReadonlyMap<string, Source>): Promise<Taken | null> {
  for (const source of sources.values()) {
    const token = randomUUID()
    const job = await source.getNextJob(token, { block: false })
    if (job) return { job: job as FleetJob & { progress: Progress }, token }
  }
  return null
}
