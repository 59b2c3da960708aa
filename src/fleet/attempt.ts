// One attempt at one job: holds its lease, runs the session, and tells the queue what came of it, once.
import type { Redis } from 'ioredis'
import { EXIT } from '../errors.js'
import { holdLease, type Lease } from './lease.js'
import type { Peers } from './peers.js'
import { notePushed, notePushing, standingOf } from './pushed.js'
import { allJobs, type FleetJob } from './queues.js'
import { KEY, PREFIX, moneyLeft, noteSpent, settle, takePlace, winnerOf } from './shared.js'
import type { Attempt, Ended, Result, Runner, Task } from './types.js'

export type Means = {
  peers: Peers
  redis: Redis
  runner: Runner
  worker: string
  leaseMilliseconds: number
  draining: AbortSignal
  say: (text: string) => void
}

const PARTLY = 1e9
/** A rate that is raised meanwhile is noticed no later. */
const LONGEST_WAIT_MILLISECONDS = 5000

export type Taken = { job: FleetJob; token: string }

export async function attempt({ job, token }: Taken, means: Means): Promise<void> {
  const task = job.data
  const cancelled = new AbortController()
  const onBeat = async (): Promise<void> => {
    if (await means.redis.sismember(KEY.cancelled, task.id)) cancelled.abort()
  }
  const lease = holdLease({ extendLock: (own, milliseconds) => job.extendLock(own, milliseconds), whose: () => whoseIs(job, means.redis) }, { token, milliseconds: means.leaseMilliseconds, onBeat })
  try {
    await onBeat()
    const ended = await endOf(job, means, lease, cancelled.signal)
    await conclude({ job, token }, ended, means)
  } catch (error) {
    // Only the server can be at fault here: the job stays leased until it is taken over.
    means.say(`${task.id}: not told to the queue: ${String(error).split('\n')[0]}`)
  } finally {
    lease.release()
  }
}

/** A lock that is gone is nobody's: the lease ran out, or the queue was emptied. */
async function whoseIs(job: FleetJob, redis: Redis): Promise<string> {
  if (await redis.exists(`${PREFIX}:${job.queueName}:${job.data.id}:lock`)) return 'another worker holds the lease'
  return (await job.getState()) === 'unknown' ? 'the queue knows nothing of it any more' : 'the lease ran out before it could be renewed'
}

async function endOf(job: FleetJob, means: Means, lease: Lease, cancelled: AbortSignal): Promise<Ended> {
  const task = job.data
  if (job.deferredFailure) return { kind: 'failed', why: `its worker died or froze ${job.stalledCounter} times while running it`, next: `greenlatch fleet logs ${task.id}`, final: true }
  if (cancelled.aborted && job.attemptsStarted <= 1) return { kind: 'ended', result: neverBegun(task, means.worker) }
  try {
    return await means.runner(task, attemptFor(job, means, lease, cancelled))
  } catch (error) {
    const { message, next } = error as Error & { next?: string }
    return { kind: 'failed', why: message.split('\n')[0] ?? '', next: next ?? `greenlatch fleet logs ${task.id}`, final: false }
  }
}

function neverBegun({ remote }: Task, worker: string): Result {
  const spent = { seconds: 0, tokens: 0, usd: 0 }
  return { outcome: 'cancelled', code: EXIT.cancelled, label: 'unverified', why: 'cancelled before it began', iterations: 0, spent, lines: null, remote, ref: '', commit: null, worker, pushes: { count: 0, seconds: 0 } }
}

function attemptFor(job: FleetJob, { redis, draining, worker, say }: Means, lease: Lease, cancelled: AbortSignal): Attempt {
  const task = job.data
  return {
    lost: lease.lost,
    cancelled,
    draining,
    progress: (progress) => void job.updateProgress(progress).catch(() => {}),
    say: (text) => {
      say(`${task.id}: ${text}`)
      void job.log(`${new Date().toISOString()} ${worker}: ${text}`).catch(() => {})
    },
    permit: async (agent, signal, onWait) => {
      while (!signal.aborted) {
        if (((await moneyLeft(redis, task.batch)) ?? 1) <= 0) return 'broke'
        const wait = await takePlace(redis, agent)
        if (wait === 0) return 'granted'
        if (draining.aborted) return 'draining'
        onWait(wait)
        await pause(Math.min(wait, LONGEST_WAIT_MILLISECONDS), AbortSignal.any([signal, draining]))
      }
      return 'granted'
    },
    pushing: (commit) => notePushing(redis, task.id, commit),
    pushed: () => notePushed(redis, task.id),
    standing: (tip) => standingOf(redis, task.id, tip),
    left: () => moneyLeft(redis, task.batch),
    spent: (usd) => noteSpent(redis, task, usd),
  }
}

/** A job whose lease is lost is another's: nothing is told of it. */
async function conclude({ job, token }: Taken, ended: Ended, means: Means): Promise<void> {
  const { id } = job.data
  switch (ended.kind) {
    case 'ended': {
      const result = await withWinner(job.data, ended.result, means)
      await job.moveToCompleted(result, token, false)
      means.say(`${id}: ${result.outcome}, ${result.label}: ${result.why}`)
      return
    }
    case 'given back':
      await job.moveToWait(token)
      means.say(`${id}: given back to the queue`)
      return
    case 'lost':
      means.say(`${id}: no longer ours: ${ended.why}`)
      return
    case 'failed': {
      const text = `${ended.why}\n  next: ${ended.next}`
      await job.moveToFailed(ended.final ? new means.peers.bullmq.UnrecoverableError(text) : new Error(text), token, false)
      const again = !ended.final && job.attemptsMade < (job.opts.attempts ?? 1)
      means.say(`${id}: ${ended.why}${again ? '; it is tried again later' : '; it is not tried again'}`)
      if (!again) await noteEnd(job.data, { proved: false, weight: 0 }, means)
    }
  }
}

async function withWinner(task: Task, result: Result, means: Means): Promise<Result> {
  if (!task.candidate) return result
  // What is verified wins over what is only partly so, however small.
  const weight = (result.lines ?? 0) + (result.label === 'verified' ? 0 : PARTLY)
  const winner = await noteEnd(task, { proved: result.outcome === 'converged', weight }, means)
  return { ...result, wins: winner === task.id }
}

/** Once a candidate has won, the others need not go on. */
async function noteEnd({ candidate, id }: Task, verdict: Parameters<typeof settle>[3], { peers, redis }: Means): Promise<string | null> {
  if (!candidate) return null
  const winner = await settle(redis, candidate, id, verdict)
  if (winner === null) return null
  const open = await allJobs(peers, redis, ['waiting', 'prioritized', 'delayed', 'active'])
  const others = open.flatMap(({ job }) => (job.data.candidate?.group === candidate.group && job.data.id !== id ? [job.data.id] : []))
  if (others.length > 0) await redis.sadd(KEY.cancelled, ...others)
  return winner
}

/** Whether a candidate won is known only when its group has been settled, which may be after it ended. */
export async function hasWon(redis: Redis, { candidate, id }: Task): Promise<boolean | null> {
  if (!candidate) return null
  const winner = await winnerOf(redis, candidate.group)
  return winner === null ? null : winner === id
}

export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
