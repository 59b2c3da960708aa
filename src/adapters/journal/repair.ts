// Repair of a damaged journal: the longest sound beginning goes on, everything else is kept beside it under another name.
import { constants, copyFileSync, existsSync, openSync, closeSync, fsyncSync, readSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { EXIT, Refusal } from '../../errors.js'
import { stateRefusal, syncFolder, writeAll } from '../../files/durable.js'
import type { Clock } from '../../ports.js'
import { cachePath, readCache } from './cache.js'
import { encode, type Head } from './line.js'
import { journalPath, linesOf, refuseNewer, repairCommand, walk, withJournal } from './walk.js'
import { nextEpoch } from './writer.js'

export type Repair = {
  /** The last record that was kept. */
  kept: number
  /** One line for people: what was lost and where it lies. */
  note: string
  /** Where the damaged journal lies now. */
  copy: string
}

/** What is sound, and what is wrong after it. `known` is the highest record that is known to have been there. */
type Findings = { last: Head; end: number; why: string; known: number; offset: number }

/** Call with the lock held. Deletes nothing; refuses when there is nothing to repair or nothing to keep. */
export function repairJournal(options: { folder: string; clock: Pick<Clock, 'now' | 'seconds'> }): Repair {
  const { folder, clock } = options
  const findings = withJournal(folder, (fd) => examine(fd, folder))
  try {
    const number = freeNumber(folder)
    const copy = join(folder, `journal.damaged-${number}.jsonl`)
    copyFileSync(journalPath(folder), copy, constants.COPYFILE_EXCL)
    syncFile(copy)
    syncFolder(folder)
    const note = noteOf(findings, basename(copy))
    putInPlace(folder, findings, note, clock.now())
    // Last: until the journal says what was lost, the cache is the only proof that there was more.
    setAsideCache(folder, number)
    return { kept: findings.last.seq, note, copy }
  } catch (error) {
    throw stateRefusal(error, journalPath(folder), repairCommand(folder))
  }
}

function examine(fd: number, folder: string): Findings {
  refuseNewer(fd, folder)
  const read = readCache(folder)
  const proof = read.kind === 'cache' ? read.cache : { seq: 0, sum: '' }
  let last: Head | null = null
  let end = 0
  let why = ''
  for (const found of walk(fd, 0, { seq: 0, sum: '' })) {
    if (found.kind === 'bad') why = found.why
    if (found.kind !== 'record') break
    if (found.head.seq === proof.seq && found.head.sum !== proof.sum) {
      why = 'it is not the record that was written'
      break
    }
    last = found.head
    end = found.offset + found.bytes.length + 1
  }
  const id = basename(folder)
  if (!last) throw new Refusal(EXIT.state, `no record of the journal of ${id} is sound; it is kept as it is`, 'greenlatch run --fresh')
  if (!why && proof.seq > last.seq) why = 'the journal breaks off'
  if (!why) throw new Refusal(EXIT.usage, `nothing is wrong with the journal of ${id}`, `greenlatch status ${id}`)
  return { last, end, why, known: Math.max(proof.seq, last.seq + linesAfter(fd, end)), offset: end }
}

function linesAfter(fd: number, offset: number): number {
  let lines = 0
  for (const line of linesOf(fd, offset)) lines += line.bytes.length > 0 ? 1 : 0
  return lines
}

function noteOf(findings: Findings, copy: string): string {
  const first = findings.last.seq + 1
  const lost = findings.known > first ? `records ${first} to ${findings.known} were` : `record ${first} was`
  return `${lost} lost (damage at byte ${findings.offset}: ${findings.why}); the damaged journal is kept as ${copy}`
}

/** The sound beginning and the record of the repair appear together, so that no crash in between hides the loss. */
function putInPlace(folder: string, findings: Findings, note: string, now: number): void {
  const { last, end } = findings
  const temporary = join(folder, '.journal.repair.tmp')
  const record = { seq: last.seq + 1, at: Math.max(0, Math.round(now)), epoch: nextEpoch(folder, last), prev: last.sum }
  rmSync(temporary, { force: true })
  const out = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    withJournal(folder, (fd) => copyStart(fd, out, end))
    writeAll(out, encode({ ...record, events: [{ type: 'repaired', note }] }).bytes)
    fsyncSync(out)
  } finally {
    closeSync(out)
  }
  renameSync(temporary, journalPath(folder))
  syncFolder(folder)
}

function copyStart(from: number, to: number, length: number): void {
  const chunk = Buffer.allocUnsafe(256 * 1024)
  for (let done = 0; done < length; ) {
    const count = readSync(from, chunk, 0, Math.min(chunk.length, length - done), done)
    if (count === 0) throw new Error('the journal became shorter while it was repaired')
    writeAll(to, chunk.subarray(0, count))
    done += count
  }
}

function setAsideCache(folder: string, number: number): void {
  if (!existsSync(cachePath(folder))) return
  renameSync(cachePath(folder), join(folder, `session.damaged-${number}.json`))
  syncFolder(folder)
}

function freeNumber(folder: string): number {
  let number = 1
  while (existsSync(join(folder, `journal.damaged-${number}.jsonl`)) || existsSync(join(folder, `session.damaged-${number}.json`))) number++
  return number
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
