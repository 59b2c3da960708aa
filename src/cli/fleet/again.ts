// Goes on with sessions whose state is on a remote: those that are over in the queue, and those that a queue which is gone had known.
import { join } from 'node:path'
import { openOwnedFolder } from '../../files/owned-folder.js'
import { makeOutbox, repositoryOf } from '../../adapters/remote/outbox.js'
import { EXIT, Refusal } from '../../errors.js'
import { notePushed, notePushing, standingOf } from '../../fleet/pushed.js'
import { findJob, type FleetJob } from '../../fleet/queues.js'
import { batches, KEY, noteBatch } from '../../fleet/shared.js'
import type { Task } from '../../fleet/types.js'
import { listRemote } from '../../git/remote.js'
import { counted } from '../../text/amounts.js'
import { quoteWord } from '../../text/prompt/quote.js'
import { formatOf } from './clone.js'
import { stateRef } from './hold.js'
import type { Fleet } from './open.js'

type Redis = Fleet['server']['redis']

/** What was dead or has ended goes on from where it was pushed last; more money is for its whole batch. */
export async function again({ peers, server: { redis }, output }: Fleet, ids: readonly string[], usd: number | undefined): Promise<number> {
  const over: { job: FleetJob; state: 'failed' | 'completed' }[] = []
  for (const id of new Set(ids)) {
    const job = await findJob(peers, redis, id)
    const state = await job?.getState()
    if (!job || (state !== 'failed' && state !== 'completed')) throw new Refusal(EXIT.usage, job ? `session ${id} is ${state}` : `the queue knows no session "${id}"`, 'greenlatch fleet status')
    over.push({ job, state })
  }
  await adopt(redis, over.map(({ job }) => job.data))
  for (const { job, state } of over) {
    const { batch: name, id } = job.data
    const batch = (await batches(redis)).get(name)
    if (usd !== undefined && batch) await noteBatch(redis, name, { ...batch, usd })
    await redis.srem(KEY.cancelled, id)
    await job.retry(state, { resetAttemptsMade: true })
  }
  output.say(`${counted(over.length, 'session')} queued again`)
  return EXIT.ok
}

/** Somebody says that these go on from what their remotes hold now, whoever has put it there. Returns how many are there. */
export async function adopt(redis: Redis, tasks: readonly Task[]): Promise<number> {
  const { folder: scratch, remove } = openOwnedFolder('look')
  try {
    const tips = await tipsOf(scratch, tasks)
    const known = tasks.map((task) => ({ task, tip: tips.get(`${task.remote} ${stateRef(task.id)}`) ?? null }))
    for (const { task, tip } of known) if (tip === null && (await standingOf(redis, task.id, null)) === 'gone') throw gone(task)
    const there = known.filter(({ tip }) => tip !== null)
    for (const { task, tip } of there) {
      await notePushing(redis, task.id, tip ?? '')
      await notePushed(redis, task.id)
    }
    return there.length
  } finally {
    remove()
  }
}

async function tipsOf(scratch: string, tasks: readonly Task[]): Promise<Map<string, string>> {
  const tips = new Map<string, string>()
  for (const remote of new Set(tasks.map((task) => task.remote))) {
    const own = tasks.filter((task) => task.remote === remote)
    const repository = repositoryOf(makeOutbox(join(scratch, 'git'), formatOf(own[0]?.commit ?? ''), join(scratch, 'git')))
    const found = await listRemote(repository, remote, [...new Set(own.map(({ batch }) => stateRef(`${batch}-*`)))])
    for (const [ref, tip] of found) tips.set(`${remote} ${ref}`, tip)
  }
  return tips
}

/** To begin it anew would make a second result of it. */
function gone({ id, remote }: Task): Refusal {
  const what = `session ${id} cannot go on: its state was on the remote and is there no more; a new submit begins it anew, by another name`
  return new Refusal(EXIT.state, what, `git ls-remote ${quoteWord(remote)} ${quoteWord(stateRef(id))}`)
}
