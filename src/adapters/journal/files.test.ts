// The journal on disk: what is written, what is read back, who may write, and what the cache may and may not do.
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Event, Session } from '../../core/types.js'
import { temporaryFolder } from '../../files/fixture.js'
import { removeOwner, writeOwner } from '../../files/owner.js'
import { createJournal, type Fold } from './files.js'
import { filled, fold, hint, opened, readable, stillClock, writable } from './fixture.js'
import { checksum } from './line.js'

const linesOf = (folder: string): string[] => readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
const cacheOf = (folder: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))
const modeOf = (path: string): number => statSync(path).mode & 0o777

const strictFold: Fold = {
  version: 2,
  apply(session, event) {
    if (event.type === 'hinted') throw new Error('no hints here')
    return fold.apply(session, event)
  },
}

describe('records', () => {
  test('Each line carries its number, time, epoch, the sum of the line before and its own.', () => {
    const { folder } = filled(['a', 'ü ✓ \u2028 \ud800'])
    const records = linesOf(folder).map((line) => JSON.parse(line))
    expect(records.map((record) => record.seq)).toEqual([1, 2, 3])
    expect(records.map((record) => record.prev)).toEqual(['', records[0].sum, records[1].sum])
    for (const [index, line] of linesOf(folder).entries()) {
      expect(records[index].sum).toBe(checksum(line.replace(/,"sum":"[0-9a-f]{32}"\}$/, '}')))
    }
    expect(records[2].events).toEqual([hint('ü ✓ \u2028 \ud800')])
    expect(modeOf(join(folder, 'journal.jsonl'))).toBe(0o600)
    expect(modeOf(folder)).toBe(0o700)
  })

  test('What was appended is what a reader and a later writer load, with several events in one record.', async () => {
    const { folder, journal, session } = filled(['a'])
    const after = fold.apply(fold.apply(session, hint('b')), { type: 'paused' })
    const record = journal.append([hint('b'), { type: 'paused' }], after)
    for (const other of [readable(folder), writable(folder)]) {
      expect(await other.load()).toEqual({ session: after, last: record, notices: [] })
    }
  })

  test('All records stream out in order, and damage in the middle ends the stream with a refusal.', async () => {
    const { folder, journal } = filled(Array.from({ length: 200 }, (_, index) => `${index}`))
    const seen: number[] = []
    for await (const record of journal.records()) seen.push(record.seq)
    expect(seen).toEqual(Array.from({ length: 201 }, (_, index) => index + 1))
    const text = readFileSync(join(folder, 'journal.jsonl'), 'utf8')
    writeFileSync(join(folder, 'journal.jsonl'), text.replace('"text":"150"', '"text":"151"'))
    const drain = async (): Promise<void> => {
      for await (const record of readable(folder).records()) expect(record.seq).toBeLessThan(152)
    }
    await expect(drain()).rejects.toMatchObject({ code: 10, message: expect.stringContaining('record 152') })
  })

  test('A session that exists is not created a second time, and a journal must be loaded before it is appended to.', () => {
    const { folder, session } = filled([])
    expect(() => createJournal({ folder, fold, clock: stillClock() }, opened)).toThrow(/exists already/)
    expect(() => writable(folder).append([hint('a')], session)).toThrow(/loaded/)
    expect(() => readable(folder).append([hint('a')], session)).toThrow(/writable/)
  })

  test('A missing journal, an empty one and a folder in its place are refused, each with its own line.', async () => {
    const folder = temporaryFolder()
    await expect(readable(folder).load()).rejects.toMatchObject({ code: 10, message: expect.stringContaining('there is no journal') })
    writeFileSync(join(folder, 'journal.jsonl'), '')
    await expect(readable(folder).load()).rejects.toMatchObject({ code: 10, message: expect.stringContaining('holds no whole record') })
    const { folder: other } = filled([])
    rmSync(join(folder, 'journal.jsonl'))
    renameSync(other, join(folder, 'journal.jsonl'))
    await expect(readable(folder).load()).rejects.toMatchObject({ code: 10, message: expect.stringContaining('not a plain file') })
  })

  test('A journal of a newer format is refused, naming both versions, even when its sums are unknown to us.', async () => {
    const { folder } = filled([])
    rmSync(join(folder, 'session.json'))
    const path = join(folder, 'journal.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"format":1', '"format":2'))
    for (const journal of [readable(folder), writable(folder)]) {
      await expect(journal.load()).rejects.toMatchObject({ code: 10, message: expect.stringMatching(/format 2; this version knows 1/) })
    }
  })

  test('An event the fold does not understand is a refusal that names its record.', async () => {
    const { folder } = filled(['a'])
    const message = expect.stringContaining('record 2')
    await expect(readable(folder, { fold: strictFold }).load()).rejects.toMatchObject({ code: 10, message })
  })
})

