// The queues: one for each set of labels, all known by name, so that a worker serves those whose labels it has.
import type { Job, Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Peers } from './peers.js'
import { KEY, PREFIX } from './shared.js'
import type { Progress, Result, Task } from './types.js'

export type FleetJob = Job<Task, Result, string, Progress>
export type FleetQueue = Queue<Task, Result, string>

const LOT = 500
const KEEP = { age: 30 * 24 * 3600, count: 200_000 }
/** BullMQ's own number for "before all others" is 1. */
export const USUAL_PRIORITY = 10

function queueNameOf(labels: readonly string[]): string {
  return ['sessions', ...labels.toSorted()].join('+')
}

export function servesQueue(name: string, labels: readonly string[]): boolean {
  return name.split('+').slice(1).every((label) => labels.includes(label))
}

export function openQueue({ bullmq }: Peers, connection: Redis, name: string): FleetQueue {
  const queue: FleetQueue = new bullmq.Queue(name, { connection, prefix: PREFIX })
  // A lost connection is watched in one place.
  queue.on('error', () => {})
  return queue
}

export async function queueNames(redis: Redis): Promise<string[]> {
  const names = await redis.smembers(KEY.queues)
  // The one that asks for most first: others may be served elsewhere.
  return names.toSorted((a, b) => b.split('+').length - a.split('+').length || a.localeCompare(b))
}

export type Submission = { task: Task; priority: number; attempts: number; backoffSeconds: number }

/** In lots: a name that is there already is left as it is, so that a submit may be repeated. */
export async function submit(peers: Peers, redis: Redis, submissions: readonly Submission[]): Promise<void> {
  for (const name of new Set(submissions.map(({ task }) => queueNameOf(task.labels)))) {
    const all = submissions.filter(({ task }) => queueNameOf(task.labels) === name)
    await redis.sadd(KEY.queues, name)
    const queue = openQueue(peers, redis, name)
    for (let at = 0; at < all.length; at += LOT) {
      const lot = all.slice(at, at + LOT)
      await queue.addBulk(lot.map(({ task, priority, attempts, backoffSeconds }) => ({
        name: task.procedure ?? 'default',
        data: task,
        opts: { jobId: task.id, priority, attempts, backoff: { type: 'exponential', delay: backoffSeconds * 1000 }, removeOnComplete: KEEP, removeOnFail: KEEP },
      })))
    }
  }
}

export async function findJob(peers: Peers, redis: Redis, id: string): Promise<FleetJob | null> {
  for (const name of await queueNames(redis)) {
    const job = await openQueue(peers, redis, name).getJob(id)
    if (job) return job as FleetJob
  }
  return null
}

export const STATES = ['waiting', 'prioritized', 'delayed', 'active', 'completed', 'failed'] as const
export type QueueState = (typeof STATES)[number]

export async function allJobs(peers: Peers, redis: Redis, states: readonly QueueState[] = STATES): Promise<{ job: FleetJob; state: QueueState }[]> {
  const found: { job: FleetJob; state: QueueState }[] = []
  for (const name of await queueNames(redis)) {
    const queue = openQueue(peers, redis, name)
    for (const state of states) {
      const jobs = await queue.getJobs([state], 0, -1, true)
      found.push(...jobs.flatMap((job) => (job ? [{ job: job as FleetJob, state }] : [])))
    }
  }
  return found
}
