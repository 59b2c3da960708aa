// The journal of a session on disk: append-only records, each durable when it is acknowledged, and a cache of their fold.
import { closeSync, existsSync } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Event, Session } from '../../core/types.js'
import { EXIT, Refusal } from '../../errors.js'
import { makeFolder, stateRefusal, writeDurable } from '../../files/durable.js'
import type { Clock, Journal, JournalRecord, Loaded } from '../../ports.js'
import { readCache, writeCache } from './cache.js'
import { decode, encode } from './line.js'
import { readJournal, refuseShorter, type Fold } from './read.js'
import { damaged, journalPath, openForReading, refuseNewer, repairCommand, walk } from './walk.js'
import { nextEpoch, openWriter, type Writer } from './writer.js'

export { FORMAT } from './line.js'
export type { Fold } from './read.js'

export type JournalOptions = {
  folder: string
  fold: Fold
  clock: Pick<Clock, 'now' | 'seconds'>
  /** Fields for people, kept beside the session in session.json. */
  view?: (session: Session, last: JournalRecord) => object
  /** Hears what went wrong without harm, such as a cache that could not be written. */
  onNotice?: (text: string) => void
}

const CACHE_SECONDS = 1
const CACHE_RECORDS = 64

/** A writable journal needs the session's lock, and is to be loaded before anything is appended. */
export function openJournal(options: JournalOptions & { writable: boolean }): Journal {
  let writing: Writing | null = null
  return {
    // oxlint-disable-next-line require-await -- the port is asynchronous, reading is not
    async load() {
      const state = readJournal(options.folder, options.fold, options.writable ? 'whole' : 'tail')
      const { session, last, notices } = state
      if (options.writable) {
        writing?.close()
        writing = startWriting(options, openWriter(options.folder, state, nextEpoch(options.folder, last)))
      }
      return { session, last, notices }
    },
    append(events, after) {
      if (!writing) throw new Error('a journal is appended to only when it was opened writable and loaded')
      return writing.append(events, after)
    },
    records: () => recordsOf(options.folder),
    settle: () => writing?.settle(),
    close() {
      writing?.close()
      writing = null
    },
  }
}

/** A new session: its first record is durable, name and all, when this returns. Call with the lock held. */
export function createJournal(options: JournalOptions, opened: Event): { journal: Journal; loaded: Loaded } {
  const { folder, fold, clock } = options
  const path = journalPath(folder)
  makeFolder(folder)
  const id = basename(folder)
  if (existsSync(path)) throw new Refusal(EXIT.usage, `the session ${id} exists already`, `greenlatch status ${id}`)
  const epoch = nextEpoch(folder, null)
  const record = { seq: 1, at: Math.max(0, Math.round(clock.now())), epoch, prev: '', events: [opened] }
  const { bytes, sum } = encode(record)
  writeDurable(path, bytes)
  const last = { ...record, sum }
  const session = fold.apply(null, opened)
  const writing = startWriting(options, openWriter(folder, { last, offset: 0, end: bytes.length, size: bytes.length }, epoch))
  writing.cache(session)
  const { append, settle, close } = writing
  return { journal: { ...openJournal({ ...options, writable: false }), append, settle, close }, loaded: { session, last, notices: [] } }
}

type Writing = Pick<Journal, 'append' | 'settle' | 'close'> & { cache(session: Session): void }

function startWriting(options: JournalOptions, writer: Writer): Writing {
  const { folder, fold, clock } = options
  let latest: Session | null = null
  let cached = { seq: writer.last.seq, seconds: clock.seconds() }
  let failing = false
  const cache = (session: Session): void => {
    const { last, offset } = writer
    cached = { seq: last.seq, seconds: clock.seconds() }
    try {
      writeCache(folder, { seq: last.seq, offset, sum: last.sum, fold: fold.version, session }, options.view?.(session, last) ?? {})
      failing = false
    } catch (error) {
      // Said once, not every second: the journal is the truth and goes on without.
      if (!failing) options.onNotice?.(`session.json is out of date: ${error instanceof Error ? error.message : String(error)}`)
      failing = true
    }
  }
  return {
    append(events, after) {
      const record = writer.append(events, clock.now())
      latest = after
      if (record.seq - cached.seq >= CACHE_RECORDS || clock.seconds() - cached.seconds >= CACHE_SECONDS) cache(after)
      return record
    },
    // Nothing appended, nothing written: a step that only waits leaves every file as it was (I4).
    settle: () => void (latest && cache(latest)),
    close: () => writer.close(),
    cache,
  }
}

async function* recordsOf(folder: string): AsyncGenerator<JournalRecord> {
  const known = readCache(folder)
  const fd = openForReading(folder)
  let end = { seq: 0, offset: 0 }
  try {
    refuseNewer(fd, folder)
    for (const found of walk(fd, 0, { seq: 0, sum: '' })) {
      if (found.kind === 'bad') throw damaged(folder, found.seq, found.offset, found.why)
      if (found.kind === 'torn') break
      end = { seq: found.head.seq, offset: found.offset + found.bytes.length + 1 }
      yield decode(found.bytes)
      // A long journal must not keep the rest of the process waiting.
      if (end.seq % 64 === 0) await setImmediate()
    }
    refuseShorter(folder, end.seq, end.offset, known)
  } catch (error) {
    throw stateRefusal(error, journalPath(folder), repairCommand(folder))
  } finally {
    closeSync(fd)
  }
}
