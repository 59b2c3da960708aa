// `fleet worker`: runs sessions of the queue on this machine until it is told to come to rest.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parseDuration } from '../../config/duration.js'
import { EXIT, Refusal } from '../../errors.js'
import { work } from '../../fleet/worker.js'
import { makeFolder } from '../../files/durable.js'
import { endAllTreesNow } from '../../process/tree.js'
import { acquireLock, type Lock } from '../../shell/lock.js'
import { refuseInside } from '../begin.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { onSignals, SIGNAL_CODES, type Signal } from '../signals.js'
import { openFleet, type FleetFlags } from './open.js'
import { sessionRunner } from './runner.js'

type WorkerFlags = FleetFlags & { concurrency?: number; label?: string[]; name?: string; lease?: string; patience?: string; takeovers?: number; untilEmpty?: boolean }

const LEASE_SECONDS = 30
const LEAST_LEASE_SECONDS = 2
const PATIENCE_SECONDS = 120
const SERVER_PATIENCE_SECONDS = 600
const TAKEOVERS = 5
const MOST_WORKERS = 256

export default async function worker({ flags, version }: Call<WorkerFlags>): Promise<number> {
  refuseInside()
  const leaseSeconds = flags.lease === undefined ? LEASE_SECONDS : parseDuration(flags.lease, '--lease')
  if (leaseSeconds < LEAST_LEASE_SECONDS) throw new Refusal(EXIT.usage, `--lease: at least ${LEAST_LEASE_SECONDS}s`, 'greenlatch fleet worker --lease 30s')
  const concurrency = flags.concurrency ?? 1
  if (concurrency < 1) throw new Refusal(EXIT.usage, '--concurrency: at least 1', 'greenlatch fleet worker --concurrency 1')
  const fleet = await openFleet(flags, SERVER_PATIENCE_SECONDS)
  // An open connection would keep the process from ending.
  const own = await takeRoom(join(fleet.room, 'workers'), flags.name).catch((error: unknown) => {
    fleet.server.close()
    throw error
  })
  const draining = new AbortController()
  const unwatch = watch(draining, fleet.output)
  const runner = sessionRunner({
    worker: own.name,
    state: join(own.folder, 'state'),
    repositories: join(own.folder, 'repositories'),
    version,
    ...(flags.config !== undefined && { config: flags.config }),
    patienceSeconds: flags.patience === undefined ? PATIENCE_SECONDS : parseDuration(flags.patience, '--patience'),
  })
  fleet.output.say(`worker ${own.name}: ${concurrency} at a time${flags.label ? `, labels ${flags.label.join(', ')}` : ''}; SIGTERM or Ctrl+C lets it come to rest`)
  try {
    await work(
      { peers: fleet.peers, redis: fleet.server.redis, runner, worker: own.name, leaseMilliseconds: leaseSeconds * 1000, draining: draining.signal, say: fleet.output.say },
      { labels: flags.label ?? [], concurrency, takeovers: flags.takeovers ?? TAKEOVERS, until: flags.untilEmpty ? 'empty' : 'told' },
      fleet.server.lost,
    )
    fleet.output.say(`worker ${own.name}: at rest`)
    return EXIT.ok
  } finally {
    unwatch()
    fleet.server.close()
    await own.lock.release()
  }
}

type Room = { name: string; folder: string; lock: Lock }

/** Each worker has folders of its own: one that is frozen still holds the locks in them. */
async function takeRoom(room: string, named: string | undefined): Promise<Room> {
  if (named !== undefined && !/^\w[\w.-]{0,59}$/.test(named)) throw new Refusal(EXIT.usage, `--name: ${JSON.stringify(named)} is no plain name`, 'greenlatch fleet worker --name builder-1')
  const host = hostname().replaceAll(/[^\w.-]/g, '-').slice(0, 40) || 'worker'
  const names = named === undefined ? Array.from({ length: MOST_WORKERS }, (_, at) => `${host}-${at + 1}`) : [named]
  for (const name of names) {
    const folder = join(room, name)
    makeFolder(folder)
    const lock = await acquireLock(folder, { name: 'worker' })
    if (lock.kind === 'lock') return { name, folder, lock }
  }
  throw new Refusal(EXIT.locked, `a worker called "${names[0]}" is running already`, 'greenlatch fleet worker --name <another>')
}

/** The first signal lets every session come to the end of its phase and gives it back; the second ends everything at once. */
function watch(draining: AbortController, output: Output): () => void {
  const hear = (signal: Signal): void => {
    if (draining.signal.aborted) {
      endAllTreesNow()
      process.exit(SIGNAL_CODES[signal])
    }
    output.say(`${signal}: coming to rest; sessions are given back at their next boundary (again to force it)`)
    draining.abort()
  }
  return onSignals(hear, ['SIGINT', 'SIGTERM'])
}
