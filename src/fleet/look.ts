// What people see of the queues at a glance: how many jobs there are of each kind, and as many of them as anyone looks at.
import type { Redis } from 'ioredis'
import type { Peers } from './peers.js'
import { openQueue, queueNames, STATES, type FleetJob, type FleetQueue, type QueueState } from './queues.js'
import { rowOf, type Row } from './rows.js'
import { batches, KEY, moneyLeft } from './shared.js'

/** In the order in which they are shown. What has ended is in `fleet results`. */
const SHOWN: readonly { state: QueueState; word: string; most: number }[] = [
  { state: 'active', word: 'running', most: 200 },
  { state: 'failed', word: 'dead', most: 50 },
  { state: 'delayed', word: 'later', most: 50 },
  { state: 'prioritized', word: 'queued', most: 50 },
  { state: 'waiting', word: 'queued', most: 50 },
  { state: 'completed', word: 'ended', most: 20 },
]

export type Glance = {
  /** By word, of all there are. */
  counts: Record<string, number>
  rows: Row[]
  /** Batches with a bound that one of the rows belongs to. */
  money: { batch: string; usd: number; left: number }[]
}

/** Looks again each time it is called, with what it has opened before. */
export function glancer(peers: Peers, redis: Redis): () => Promise<Glance> {
  const queues = new Map<string, FleetQueue>()
  return async () => {
    for (const name of await queueNames(redis)) if (!queues.has(name)) queues.set(name, openQueue(peers, redis, name))
    const cancelled = new Set(await redis.smembers(KEY.cancelled))
    const known = await Promise.all([...queues.values()].map(async (queue) => ({ queue, counts: await queue.getJobCounts(...STATES) })))
    const rows: Row[] = []
    const counts: Glance['counts'] = {}
    for (const { state, word, most } of SHOWN) {
      for (const { queue, counts: own } of known) {
        const count = own[state] ?? 0
        if (count === 0) continue
        counts[word] = (counts[word] ?? 0) + count
        // Of what is over the newest, of the rest what comes first.
        const jobs = await queue.getJobs([state], 0, most - 1, state !== 'completed' && state !== 'failed')
        rows.push(...jobs.flatMap((job) => (job ? [rowOf(job as FleetJob, state, cancelled.has(job.data.id))] : [])))
      }
    }
    return { counts, rows, money: await moneyOf(redis, rows) }
  }
}

async function moneyOf(redis: Redis, rows: readonly Row[]): Promise<Glance['money']> {
  const shown = new Set(rows.map(({ batch }) => batch))
  const bounded = [...(await batches(redis))].flatMap(([batch, { usd }]) => (usd !== null && shown.has(batch) ? [{ batch, usd }] : []))
  return Promise.all(bounded.map(async ({ batch, usd }) => ({ batch, usd, left: (await moneyLeft(redis, batch)) ?? usd })))
}
