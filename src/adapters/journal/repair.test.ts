// Repair: the sound beginning goes on, what was lost is written down, and nothing is deleted.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { filled, hint, readable, stillClock, writable, type Filled } from './fixture.js'
import { repairJournal } from './repair.js'

const clock = stillClock()

function damagedAt(record: number): Filled & { path: string; damaged: Buffer } {
  const session = filled(['a', 'b', 'c', 'd'])
  session.journal.settle()
  session.journal.close()
  const path = join(session.folder, 'journal.jsonl')
  const lines = readFileSync(path, 'utf8').split('\n')
  lines[record - 1] = `${lines[record - 1]}`.replace('"events"', '"evnets"')
  writeFileSync(path, lines.join('\n'))
  return { ...session, path, damaged: readFileSync(path) }
}

test('The longest sound beginning is kept, the loss is recorded, and the damaged file lies beside it unchanged.', async () => {
  const { folder, damaged } = damagedAt(4)
  const repair = repairJournal({ folder, clock })
  expect(repair).toMatchObject({ kept: 3, copy: join(folder, 'journal.damaged-1.jsonl') })
  expect(repair.note).toMatch(/^records 4 to 5 were lost \(damage at byte \d+: its checksum does not fit\); .* journal\.damaged-1\.jsonl$/)
  expect(readFileSync(repair.copy)).toEqual(damaged)
  const writer = writable(folder)
  const loaded = await writer.load()
  expect(loaded.last).toMatchObject({ seq: 4, epoch: 2, events: [{ type: 'repaired', note: repair.note }] })
  expect(writer.append([hint('e')], loaded.session)).toMatchObject({ seq: 5, epoch: 3 })
  expect(readdirSync(folder).toSorted()).toEqual(['journal.damaged-1.jsonl', 'journal.jsonl', 'session.damaged-1.json'])
})

test('A journal that is shorter than the cache proves is repaired too, and the lost records are named.', async () => {
  const { folder, path } = damagedAt(2)
  const lines = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, `${lines[0]}\n`)
  expect(repairJournal({ folder, clock }).note).toMatch(/^records 2 to 5 were lost .*breaks off/)
  expect((await readable(folder).load()).last.seq).toBe(2)
})

test('A second repair overwrites nothing of the first.', () => {
  const { folder, path, damaged } = damagedAt(4)
  repairJournal({ folder, clock })
  const again = `${readFileSync(path, 'utf8')}garbage\n`
  writeFileSync(path, again)
  expect(repairJournal({ folder, clock })).toMatchObject({ kept: 4, note: expect.stringMatching(/^record 5 was lost/) })
  expect(readFileSync(join(folder, 'journal.damaged-1.jsonl'))).toEqual(damaged)
  expect(readFileSync(join(folder, 'journal.damaged-2.jsonl'), 'utf8')).toBe(again)
})

test('A sound journal, with or without an unfinished last line, is refused and left alone.', () => {
  const { folder, journal } = filled(['a'])
  journal.close()
  for (const extra of ['', '{"seq":3']) {
    writeFileSync(join(folder, 'journal.jsonl'), readFileSync(join(folder, 'journal.jsonl'), 'utf8') + extra)
    const refusal = { code: 2, message: expect.stringContaining('nothing is wrong') }
    expect(() => repairJournal({ folder, clock })).toThrow(expect.objectContaining(refusal))
  }
  expect(existsSync(join(folder, 'journal.damaged-1.jsonl'))).toBe(false)
})

test('A journal without a single sound record, a missing one and one of a newer format are refused and left alone.', () => {
  const { folder, damaged, path } = damagedAt(1)
  expect(() => repairJournal({ folder, clock })).toThrow(/no record .* is sound/)
  expect(readFileSync(path)).toEqual(damaged)
  writeFileSync(path, damaged.toString().replace('"evnets"', '"events"').replace('"format":1', '"format":7'))
  rmSync(join(folder, 'session.json'))
  expect(() => repairJournal({ folder, clock })).toThrow(/format 7/)
  expect(() => repairJournal({ folder: temporaryFolder(), clock })).toThrow(/there is no journal/)
  expect(readdirSync(folder)).toEqual(['journal.jsonl'])
})

test('A writer that was still open when its journal was repaired can write no more.', () => {
  const { folder, journal, session } = filled(['a'])
  writeFileSync(join(folder, 'journal.jsonl'), `${readFileSync(join(folder, 'journal.jsonl'), 'utf8')}garbage\n`)
  repairJournal({ folder, clock })
  expect(() => journal.append([hint('b')], session)).toThrow(expect.objectContaining({ code: 9 }))
})
