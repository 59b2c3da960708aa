// `fleet logs`: what workers said of a session, and its events, from its remote.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryOf } from '../../adapters/remote/outbox.js'
import { fetchState, journalOf } from '../../adapters/remote/restore.js'
import { openStore } from '../../adapters/workspace/store.js'
import { EXIT, Refusal } from '../../errors.js'
import { findJob, openQueue } from '../../fleet/queues.js'
import { makeFolder, replaceFile } from '../../files/durable.js'
import { remoteTip } from '../../git/remote.js'
import { tellLogs } from '../commands/logs.js'
import type { Call } from '../program.js'
import { formatOf } from './clone.js'
import { stateRef } from './hold.js'
import { withFleet, type FleetFlags } from './open.js'

export default function logs({ args: [id = ''], flags }: Call<FleetFlags>): Promise<number> {
  return withFleet(flags, async ({ peers, server: { redis }, output, room }) => {
    const job = await findJob(peers, redis, id)
    if (!job) throw new Refusal(EXIT.usage, `the queue knows no session "${id}"`, 'greenlatch fleet status')
    const { logs: said } = await openQueue(peers, redis, job.queueName).getJobLogs(id)
    for (const line of said) output.say(line)
    if (job.failedReason) output.say(job.failedReason)
    const from = { url: job.data.remote, ref: stateRef(id) }
    const store = await openStore(join(room, 'looked-at', 'store.git'), formatOf(job.data.commit))
    const tip = await remoteTip(repositoryOf({ path: store.path, format: store.format, store: store.path }), from)
    if (tip === null) {
      output.say('nothing of it is on its remote yet')
      return EXIT.ok
    }
    await fetchState(from, { store: store.path, session: id })
    const folder = join(room, 'looked-at', 'sessions', id)
    makeFolder(folder)
    replaceFile(join(folder, 'journal.jsonl'), await journalOf(store.path, tip))
    try {
      return await tellLogs(join(folder, '..'), id, {}, output)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
