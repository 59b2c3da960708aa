// One simulated session from its opening to its end, through as many deaths and full disks as its seed has in store.
import type { Session } from '../../../src/core/index.js'
import { builtinProcedures } from '../../../src/procedures/index.js'
import { Refusal } from '../../../src/errors.js'
import type { Ending, JournalRecord } from '../../../src/ports.js'
import { run } from '../../../src/shell/run.js'
import { randomFrom } from '../../../src/simulate/random.js'
import { Crash } from './danger.js'
import { breachesAtEnd, breachesOfAttempt, breachesOfWaiting } from './invariants.js'
import { makeWorld, openWorld, type World } from './world.js'

export type Simulated = { seed: number; breaches: string[]; trail: readonly string[]; crashes: number; refusals: number; calls: number; outcome: string; attempts: number }

/** More than any of them needs: accidents end after a while, and so do interruptions. */
const MOST_ATTEMPTS = 400
const PROCEDURES = ['converge', 'ooda', 'converge'] as const
const MOST_ITERATIONS = 6

export async function simulate(seed: number): Promise<Simulated> {
  const world = worldFrom(seed)
  const breaches: string[] = []
  let session: Session | null = null
  let attempts = 0
  while (attempts < MOST_ATTEMPTS && breaches.length === 0 && !session?.finish) {
    attempts += 1
    session = await attempt(world, breaches)
  }
  const records = await recordsOf(world)
  if (breaches.length === 0 && session) breaches.push(...breachesAtEnd(world, session, records))
  const { trail, crashes, refusals, calls } = world.danger
  return { seed, breaches, trail, crashes, refusals, calls, outcome: session?.finish?.outcome ?? 'endless', attempts }
}

function worldFrom(seed: number): World {
  const random = randomFrom(seed + 1)
  const built = builtinProcedures[random.pick(PROCEDURES)]
  if (!built) throw new Error('there is no such procedure')
  const procedure = { ...built, budget: { ...built.budget, iterations: 1 + random.below(MOST_ITERATIONS) } }
  const odds = { crash: random.pick([0, 0.01, 0.05, 0.15]), full: random.pick([0, 0, 0.03]), most: 1 + random.below(10) }
  return makeWorld({ seed, procedure, odds, roles: ['implementer', 'reviewer', 'consultant', 'planner'], isPerson: random.chance(0.15) })
}

/** One process: it comes to rest, dies, or is refused by a full disk. */
async function attempt(world: World, breaches: string[]): Promise<Session> {
  const before = await recordsOf(world)
  const live = await openWorld(world)
  const began = live.session
  let ending: Ending | null = null
  let isDead = false
  try {
    ending = await run(live, { resumed: before.length > 1 })
  } catch (error) {
    isDead = error instanceof Crash
    if (!isDead && !(error instanceof Refusal)) breaches.push(`a bug: ${error instanceof Error ? error.stack : String(error)}`)
  }
  const after = await recordsOf(world)
  const { session } = await world.journal.load()
  breaches.push(...breachesOfAttempt(world, after, { read: session, live: isDead ? null : live.session }), ...breachesOfWaiting(began, ending, session, after.length - before.length))
  return session
}

async function recordsOf({ journal }: World): Promise<JournalRecord[]> {
  const records: JournalRecord[] = []
  for await (const record of journal.records()) records.push(record)
  return records
}
