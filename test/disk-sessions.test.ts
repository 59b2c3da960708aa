// I1, I2 and I5 on disk: random sessions driven record by record through real files, closed and opened again at random.
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createJournal, openJournal } from '../src/adapters/journal/files.js'
import { apply, FOLD_VERSION, rebuild, type Event, type Session } from '../src/core/index.js'
import type { Clock, Journal } from '../src/ports.js'
import { disturbance, nextRecord, randomFrom, randomOpened, type Random } from './support/random-sessions.js'

const SESSIONS = 500
const MOST_RECORDS = 20_000
const fold = { version: FOLD_VERSION, apply }
/** In memory where that is possible: what is tried here is the order of things, not the disk. */
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'greenlatch-sessions-'))

afterAll(() => rmSync(root, { recursive: true }))

type Disk = { folder: string; random: Random; clock: Pick<Clock, 'now' | 'seconds'>; counts: Record<string, number> }

/** Time goes by in jumps, so that caches are written at some records and not at others. */
function jumpingClock(random: Random): Pick<Clock, 'now' | 'seconds'> {
  let seconds = 0
  const pass = (): number => (seconds += random.chance(0.3) ? 2 : 0.001)
  return { now: () => 1_700_000_000_000 + pass() * 1000, seconds: pass }
}

function count(disk: Disk, what: string): void {
  disk.counts[what] = (disk.counts[what] ?? 0) + 1
}

/** What may become of the cache while nobody has the session open: it stays, goes, or an older one comes back. */
function disturbCache(disk: Disk): void {
  const cache = join(disk.folder, 'session.json')
  const older = join(disk.folder, 'older.json')
  const what = disk.random.pick(['kept', 'kept', 'deleted', 'older'] as const)
  count(disk, `cache ${what}`)
  if (what === 'deleted') rmSync(cache, { force: true })
  if (what === 'older' && existsSync(older)) renameSync(older, cache)
  if (existsSync(cache)) copyFileSync(cache, older)
}

async function reopen(disk: Disk, journal: Journal, live: Session): Promise<Journal> {
  if (disk.random.chance(0.5)) journal.settle()
  journal.close()
  disturbCache(disk)
  const again = openJournal({ folder: disk.folder, fold, clock: disk.clock, writable: true })
  const { session, notices } = await again.load()
  if (!isDeepStrictEqual(session, live)) expect(session).toEqual(live)
  expect(notices).toEqual([])
  count(disk, 'reopened')
  return again
}

/** Lives through one random session on disk; throws when it does not end. */
async function live(seed: number, counts: Record<string, number>): Promise<{ session: Session; records: Event[][]; folder: string }> {
  const random = randomFrom(seed)
  const disk: Disk = { folder: join(root, `s${seed}`), random, clock: jumpingClock(randomFrom(seed + 1)), counts }
  const opened = randomOpened(random, `s${seed}`)
  const records: Event[][] = [[opened]]
  let { journal, loaded: { session } } = createJournal({ folder: disk.folder, fold, clock: disk.clock }, opened)
  for (let n = 0; n < MOST_RECORDS; n++) {
    const outside = n < 100 && !session.finish ? disturbance(random, session, n) : []
    const events = outside.length > 0 ? outside : nextRecord(session, seed)
    if (events.length === 0) {
      journal = await reopen(disk, journal, session)
      journal.close()
      return { session, records, folder: disk.folder }
    }
    records.push(events)
    session = rebuild(events, session)
    journal.append(events, session)
    if (random.chance(0.15)) journal = await reopen(disk, journal, session)
  }
  throw new Error(`seed ${seed} goes on after ${MOST_RECORDS} records`)
}

async function readAll(folder: string): Promise<Event[][]> {
  const records: Event[][] = []
  const clock: Pick<Clock, 'now' | 'seconds'> = { now: () => 0, seconds: () => 0 }
  for await (const record of openJournal({ folder, fold, clock, writable: false }).records()) records.push(record.events)
  return records
}

describe('sessions on disk', () => {
  it(`I1 I2 I5 ends every one of ${SESSIONS} random sessions, and each time it is opened again it is the live session`, async () => {
    const counts: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 2 }), async (seed) => {
        try {
          const { session, records, folder } = await live(seed, counts)
          expect(session.finish, 'every session ends').not.toBeNull()
          expect(isDeepStrictEqual(await readAll(folder), records), 'the journal holds what was written').toBe(true)
        } finally {
          rmSync(join(root, `s${seed}`), { recursive: true, force: true })
        }
      }),
      { numRuns: SESSIONS },
    )
    // A test that never met one of these would prove nothing about it.
    for (const what of ['reopened', 'cache kept', 'cache deleted', 'cache older']) expect(counts[what], what).toBeGreaterThan(100)
  })
})
