// Appending to a journal: one write and one sync per record, refused when anybody else has written or taken over.
import { chmodSync, closeSync, constants, copyFileSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Event } from '../../core/types.js'
import { EXIT, FullDisk, Refusal } from '../../errors.js'
import { stateRefusal, syncFolder, writeDurable } from '../../files/durable.js'
import { markOwner, readOwner, sameOwner, type OwnerMark } from '../../files/owner.js'
import type { JournalRecord } from '../../ports.js'
import { encode } from './line.js'
import { journalPath, MAX_LINE_BYTES, repairCommand } from './walk.js'

/** Where the journal stands: `end` is the end of the last record, `size` that of the file, which a torn line makes longer. */
type Standing = { last: JournalRecord; offset: number; end: number; size: number }

export type Writer = {
  readonly last: JournalRecord
  /** Where the last record begins. */
  readonly offset: number
  /** Throws Refusal, and then the journal is as it was before. */
  append(events: readonly Event[], at: number): JournalRecord
  close(): void
}

type Open = { folder: string; path: string; fd: number; inode: bigint; owner: OwnerMark; epoch: number }

/** Call with the lock held. */
export function openWriter(folder: string, standing: Standing, epoch: number): Writer {
  const open = openForWriting(folder, epoch)
  let now = standing
  let broken: Refusal | null = null
  return {
    get last() {
      return now.last
    },
    get offset() {
      return now.offset
    },
    append(events, at) {
      if (broken) throw broken
      try {
        return (now = appendRecord(open, now, events, at)).last
      } catch (error) {
        if (error instanceof Untrusted) broken = error
        throw stateRefusal(error, open.path, `greenlatch resume ${basename(folder)}`)
      }
    },
    close() {
      broken ??= new Untrusted(EXIT.state, `the journal of ${basename(folder)} is closed`, `greenlatch resume ${basename(folder)}`)
      if (open.fd >= 0) closeSync(open.fd)
      open.fd = -1
    },
  }
}

/** Constant for one writer: later than that of every record, and at least the one its lock was given. */
export function nextEpoch(folder: string, last: { epoch: number } | null): number {
  return Math.max((last?.epoch ?? 0) + 1, readOwner(folder)?.epoch ?? 0)
}

/** After this error the file can no longer be trusted by this process. */
class Untrusted extends Refusal {}

function openForWriting(folder: string, epoch: number): Open {
  const path = journalPath(folder)
  try {
    // Appending, not writing at a place: should two processes ever race, nothing is overwritten and the chain shows it.
    const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW)
    // A record of a killed process may be readable but not yet durable.
    fdatasyncSync(fd)
    return { folder, path, fd, inode: fstatSync(fd, { bigint: true }).ino, owner: markOwner(folder), epoch }
  } catch (error) {
    throw stateRefusal(error, path, repairCommand(folder))
  }
}

function appendRecord(open: Open, now: Standing, events: readonly Event[], at: number): Standing {
  const record = { seq: now.last.seq + 1, at: Math.max(0, Math.round(at)), epoch: open.epoch, prev: now.last.sum, events: [...events] }
  const { bytes, sum } = encode(record)
  if (bytes.length > MAX_LINE_BYTES) throw new Error(`a record of ${bytes.length} bytes is longer than any reader accepts`)
  fence(open, now)
  write(open, now, bytes)
  sync(open, now)
  const end = now.end + bytes.length
  return { last: { ...record, sum }, offset: now.end, end, size: end }
}

/** The lock keeps others out; this finds out when it could not, such as from another container, and when somebody wrote without asking. */
function fence(open: Open, now: Standing): void {
  const stat = statSync(open.path, { bigint: true, throwIfNoEntry: false })
  const id = basename(open.folder)
  if (!stat) throw removed(open, now)
  if (!sameOwner(open.folder, open.owner)) throw takenOver(open)
  const isChanged = stat.ino !== open.inode || Number(stat.size) !== now.size
  // Where nobody has signed as the owner, another writer looks just the same.
  if (isChanged && open.owner.text === null) throw takenOver(open)
  if (stat.ino !== open.inode) throw new Untrusted(EXIT.guard, `the journal of ${id} was replaced by something else while it ran; the run stops here`, repairCommand(open.folder))
  const more = Number(stat.size) - now.size
  if (more < 0) throw new Untrusted(EXIT.guard, `${-more} bytes of the journal of ${id} were taken away by something else while it ran; the run stops here`, repairCommand(open.folder))
  if (more > 0) throw foreign(open, now, Number(stat.size))
}

