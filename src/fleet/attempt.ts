// One attempt at one job: holds its lease, runs the session, and tells the queue what came of it, once.
import type { Redis } from 'ioredis'
import { EXIT } from '../errors.js'
import { holdLease, type Lease } from './lease.js'
import { holdMoney, raiseSpent, renewHold, settleMoney } from './money.js'
import type { Peers } from './peers.js'
import { notePushed, notePushing, standingOf } from './pushed.js'
import { allJobs, type FleetJob } from './queues.js'
import { KEY, PREFIX, settle, takePlace, winnerOf } from './shared.js'
import type { Attempt, Ended, Permission, Result, Runner, Task, Wish } from './types.js'

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
/** A hold on money lasts for so many leases without a sign of life. */
const HOLDS = 3
const MONEY_WAIT_MILLISECONDS = 1000
const ERROR_WAIT_MILLISECONDS = 2000
/** A rate that is raised meanwhile is noticed no later. */
const LONGEST_WAIT_MILLISECONDS = 5000

export type Taken = { job: FleetJob; token: string }

export async function attempt({ job, token }: Taken, means: Means): Promise<void> {
  const task = job.data
  const cancelled = new AbortController()
  const onBeat = async (): Promise<void> => {
    await renewHold(means.redis, task, HOLDS * means.leaseMilliseconds)
    if (await means.redis.sismember(KEY.cancelled, task.id)) cancelled.abort()
  }
  const lease = holdLease({ extendLock: (own, milliseconds) => job.extendLock(own, milliseconds), whose: () => whoseIs(job, means.redis) }, { token, milliseconds: means.leaseMilliseconds, onBeat })
  try {
    await onBeat()
    const ended = await endOf(job, means, lease, cancelled.signal)
    await Promise.race([conclude({ job, token }, ended, means), ranOut(lease.lost)])
  } catch (error) {
    // Only the server can be at fault here: the job stays leased until it is taken over.
    means.say(`${task.id}: not told to the queue: ${firstLine(error)}`)
  } finally {
    lease.release()
  }
}

/** A server that is away is waited for no longer than that. */
function ranOut(lost: AbortSignal): Promise<void> {
  return new Promise((resolve) => void (lost.aborted ? undefined : lost.addEventListener('abort', () => resolve(), { once: true })))
}

/** A lock that is gone is nobody's: the lease ran out, or the queue was emptied. */
async function whoseIs(job: FleetJob, redis: Redis): Promise<string> {
  if (await redis.exists(`${PREFIX}:${job.queueName}:${job.data.id}:lock`)) return 'another worker holds the lease'
  return (await job.getState()) === 'unknown' ? 'the queue knows nothing of it any more' : 'the lease ran out before it could be renewed'
}

async function endOf(job: FleetJob, means: Means, lease: Lease, cancelled: AbortSignal): Promise<Ended> {
  const task = job.data
  if (job.deferredFailure) return { kind: 'failed', why: `its worker died or froze ${job.stalledCounter} times while running it`, next: `greenlatch fleet logs ${task.id}`, final: true }
  if (cancelled.aborted && job.attemptsStarted <= 1) return { kind: 'ended', result: cancelledResult(task, means.worker, 'cancelled before it began') }
  try {
    const ended = await means.runner(task, attemptFor(job, means, lease, cancelled))
    return ended.kind === 'failed' && cancelled.aborted ? { kind: 'ended', result: cancelledResult(task, means.worker, `cancelled; ${ended.why}`) } : ended
  } catch (error) {
    const { message, next } = error as Error & { next?: string }
    return { kind: 'failed', why: message.split('\n')[0] ?? '', next: next ?? `greenlatch fleet logs ${task.id}`, final: false }
  }
}

function cancelledResult({ remote }: Task, worker: string, why: string): Result {
  const spent = { seconds: 0, tokens: 0, usd: 0 }
  return { outcome: 'cancelled', code: EXIT.cancelled, label: 'unverified', why, iterations: 0, spent, lines: null, remote, ref: '', commit: null, worker, pushes: { count: 0, seconds: 0 } }
}

function attemptFor(job: FleetJob, means: Means, lease: Lease, cancelled: AbortSignal): Attempt {
  const { redis, draining, worker, say } = means
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
    permit: (wish, signal, onWait) => permission(task, wish, { means, signal: AbortSignal.any([signal, lease.lost]), onWait }),
    paid: (usd) => settleMoney(redis, task, usd),
    pushing: (commit) => notePushing(redis, task.id, commit),
    pushed: () => notePushed(redis, task.id),
    standing: (tip) => standingOf(redis, task.id, tip),
    spent: (usd) => raiseSpent(redis, task, usd),
  }
}

type Waiting = { means: Means; signal: AbortSignal; onWait: (milliseconds: number, why: string) => void }

/** A server that answers with an error is asked again for as long as the session is ours. */
async function permission(task: Task, { provider, usd }: Wish, { means, signal, onWait }: Waiting): Promise<Permission> {
  const { redis, draining, leaseMilliseconds } = means
  const release = (): Promise<void> => settleMoney(redis, task, 0).catch(() => {})
  while (!signal.aborted) {
    const asked = await place(task, { provider, usd }, redis, HOLDS * leaseMilliseconds).catch((error: unknown): Place => ({ wait: ERROR_WAIT_MILLISECONDS, why: `the queue's server answers with an error: ${firstLine(error)}` }))
    if ('kind' in asked) return asked
    if (draining.aborted) {
      await release()
      return { kind: 'draining' }
    }
    onWait(asked.wait, asked.why)
    await pause(Math.min(asked.wait, LONGEST_WAIT_MILLISECONDS), AbortSignal.any([signal, draining]))
  }
  // Whoever is asked then sees that it is over.
  return { kind: 'granted', usd: null }
}

type Place = Permission | { wait: number; why: string }

async function place(task: Task, { provider, usd }: Wish, redis: Redis, milliseconds: number): Promise<Place> {
  const hold = await holdMoney(redis, task, usd, milliseconds)
  if (hold.kind === 'broke') return { kind: 'broke' }
  if (hold.kind === 'wait') return { wait: MONEY_WAIT_MILLISECONDS, why: 'the money of the batch is held by other sessions' }
  const wait = await takePlace(redis, provider)
  return wait === 0 ? { kind: 'granted', usd: hold.left } : { wait, why: `${provider} may be asked no more often in the whole fleet` }
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
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
