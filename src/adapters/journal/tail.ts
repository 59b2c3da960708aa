// Reads a journal that somebody else is writing: each call gives what has come since the last, and reads nothing twice.
import { fstatSync, closeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { JournalRecord } from '../../ports.js'
import { stateRefusal } from '../../files/durable.js'
import { readCache } from './cache.js'
import { decode, type Place } from './line.js'
import { refuseShorter } from './read.js'
import { damaged, journalPath, openForReading, refuseNewer, repairCommand, walk } from './walk.js'

export type Tail = {
  /** The records since the last call. `again`: the journal is another one now, as after a repair, and all of it comes anew. */
  next(): AsyncGenerator<{ record: JournalRecord; again: boolean }>
}

/** `file` tells the file from another that has taken its name. */
type Position = { offset: number; place: Place; file: number }

const BEGINNING: Position = { offset: 0, place: { seq: 0, sum: '' }, file: 0 }

export function tailJournal(folder: string): Tail {
  let position = BEGINNING
  let hasGiven = false
  return {
    async *next() {
      // The cache first: it is written after the journal, so what it proves must then be there.
      const known = position === BEGINNING ? readCache(folder) : null
      const fd = openForReading(folder)
      try {
        if (known) refuseNewer(fd, folder)
        else if (!goesOn(fd, position)) position = BEGINNING
        let again = hasGiven && position === BEGINNING
        const { ino: file } = fstatSync(fd)
        for (const found of walk(fd, position.offset, position.place)) {
          if (found.kind === 'bad') throw damaged(folder, found.seq, found.offset, found.why)
          // What is torn is still being written, or is told by whoever opens the session next.
          if (found.kind === 'torn') break
          position = { offset: found.offset + found.bytes.length + 1, place: found.head, file }
          hasGiven = true
          yield { record: decode(found.bytes), again }
          again = false
          // A long journal must not keep the rest of the process waiting.
          if (found.head.seq % 64 === 0) await setImmediate()
        }
        if (known) refuseShorter(folder, position.place.seq, position.offset, known)
      } catch (error) {
        throw stateRefusal(error, journalPath(folder), repairCommand(folder))
      } finally {
        closeSync(fd)
      }
    },
  }
}

/** Whether it is the same file, and what it has beyond the position, if anything, follows on what was read. */
function goesOn(fd: number, { offset, place, file }: Position): boolean {
  const { size, ino } = fstatSync(fd)
  if (ino !== file || size < offset) return false
  const [next] = walk(fd, offset, place)
  return next?.kind !== 'bad'
}