describe('one writer at a time', () => {
  test('The epoch is one higher for each writer, at least that of the lock, and constant for one handle.', async () => {
    const { folder, journal, add, session } = filled(['a'])
    add('b')
    expect(linesOf(folder).map((line) => JSON.parse(line).epoch)).toEqual([1, 1, 1])
    journal.close()
    const second = writable(folder)
    await second.load()
    expect(second.append([hint('c')], session).epoch).toBe(2)
    for (let owners = 0; owners < 7; owners++) writeOwner(folder, 'session')
    const third = writable(folder)
    await third.load()
    expect([third.append([hint('d')], session).epoch, third.append([hint('e')], session).epoch]).toEqual([7, 7])
  })

  test('Of two writers the one whose file was written to since is refused from then on, and nothing of it is stored.', async () => {
    const { folder, journal, session, add } = filled(['a'])
    const other = writable(folder)
    await other.load()
    other.append([hint('theirs')], session)
    const before = readFileSync(join(folder, 'journal.jsonl'))
    const message = expect.stringContaining('another process has taken over')
    expect(() => add('mine')).toThrow(expect.objectContaining({ code: 9, message }))
    expect(() => journal.append([hint('again')], session)).toThrow(expect.objectContaining({ code: 9 }))
    expect(readFileSync(join(folder, 'journal.jsonl'))).toEqual(before)
    other.append([hint('theirs too')], session)
  })

  test('A new owner, a removed owner and a replaced journal each stop the old writer.', async () => {
    for (const disturb of [
      (folder: string) => void writeOwner(folder, 'session'),
      (folder: string) => rmSync(join(folder, 'owner.json')),
      (folder: string) => {
        copyFileSync(join(folder, 'journal.jsonl'), join(folder, 'copy'))
        renameSync(join(folder, 'copy'), join(folder, 'journal.jsonl'))
      },
    ]) {
      const { folder, journal, session } = filled([])
      writeOwner(folder, 'session')
      journal.close()
      const writer = writable(folder)
      await writer.load()
      writer.append([hint('a')], session)
      disturb(folder)
      expect(() => writer.append([hint('b')], session)).toThrow(expect.objectContaining({ code: 9 }))
    }
  })

  test('An owner file that was only touched stops nobody, and its owner takes it away again.', async () => {
    const { folder, journal, session } = filled([])
    journal.close()
    const owner = writeOwner(folder, 'session')
    const writer = writable(folder)
    await writer.load()
    utimesSync(join(folder, 'owner.json'), 1, 1)
    expect(writer.append([hint('a')], session).seq).toBe(2)
    removeOwner(folder, 'session', { ...owner, token: 'another' })
    expect(existsSync(join(folder, 'owner.json'))).toBe(true)
    removeOwner(folder, 'session', owner)
    expect(existsSync(join(folder, 'owner.json'))).toBe(false)
  })

  test('A closed journal accepts nothing more.', () => {
    const { journal, session } = filled([])
    journal.close()
    journal.close()
    expect(() => journal.append([hint('a')], session)).toThrow(/closed/)
  })
})

