// The journal on disk: what is written, what is read back, and who may write.
import { appendFileSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { removeOwner, writeOwner } from '../../files/owner.js'
import { createJournal, type Fold } from './files.js'
import { filled, fold, hint, opened, readable, stillClock, writable } from './fixture.js'
import { checksum, encode } from './line.js'

const linesOf = (folder: string): string[] => readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
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
    for (const [code, disturb] of [
      [9, (folder: string) => void writeOwner(folder, 'session')],
      [9, (folder: string) => rmSync(join(folder, 'owner.json'))],
      [6, (folder: string) => {
        copyFileSync(join(folder, 'journal.jsonl'), join(folder, 'copy'))
        renameSync(join(folder, 'copy'), join(folder, 'journal.jsonl'))
      }],
    ] as const) {
      const { folder, journal, session } = filled([])
      writeOwner(folder, 'session')
      journal.close()
      const writer = writable(folder)
      await writer.load()
      writer.append([hint('a')], session)
      disturb(folder)
      expect(() => writer.append([hint('b')], session)).toThrow(expect.objectContaining({ code }))
    }
  })

  test('What something else adds to the journal of a living owner does not count: it is kept, named in a record, and the writer stops.', async () => {
    const { folder, journal, session } = filled([])
    writeOwner(folder, 'session')
    journal.close()
    const writer = writable(folder)
    await writer.load()
    const last = writer.append([hint('a')], session)
    const forged = encode({ ...last, seq: last.seq + 1, prev: last.sum, events: [hint('forged')] }).bytes
    appendFileSync(join(folder, 'journal.jsonl'), forged)
    expect(() => writer.append([hint('b')], session)).toThrow(expect.objectContaining({ code: 6, message: expect.stringContaining('has not written') }))
    expect(() => writer.append([hint('b')], session)).toThrow(expect.objectContaining({ code: 6 }))
    const events = linesOf(folder).map((line) => JSON.parse(line).events[0])
    expect(events.at(-1)).toEqual({ type: 'repaired', note: expect.stringMatching(/kept as journal\.foreign-\d+\.jsonl$/) })
    expect(events.at(-2)).toMatchObject(hint('a'))
    const kept = /journal\.foreign-\d+\.jsonl/.exec(events.at(-1).note)?.[0] ?? ''
    expect(readFileSync(join(folder, kept))).toEqual(forged)
    await expect(writable(folder).load()).resolves.toMatchObject({ notices: [] })
  })

  test('A journal that is taken away under a living owner is put back whole, with a record that says so, and the writer stops.', async () => {
    const { folder, journal, session } = filled(['a', 'b'])
    writeOwner(folder, 'session')
    journal.close()
    const writer = writable(folder)
    await writer.load()
    const before = linesOf(folder)
    rmSync(join(folder, 'journal.jsonl'))
    expect(() => writer.append([hint('c')], session)).toThrow(expect.objectContaining({ code: 6, message: expect.stringContaining('taken away') }))
    expect(linesOf(folder).slice(0, -1)).toEqual(before)
    expect(modeOf(join(folder, 'journal.jsonl'))).toBe(0o600)
    await expect(writable(folder).load()).resolves.toMatchObject({ last: { events: [{ type: 'repaired' }] }, notices: [] })
  })

  test('A journal that is cut short under a living owner stops the writer, and repair is named.', async () => {
    const { folder, journal, session } = filled([])
    writeOwner(folder, 'session')
    journal.close()
    const writer = writable(folder)
    await writer.load()
    truncateSync(join(folder, 'journal.jsonl'), 100)
    expect(() => writer.append([hint('b')], session)).toThrow(expect.objectContaining({ code: 6, next: 'greenlatch repair one' }))
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
