// Damage: a journal cut at every byte and changed at thousands of places is never read as if nothing had happened.
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../errors.js'
import type { Journal, Loaded } from '../../ports.js'
import { filled, fold, hint, readable, stillClock, type Filled } from './fixture.js'
import { openJournal } from './files.js'
import { encode } from './line.js'

const TEXTS = ['first', 'second ü', 'third', 'fourth', 'fifth ✓', 'sixth']

type Finished = Filled & { path: string; bytes: Buffer; whole: Loaded }

/** `settled` leaves a cache of the last record; `lagging` one of an earlier record; `none` no cache at all. */
async function finished(cache: 'settled' | 'lagging' | 'none'): Promise<Finished> {
  const session = filled(TEXTS.slice(0, 3))
  session.journal.settle()
  session.add(...TEXTS.slice(3))
  if (cache === 'settled') session.journal.settle()
  if (cache === 'none') rmSync(join(session.folder, 'session.json'))
  session.journal.close()
  const path = join(session.folder, 'journal.jsonl')
  return { ...session, path, bytes: readFileSync(path), whole: await readable(session.folder).load() }
}

async function tryLoad(journal: Journal): Promise<Loaded | Refusal> {
  try {
    return await journal.load()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  } finally {
    journal.close()
  }
}

const writer = (folder: string): Journal => openJournal({ folder, fold, clock: stillClock(), writable: true })

/** Where each record ends. */
function bordersOf(bytes: Buffer): number[] {
  return [...bytes.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1)
}

/** Nothing is hidden: the load is refused, or says that something was dropped. */
function isSaid(result: Loaded | Refusal): boolean {
  return result instanceof Refusal ? result.code === 10 : result.notices.length > 0
}

describe('a journal cut short', () => {
  test('With the cache of a session at rest, every cut at every byte is refused.', async () => {
    const { folder, path, bytes } = await finished('settled')
    for (const open of [readable, writer]) {
      for (let length = bytes.length - 1; length >= 0; length--) {
        truncateSync(path, length)
        expect(await tryLoad(open(folder)), `cut at byte ${length}`).toMatchObject({ code: 10, next: 'greenlatch repair one' })
      }
      writeFileSync(path, bytes)
    }
  })

  // Without a cache nobody can know that a cut exactly between two records took something away; every other cut is found.
  test.each(['lagging', 'none'] as const)('With a cache that is %s, every cut inside a record is said or refused.', async (cache) => {
    const { folder, path, bytes } = await finished(cache)
    const borders = new Set(bordersOf(bytes))
    for (let length = bytes.length - 1; length >= 0; length--) {
      truncateSync(path, length)
      const result = await tryLoad(writer(folder))
      if (!borders.has(length)) expect(isSaid(result), `cut at byte ${length}`).toBe(true)
      else if (cache === 'lagging') expect(isSaid(result)).toBe(length < (bordersOf(bytes)[3] ?? 0))
    }
  })

  test('What is dropped is exactly the unfinished record: the rest is folded as it was.', async () => {
    const { folder, path, bytes } = await finished('none')
    const borders = bordersOf(bytes)
    truncateSync(path, (borders[4] ?? 0) + 10)
    const result = (await tryLoad(writer(folder))) as Loaded
    expect(result.last.seq).toBe(5)
    expect(result.session).toEqual(filled(TEXTS.slice(0, 4)).session)
  })
})

describe('a journal with a changed byte', () => {
  const caches = ['settled', 'lagging', 'none'] as const

  test.each(caches)('With a cache that is %s, none of 1,000 changes passes a writer unseen.', async (cache) => {
    const { folder, path, bytes, whole } = await finished(cache)
    const telling = fc.constantFrom(0, 10, 13, 32, 34, 48, 57, 92, 123, 125)
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.oneof(fc.nat(255), telling) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, to }) => {
        fc.pre(bytes[at] !== to)
        const changed = Buffer.from(bytes)
        changed[at] = to
        writeFileSync(path, changed)
        const result = await tryLoad(writer(folder))
        if (!isSaid(result)) expect(result).toEqual(whole)
      }),
      { numRuns: 1000 },
    )
  })

  test('Records that were removed, doubled, swapped or replaced as a whole line are refused.', async () => {
    const { folder, path, bytes } = await finished('none')
    const other = readFileSync(join(filled(['x', 'y', 'z', 'x', 'y', 'z']).folder, 'journal.jsonl'), 'utf8').split('\n')
    const lines = bytes.toString().trimEnd().split('\n')
    const [first, second, third, ...rest] = lines as [string, string, string, ...string[]]
    const foreign = other[1] as string
    const removed = [[second, third], [first, third]]
    const variants = [...removed, [first, first, second], [first, third, second], [first, foreign, third], [first, '', second]]
    for (const variant of variants) {
      writeFileSync(path, `${[...variant, ...rest].join('\n')}\n`)
      const message = expect.stringMatching(/damaged at record \d+ \(byte \d+\)/)
      expect(await tryLoad(writer(folder))).toMatchObject({ code: 10, message })
    }
  })

  test('A record that is sound in itself but leaves out a number is refused.', async () => {
    const { folder, path, bytes } = await finished('none')
    const { sum } = JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) as string)
    const { bytes: gap } = encode({ seq: 9, at: 1, epoch: 1, prev: sum, events: [hint('a')] })
    writeFileSync(path, Buffer.concat([bytes, gap]))
    expect(await tryLoad(readable(folder))).toMatchObject({ code: 10, message: expect.stringContaining('record 9 stands where record 8') })
  })

  test('A reader with a cache reads only from the record of the cache on; a writer and the stream of records prove all.', async () => {
    const { folder, path, bytes, whole } = await finished('lagging')
    const changed = Buffer.from(bytes)
    changed[60] = (changed[60] ?? 0) ^ 1
    writeFileSync(path, changed)
    expect(await tryLoad(readable(folder))).toEqual(whole)
    expect(await tryLoad(writer(folder))).toMatchObject({ code: 10 })
    await expect(readable(folder).records()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 10 })
  })

  test('The refusal names the record and the byte, says that the file is kept, and keeps it.', async () => {
    const { folder, path, bytes } = await finished('settled')
    const at = (bordersOf(bytes)[2] ?? 0) + 30
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(path, changed)
    const result = await tryLoad(writer(folder))
    expect(result).toMatchObject({ code: 10, next: 'greenlatch repair one' })
    expect((result as Refusal).message).toMatch(new RegExp(`record 4 \\(byte ${bordersOf(bytes)[2]}\\).*kept as it is`))
    expect(readFileSync(path)).toEqual(changed)
  })

  test('A line longer than any record is damage and is not read into memory as a whole.', async () => {
    const { folder, path, bytes } = await finished('none')
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(40 * 1024 * 1024, 'x')]))
    expect(await tryLoad(writer(folder))).toMatchObject({ code: 10, message: expect.stringContaining('longer than any record') })
  })
})

describe('a record larger than one read', () => {
  test('It is written and read back whole.', async () => {
    const { folder, add } = filled(['a'])
    const session = add('x'.repeat(700_000), 'b')
    const records = []
    for await (const record of readable(folder).records()) records.push(record)
    expect(records[2]?.events).toEqual([hint('x'.repeat(700_000))])
    rmSync(join(folder, 'session.json'))
    expect((await readable(folder).load()).session).toEqual(session)
  })
})
