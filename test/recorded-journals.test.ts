// Journals as earlier versions wrote them: each still folds to the session it folded to then. A change of the fold is seen here first.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import { openJournal } from '../src/adapters/journal/files.js'
import { apply, FOLD_VERSION } from '../src/core/index.js'
import { temporaryFolder } from '../src/files/fixture.js'

const corpus = join(import.meta.dirname, 'corpus/journals')
const names = readdirSync(corpus).filter((name) => name.endsWith('.jsonl')).map((name) => basename(name, '.jsonl'))

/** `RECORD=1` writes what is folded now, for a journal that is new here or a fold that was changed on purpose. */
it.each(names)('the recorded journal "%s" is read without a notice and folds to the session that was recorded with it', async (name) => {
  const folder = join(temporaryFolder(), 'session')
  mkdirSync(folder)
  copyFileSync(join(corpus, `${name}.jsonl`), join(folder, 'journal.jsonl'))
  const clock = { now: () => 0, seconds: () => 0 }
  const { session, notices } = await openJournal({ folder, fold: { version: FOLD_VERSION, apply }, clock, writable: false }).load()
  const recorded = join(corpus, `${name}.session.json`)
  if (process.env['RECORD'] === '1') writeFileSync(recorded, `${JSON.stringify(session, null, 1)}\n`)
  expect(notices).toEqual([])
  expect(JSON.parse(JSON.stringify(session))).toEqual(JSON.parse(readFileSync(recorded, 'utf8')))
  expect(session.finish?.outcome).toBe(name)
})