/**
 * Nobody but this process may write here, and no other has taken over: what was added is no record, whatever it says. It is kept beside
 * the journal, which ends again where this process left it, with a record that says so.
 */
function foreign(open: Open, now: Standing, size: number): Refusal {
  const id = basename(open.folder)
  const text = `${size - now.end} bytes that this run has not written stood in the journal of ${id}`
  try {
    const kept = keepForeign(open, now.end, size)
    ftruncateSync(open.fd, now.end)
    const note = `${text}; they do not count, and are kept as ${kept}`
    writeRepair(open, open.fd, now, note)
    return new Untrusted(EXIT.guard, `${note}; the run stops here`, `greenlatch resume ${id}`)
  } catch {
    return new Untrusted(EXIT.guard, `${text}; the run stops here`, repairCommand(open.folder))
  }
}

function writeRepair({ epoch }: Open, fd: number, { last }: Standing, note: string): void {
  const body = { seq: last.seq + 1, at: last.at, epoch, prev: last.sum, events: [{ type: 'repaired', note } as const] }
  writeSync(fd, encode(body).bytes)
  fdatasyncSync(fd)
}

/** The file without a name is still open here: on Linux it can be given its name back, unless the whole folder is gone. */
function removed(open: Open, now: Standing): Refusal {
  const id = basename(open.folder)
  try {
    copyFileSync(`/proc/self/fd/${open.fd}`, open.path, constants.COPYFILE_EXCL)
    chmodSync(open.path, 0o600)
    const note = `the journal of ${id} was taken away by something else while it ran; it was put back`
    const fd = openSync(open.path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW)
    try {
      writeRepair(open, fd, now, note)
    } finally {
      closeSync(fd)
    }
    syncFolder(open.folder)
    return new Untrusted(EXIT.guard, `${note}; the run stops here`, `greenlatch resume ${id}`)
  } catch {
    return new Untrusted(EXIT.state, `the files of session ${id} were removed while it ran`, 'greenlatch sessions')
  }
}

function keepForeign({ path, folder }: Open, from: number, to: number): string {
  const bytes = Buffer.alloc(Math.min(to - from, MAX_LINE_BYTES))
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    readSync(fd, bytes, 0, bytes.length, from)
  } finally {
    closeSync(fd)
  }
  const name = `journal.foreign-${from}.jsonl`
  writeDurable(join(folder, name), bytes)
  return name
}

function takenOver(open: Open): Refusal {
  const text = `another process has taken over the session ${basename(open.folder)}; this one has stopped writing to it`
  return new Untrusted(EXIT.locked, text, `greenlatch status ${basename(open.folder)}`)
}

function write(open: Open, now: Standing, bytes: Buffer): void {
  try {
    if (now.size !== now.end) ftruncateSync(open.fd, now.end)
    const written = writeSync(open.fd, bytes)
    if (written < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
  } catch (error) {
    // What is free is told before the cut line gives its space back.
    const refusal = unwritten(open, error, bytes.length)
    throw takeBack(open, now) ? refusal : new Untrusted(EXIT.state, refusal.message, repairCommand(open.folder))
  }
  if (fstatSync(open.fd).size !== now.end + bytes.length) throw takenOver(open)
}

function unwritten(open: Open, error: unknown, needBytes: number): Error {
  const session = basename(open.folder)
  const refusal = stateRefusal(error, open.path, `greenlatch resume ${session}`, needBytes)
  if (!(refusal instanceof Refusal)) return refusal
  const comfort = 'the records before are safe, the session can be resumed once that is put right'
  const Kind = refusal instanceof FullDisk ? FullDisk : Refusal
  return new Kind(refusal.code, `${refusal.message}; ${comfort}`, refusal.next)
}

/** After a failed sync the kernel may call lost pages clean: the record was not written, and this handle writes no more. */
function sync(open: Open, now: Standing): void {
  try {
    fdatasyncSync(open.fd)
  } catch (error) {
    takeBack(open, now)
    const refusal = stateRefusal(error, open.path, `greenlatch status ${basename(open.folder)}`)
    throw new Untrusted(EXIT.state, `${refusal.message}; the run stops here`, `greenlatch status ${basename(open.folder)}`)
  }
}

/** False when even that fails: then an unfinished line stays, which the next reader counts as torn. */
function takeBack(open: Open, now: Standing): boolean {
  try {
    ftruncateSync(open.fd, now.end)
    now.size = now.end
    return true
  } catch {
    return false
  }
}
