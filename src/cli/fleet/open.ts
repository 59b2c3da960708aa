// What every command of a fleet begins with: where its files are, which server the queue is on, and a connection to it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { connect, replyRefusal, type Server } from '../../fleet/connection.js'
import { loadPeers, type Peers } from '../../fleet/peers.js'
import { allJobs, type FleetJob, type QueueState } from '../../fleet/queues.js'
import { rowOf, type Row } from '../../fleet/rows.js'
import { KEY } from '../../fleet/shared.js'
import { hasWon } from '../../fleet/attempt.js'
import { systemClock } from '../clock.js'
import { openContext, type Context, type GlobalFlags } from '../context.js'
import type { Output } from '../output.js'

export type FleetFlags = GlobalFlags & { redis?: string }

export type Fleet = { context: Context; output: Output; room: string; peers: Peers; server: Server }

const PATIENCE_SECONDS = 20

export function fleetRoom({ store }: Context): string {
  return join(store, '..', '..', 'fleet')
}

export function addressFile(room: string): string {
  return join(room, 'redis', 'address')
}

/** `patienceSeconds`: how long a server that went away is waited for. */
export async function openFleet(flags: FleetFlags, patienceSeconds = PATIENCE_SECONDS): Promise<Fleet> {
  const context = await openContext(flags, {}, 'user')
  const room = fleetRoom(context)
  const peers = await loadPeers()
  const server = await connect(peers, { address: addressOf(flags, room), patienceSeconds, now: systemClock.now })
  for (const warning of server.warnings) context.output.say(`warning: ${warning}`)
  return { context, output: context.output, room, peers, server }
}

function addressOf(flags: FleetFlags, room: string): string {
  const address = knownAddress(flags, room)
  if (address !== null) return address
  throw new Refusal(EXIT.usage, 'no queue is named: neither --redis nor GREENLATCH_REDIS, and none was started here', 'greenlatch fleet up')
}

/** Null where no queue is named and none was started here. */
export function knownAddress({ redis }: FleetFlags, room: string): string | null {
  const named = redis ?? process.env['GREENLATCH_REDIS']
  if (named !== undefined && named !== '') return named
  try {
    return readFileSync(addressFile(room), 'utf8').trim()
  } catch {
    return null
  }
}

/** Opens the fleet for one command, and lets go of it whatever happens. */
export async function withFleet(flags: FleetFlags, act: (fleet: Fleet) => Promise<number>): Promise<number> {
  const fleet = await openFleet(flags)
  try {
    return await Promise.race([act(fleet), fleet.server.lost])
  } catch (error) {
    throw replyRefusal(error) ?? error
  } finally {
    fleet.server.close()
  }
}

export async function rowsOf({ peers, server: { redis } }: Fleet, states?: readonly QueueState[]): Promise<Row[]> {
  const [jobs, cancelled] = [await allJobs(peers, redis, states), new Set(await redis.smembers(KEY.cancelled))]
  const rows = await Promise.all(jobs.map(async ({ job, state }) => ({ ...rowOf(job, state, cancelled.has(job.data.id)), wins: await won(job, redis) })))
  return rows.toSorted((a, b) => a.session.localeCompare(b.session))
}

async function won(job: FleetJob, redis: Fleet['server']['redis']): Promise<boolean | null> {
  return job.data.candidate ? hasWon(redis, job.data) : null
}

/** Rows of a session or a batch by its name; all where none is given. */
export function chosen(rows: readonly Row[], name: string | undefined): Row[] {
  const found = name === undefined ? [...rows] : rows.filter(({ session, batch }) => session === name || batch === name)
  if (found.length > 0 || name === undefined) return found
  throw new Refusal(EXIT.usage, `the queue knows no session and no batch "${name}"`, 'greenlatch fleet status')
}
