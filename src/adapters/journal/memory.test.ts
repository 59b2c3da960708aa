// The journal in memory behaves as the one on disk, without the disk.
import { expect, test } from 'vitest'
import { filled, fold, hint, opened, stillClock } from './fixture.js'
import { createMemoryJournal } from './memory.js'

async function all(records: AsyncIterable<unknown>): Promise<unknown[]> {
  const list = []
  for await (const record of records) list.push(record)
  return list
}

test('The same events give the same records, sums and session as on disk.', async () => {
  const onDisk = filled(['a', 'b'])
  const { journal, loaded } = createMemoryJournal({ fold, clock: stillClock() }, opened)
  let session = loaded.session
  for (const text of ['a', 'b']) journal.append([hint(text)], (session = fold.apply(session, hint(text))))
  expect(await journal.load()).toEqual(await onDisk.journal.load())
  expect(await all(journal.records())).toEqual(await all(onDisk.journal.records()))
})

test('An event that its sender changes later is kept as it was appended.', async () => {
  const { journal, loaded } = createMemoryJournal({ fold, clock: stillClock() }, opened)
  const changing = { type: 'hinted' as const, hint: { id: 'a', text: 'before' } }
  journal.append([changing], loaded.session)
  changing.hint.text = 'after'
  expect((await journal.load()).last.events).toEqual([{ type: 'hinted', hint: { id: 'a', text: 'before' } }])
})
