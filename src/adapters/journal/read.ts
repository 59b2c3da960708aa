// Reading a session: the cache where it fits and the records after it, else every record from the first.
import type { Event, Session } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import type { JournalRecord } from '../../ports.js'
import { readCache, type Cache, type CacheRead, type Proof } from './cache.js'
import { check, decode, FORMAT, type Head } from './line.js'
import { damaged, journalPath, linesOf, refuseNewer, repairCommand, walk, withJournal, type Found } from './walk.js'

/** How events become a session. The version is that of the fold's meaning: another one makes a cache worthless. */
export type Fold = { version: number; apply(session: Session | null, event: Event): Session }

/** `whole` proves every record of the file; `tail` only what the cache does not cover. */
export type Thoroughness = 'whole' | 'tail'

/** `offset` is where the last record begins, `end` where it ends, `size` where the file does. */
export type JournalState = { session: Session; last: JournalRecord; offset: number; end: number; size: number; notices: string[] }

export function readJournal(folder: string, fold: Fold, thoroughness: Thoroughness): JournalState {
  // The cache first: it is written after the journal, so what it proves must then be there.
  const known = readCache(folder)
  return withJournal(folder, (fd) => {
    const cache = known.kind === 'cache' && fits(fd, known.cache, fold) ? known.cache : null
    if (!cache) refuseNewer(fd, folder)
    const from = cache && thoroughness === 'tail' ? cache : { seq: 1, offset: 0 }
    const reader = startReader(folder, fold, cache)
    const place = { seq: from.seq - 1, sum: from.seq === 1 ? '' : null }
    for (const found of walk(fd, from.offset, place)) reader.take(found, known.kind === 'cache' ? known.cache : null)
    return reader.finish(known)
  })
}

/** A cache fits when it is of our format and fold, and the journal has its record at its place. */
function fits(fd: number, cache: Cache, fold: Fold): boolean {
  if (cache.format !== FORMAT || cache.fold !== fold.version) return false
  const line = linesOf(fd, cache.offset).next().value
  if (!line || line.kind !== 'line') return false
  const head = check(line.bytes, { seq: cache.seq - 1, sum: null })
  return 'sum' in head && head.sum === cache.sum
}

type FoundRecord = Extract<Found, { kind: 'record' }>

type Reader = { take(found: Found, proof: Proof | null): void; finish(known: CacheRead): JournalState }

function startReader(folder: string, fold: Fold, cache: Cache | null): Reader {
  let session: Session | null = cache?.session ?? null
  let last: { head: Head; bytes: Buffer; offset: number } | null = null
  let size = 0
  const notices: string[] = []
  const takeRecord = (found: FoundRecord, proof: Proof | null): void => {
    const { head, bytes, offset } = found
    if (proof?.seq === head.seq && proof.sum !== head.sum) throw damaged(folder, head.seq, offset, 'it is not the record that was written')
    if (!cache || head.seq > cache.seq) session = applyAll(folder, fold, session, found)
    last = found
    size = offset + bytes.length + 1
  }
  return {
    take(found, proof) {
      switch (found.kind) {
        case 'record':
          return takeRecord(found, proof)
        case 'torn':
          size = found.offset + found.length
          return void notices.push(tornNotice(found))
        case 'bad':
          throw damaged(folder, found.seq, found.offset, found.why)
      }
    },
    finish(known) {
      refuseShorter(folder, last?.head.seq ?? 0, last ? last.offset + last.bytes.length + 1 : 0, known)
      if (!last || !session) throw new Refusal(EXIT.state, `${journalPath(folder)} holds no whole record`, repairCommand(folder))
      if (known.kind === 'unreadable') notices.push('session.json could not be read; the session was rebuilt from its journal')
      return { session, last: decode(last.bytes), offset: last.offset, end: last.offset + last.bytes.length + 1, size, notices }
    },
  }
}

/** A cache that carries its own checksum was written after the record it names was durable. */
export function refuseShorter(folder: string, seq: number, end: number, known: CacheRead): void {
  if (known.kind !== 'cache' || known.cache.seq <= seq) return
  throw damaged(folder, seq + 1, end, `it is missing, although record ${known.cache.seq} had been written`)
}

function applyAll(folder: string, fold: Fold, before: Session | null, found: FoundRecord): Session {
  const { seq } = found.head
  const { events } = decode(found.bytes)
  if (seq === 1 && events[0]?.type !== 'opened') throw damaged(folder, seq, found.offset, 'it does not open a session')
  try {
    let session = before
    for (const event of events) session = fold.apply(session, event)
    return session as Session
  } catch (error) {
    const text = `record ${seq} of ${journalPath(folder)} is not understood by this version (the one that wrote it can go on with it): ${String(error)}`
    throw Object.assign(new Refusal(EXIT.state, text, 'greenlatch run --fresh'), { cause: error })
  }
}

function tornNotice(torn: { offset: number; length: number }): string {
  return `the last line of the journal (byte ${torn.offset}, ${torn.length} bytes) was never finished and does not count`
}
