// A worker: takes jobs from every queue whose labels it has, as many at a time as it may, until it is told to come to rest.
import { randomUUID } from 'node:crypto'
import type { Worker } from 'bullmq'
import { attempt, pause, type Means, type Taken } from './attempt.js'
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
    // What goes wrong with a queue's server is told by its connection, in a line for people.
    await Promise.race([Promise.all(slots).catch(() => lost), lost])
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
  while (!stop.aborted) {
    const taken = await take(sources)
    if (taken) await attempt(taken, means)
    else if (until === 'empty') return
    else await pause(IDLE_MILLISECONDS, stop)
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
