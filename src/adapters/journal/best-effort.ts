// A journal and a folder that go on without a disk: what cannot be written is said once, held in memory, and written with what comes next.
import type { Event } from '../../core/types.js'
import { FullDisk } from '../../errors.js'
import type { Folder, Journal, JournalRecord } from '../../ports.js'
import { memoryFolder } from './folder.js'

type Persisted = { journal: Journal; folder: Folder }

export function bestEffort({ journal, folder, onNotice }: Persisted & { onNotice: (text: string) => void }): Persisted & { onFullDisk: 'goes on' } {
  let isSaid = false
  const say = (error: FullDisk): void => {
    if (!isSaid) onNotice(`${error.message}; it goes on without (persistence: best-effort)`)
    isSaid = true
  }
  return { journal: holding(journal, say, onNotice), folder: holdingFiles(folder, say), onFullDisk: 'goes on' }
}

/** Without a disk a record has a number and nothing else: its sum is made when it is written. */
function holding(journal: Journal, say: (error: FullDisk) => void, onNotice: (text: string) => void): Journal {
  let held: Event[] = []
  let last: JournalRecord = { seq: 0, at: 0, epoch: 0, prev: '', events: [], sum: '' }
  return {
    ...journal,
    async load() {
      const loaded = await journal.load()
      last = loaded.last
      return loaded
    },
    append(events, after) {
      try {
        last = journal.append([...held, ...events], after)
        held = []
        return { ...last, events: [...events] }
      } catch (error) {
        if (!(error instanceof FullDisk)) throw error
        say(error)
        held.push(...events)
        return (last = { ...last, seq: last.seq + 1, events: [...events], sum: '' })
      }
    },
    close() {
      if (held.length > 0) onNotice(`${held.length} events of the session could not be written and are lost: it will go on from the record before`)
      journal.close()
    },
  }
}

function holdingFiles(folder: Folder, say: (error: FullDisk) => void): Folder {
  const memory = memoryFolder(folder.path)
  const orHeld = <T>(write: () => T, hold: () => T): T => {
    try {
      return write()
    } catch (error) {
      if (!(error instanceof FullDisk)) throw error
      say(error)
      return hold()
    }
  }
  return {
    ...folder,
    read: (path) => memory.read(path) ?? folder.read(path),
    has: (path) => memory.has(path) || folder.has(path),
    write: (path, text) => orHeld(() => folder.write(path, text), () => memory.write(path, text)),
    mark: (path, text) => orHeld(() => folder.mark(path, text), () => memory.mark(path, text)),
    refer: (absolute) => memory.refer(absolute) ?? folder.refer(absolute),
  }
}
