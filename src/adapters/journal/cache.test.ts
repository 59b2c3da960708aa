// The cache of the fold: when it is written, when it is used, what it proves, and that it keeps appends cheap.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Event, Session } from '../../core/types.js'
import { temporaryFolder } from '../../files/fixture.js'
import { learnSecrets } from '../../process/secrets.js'
import { filled, fold, hint, readable, writable } from './fixture.js'

const linesOf = (folder: string): string[] => readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n')
const cacheOf = (folder: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))

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
    expect(statSync(join(folder, 'session.json')).mode & 0o777).toBe(0o600)
  })

  test('It holds no secret that the records are rid of.', () => {
    learnSecrets(['s3cret-of-the-cache'])
    const changed = 'src/s3cret-of-the-cache/a.js'
    const { folder, journal, session } = filled([])
    // What was tried stays with the fold, in the words of the agent.
    journal.append([hint(changed)], { ...session, refuted: [{ iteration: 1, failing: 1, changed, note: '' }] })
    journal.settle()
    const texts = ['journal.jsonl', 'session.json'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(texts.map((text) => text.includes('s3cret-of-the-cache'))).toEqual([false, false])
    expect(texts.map((text) => text.includes('src/***/a.js'))).toEqual([true, true])
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

describe('cost', () => {
  test('An append to a journal of 5,000 records reads and writes as much as one to a new journal, and takes about as long.', () => {
    // In memory where that is possible: what is measured is our part, not the disk's.
    const { add } = filled([], { folder: join(temporaryFolder(existsSync('/dev/shm') ? '/dev/shm' : undefined), 'one') })
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