describe('the cache', () => {
  test('It is written at the start, after a second, every 64 records and at rest, with the fields the view adds.', () => {
    const { folder, clock, journal, add } = filled([], { view: (session, last) => ({ status: session.asked, fold: 'lies', at: last.at }) })
    const seqs = [cacheOf(folder).seq]
    add('a')
    seqs.push(cacheOf(folder).seq)
    clock.advance(1)
    add('b')
    seqs.push(cacheOf(folder).seq)
    add(...Array.from({ length: 64 }, () => 'x'))
    seqs.push(cacheOf(folder).seq)
    add('y')
    journal.settle()
    expect([...seqs, cacheOf(folder).seq]).toEqual([1, 1, 3, 67, 68])
    expect(cacheOf(folder)).toMatchObject({ format: 1, fold: 1, status: 68, at: clock.now() })
    expect(modeOf(join(folder, 'session.json'))).toBe(0o600)
  })

  test('A writer that appends nothing leaves every file byte for byte as it was (I4).', async () => {
    const { folder, journal } = filled(['a'])
    journal.close()
    const before = ['journal.jsonl', 'session.json'].map((name) => readFileSync(join(folder, name)))
    const stamp = statSync(join(folder, 'session.json')).ino
    const writer = writable(folder)
    await writer.load()
    writer.settle()
    writer.close()
    expect(['journal.jsonl', 'session.json'].map((name) => readFileSync(join(folder, name)))).toEqual(before)
    expect(statSync(join(folder, 'session.json')).ino).toBe(stamp)
  })

  test('A reader folds only what came after it.', async () => {
    const { folder, journal, add } = filled(['a', 'b'])
    journal.settle()
    const session = add('c', 'd')
    const seen: string[] = []
    const apply = (before: Session | null, event: Event): Session => {
      seen.push(JSON.stringify(event))
      return fold.apply(before, event)
    }
    expect((await readable(folder, { fold: { version: 1, apply } }).load()).session).toEqual(session)
    expect(seen).toEqual([hint('c'), hint('d')].map((event) => JSON.stringify(event)))
  })

  test.each([
    ['is missing', (path: string) => rmSync(path), 0],
    ['is empty', (path: string) => writeFileSync(path, ''), 1],
    ['is garbage', (path: string) => writeFileSync(path, '{"format":1,'), 1],
    ['is JSON of another kind', (path: string) => writeFileSync(path, 'null\n'), 1],
    ['has a wrong checksum', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"asked":3', '"asked":9')), 1],
  ])('When it %s, the session is rebuilt from the journal.', async (_, spoil, notices) => {
    const { folder, journal, session } = filled(['a', 'b'])
    journal.settle()
    spoil(join(folder, 'session.json'))
    for (const other of [readable(folder), writable(folder)]) {
      const loaded = await other.load()
      expect(loaded.session).toEqual(session)
      expect(loaded.notices).toHaveLength(notices)
    }
  })

  test('One of another version of the fold is not used.', async () => {
    const { folder, journal } = filled(['a'])
    journal.settle()
    const newer = { version: 2, apply: (before: Session | null, event: Event) => ({ ...fold.apply(before, event), id: 'two' }) }
    expect((await readable(folder, { fold: newer }).load()).session.id).toBe('two')
  })

  test('One that is ahead of the journal proves a loss, and one that knows another record proves a change: both are refused.', async () => {
    const ahead = filled(['a', 'b'])
    ahead.journal.settle()
    const lines = linesOf(ahead.folder)
    writeFileSync(join(ahead.folder, 'journal.jsonl'), `${lines.slice(0, 2).join('\n')}\n`)
    const rewritten = filled(['a', 'c'])
    rewritten.journal.settle()
    copyFileSync(join(filled(['a', 'd', 'e']).folder, 'journal.jsonl'), join(rewritten.folder, 'journal.jsonl'))
    const cases = [
      [ahead.folder, 'record 3 had been written'],
      [rewritten.folder, 'not the record that was written'],
    ] as const
    for (const [folder, why] of cases) {
      for (const journal of [readable(folder), writable(folder)]) {
        await expect(journal.load()).rejects.toMatchObject({ code: 10, message: expect.stringContaining(why) })
      }
    }
  })

  test('One that cannot be written is said once and harms nothing.', async () => {
    const notices: string[] = []
    const { folder, journal, clock, add } = filled([], { onNotice: (text) => notices.push(text) })
    rmSync(join(folder, 'session.json'))
    mkdirSync(join(folder, 'session.json'))
    for (const text of ['a', 'b', 'c']) {
      clock.advance(2)
      add(text)
    }
    journal.settle()
    expect(notices).toEqual([expect.stringContaining('session.json is out of date')])
    expect((await readable(folder).load()).last.seq).toBe(4)
  })
})

describe('an unfinished last line', () => {
  test('It is said by every reader, and cut off by the next append.', async () => {
    const { folder, journal, session } = filled(['a'])
    journal.close()
    appendFileSync(join(folder, 'journal.jsonl'), '{"seq":3,"at":17')
    expect((await readable(folder).load()).notices).toEqual([expect.stringContaining('never finished')])
    const writer = writable(folder)
    const loaded = await writer.load()
    expect(loaded.notices).toEqual([expect.stringContaining('never finished')])
    expect(loaded.session).toEqual(session)
    writer.append([hint('b')], session)
    const again = await readable(folder).load()
    expect([again.last.seq, again.notices]).toEqual([3, []])
  })
})

describe('cost', () => {
  test('An append to a journal of 5,000 records reads and writes as much as one to a new journal, and takes about as long.', () => {
    const { add } = filled([])
    const batch = (): { microseconds: number; bytes: number } => {
      const [began, before] = [process.cpuUsage(), bytesMoved()]
      add(...Array.from({ length: 128 }, (_, index) => `a hint of ordinary length, number ${index}`))
      const bytes = bytesMoved() - before
      const { user, system } = process.cpuUsage(began)
      return { microseconds: user + system, bytes }
    }
    const batches = Array.from({ length: 40 }, batch)
    // The quickest of several: others use this machine too.
    const least = (some: typeof batches, of: 'microseconds' | 'bytes'): number => Math.min(...some.map((each) => each[of]))
    expect(least(batches.slice(-5), 'microseconds') / least(batches.slice(0, 5), 'microseconds')).toBeLessThan(3)
    expect(least(batches.slice(-5), 'bytes') / least(batches.slice(0, 5), 'bytes')).toBeLessThan(1.1)
  }, 180_000)
})

/** Bytes this process has read and written so far, as the kernel counts them. */
function bytesMoved(): number {
  const counts = readFileSync('/proc/self/io', 'utf8')
  return Number(/rchar: (\d+)/.exec(counts)?.[1]) + Number(/wchar: (\d+)/.exec(counts)?.[1])
}
