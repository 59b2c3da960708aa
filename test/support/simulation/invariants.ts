// What has to hold of a simulated session, whatever happened to it: each breach is one line that names the invariant.
import { isDeepStrictEqual } from 'node:util'
import { rebuild, type Event, type Session } from '../../../src/core/index.js'
import type { Ending, JournalRecord } from '../../../src/ports.js'
import { redOf, type World } from './world.js'

/** After each attempt: what was acknowledged is there, and reading it gives what the process had. */
export function breachesOfAttempt(world: World, records: readonly JournalRecord[], { read, live }: { read: Session; live: Session | null }): string[] {
  const events = records.flatMap((record) => record.events)
  const lost = world.acknowledged.filter((record) => records[record.seq - 1]?.sum !== record.sum)
  const [opened] = records
  const trees = events.flatMap((event) => (event.type === 'observed' ? [event.report.tree] : []))
  return [
    ...lost.map(({ seq }) => `lost: record ${seq} was acknowledged and is not there`),
    ...(opened?.events[0]?.type === 'opened' ? [] : ['lost: the first record']),
    ...(live === null || isDeepStrictEqual(read, live) ? [] : ['I1: the fold of the journal is not the session that was live']),
    ...trees.filter((tree) => !world.store.has(tree)).map((tree) => `lost: the tree ${tree} is in no store`),
    ...(world.files.user === 'untouched' ? [] : ['I10: the files of the user changed']),
    ...effectBreaches(events),
  ]
}

/** I3: one effect at a time, asked for once, answered at most once. */
function effectBreaches(events: readonly Event[]): string[] {
  const breaches: string[] = []
  const asked = new Set<string>()
  let outstanding: string | null = null
  for (const event of events) {
    if (event.type === 'asked') {
      if (outstanding !== null) breaches.push(`I3: ${event.effect.id} was asked while ${outstanding} was outstanding`)
      if (asked.has(event.effect.id)) breaches.push(`I3: ${event.effect.id} was asked twice`)
      asked.add(event.effect.id)
      outstanding = event.effect.id
    }
    if (event.type === 'observed') {
      if (outstanding !== event.report.effect) breaches.push(`I3: ${event.report.effect} was answered and was not outstanding`)
      outstanding = null
    }
  }
  return breaches
}

/** I4: a process that found an effect outstanding and only waited for it has written nothing. */
export function breachesOfWaiting(before: Session, ending: Ending | null, after: Session, written: number): string[] {
  const isSame = before.outstanding !== null && before.outstanding.id === after.outstanding?.id
  return ending?.kind === 'waiting' && isSame && written > 0 ? [`I4: ${written} records were written by a process that only waited`] : []
}

/** When all is over. */
export function breachesAtEnd(world: World, session: Session, records: readonly JournalRecord[]): string[] {
  const { finish, spent } = session
  const { procedure, repeated } = world
  if (!finish) return ['I5: it did not come to an end']
  const again = rebuild(records.flatMap(({ events }) => events))
  const budget = procedure.budget.iterations ?? Infinity
  return [
    ...(isDeepStrictEqual(again, session) ? [] : ['I2: reading it twice gives two sessions']),
    ...(finish.why === '' ? ['I6: it ended without a reason'] : []),
    ...(session.iteration > budget ? [`I8: ${session.iteration} iterations with a budget of ${budget}`] : []),
    ...(spent.seconds < 0 || Number.isNaN(spent.seconds) ? ['I8: less than nothing was spent'] : []),
    ...(finish.outcome === 'converged' && redOf(finish.delivers).length > 0 ? [`I9: converged on files on which ${redOf(finish.delivers).join(', ')} fails`] : []),
    ...(finish.outcome === 'converged' && !lastSealed(records) ? ['I9: converged without a sealed check that passed'] : []),
    ...repeated.map((id) => `repeated: ${id} was done again after its end was recorded`),
  ]
}

function lastSealed(records: readonly JournalRecord[]): boolean {
  const observed = records.flatMap(({ events }) => events.filter((event) => event.type === 'observed'))
  return observed.findLast(({ report }) => report.sealed !== null)?.judgement.verdict === 'pass'
}
