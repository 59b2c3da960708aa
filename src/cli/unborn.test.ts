// Folders of sessions that never came to be are cleared away; nothing that could hold anything is touched.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { acquireLock } from '../shell/lock.js'
import { removeUnborn } from './unborn.js'

function sessionFolder(store: string, id: string, files: readonly string[], age: 'old' | 'new'): string {
  const folder = join(store, id)
  mkdirSync(folder)
  for (const name of files) writeFileSync(join(folder, name), '')
  if (age === 'old') utimesSync(folder, 0, 0)
  return folder
}

describe('a folder without a first record', () => {
  it('goes with all that a killed run can have left in it.', async () => {
    const store = temporaryFolder()
    const contents = [[], ['owner.json'], ['.owner.json.tmp'], ['owner.json', 'task.md', '.journal.jsonl.tmp']]
    const folders = contents.map((files, n) => sessionFolder(store, `s${n}`, files, 'old'))
    await removeUnborn(store, Date.now())
    expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  })

  it('stays while it is new, while it is held, and when anything else lies in it.', async () => {
    const store = temporaryFolder()
    const held = sessionFolder(store, 'held', [], 'old')
    const lock = await acquireLock(held)
    utimesSync(held, 0, 0)
    const others = [
      sessionFolder(store, 'new', [], 'new'),
      sessionFolder(store, 'begun', ['journal.jsonl'], 'old'),
      sessionFolder(store, 'lost-its-journal', ['session.json', 'owner.json'], 'old'),
    ]
    await removeUnborn(store, Date.now())
    if (lock.kind === 'lock') await lock.release()
    expect([held, ...others].filter((folder) => !existsSync(folder))).toEqual([])
    expect(existsSync(join(store, 'lost-its-journal', 'owner.json'))).toBe(true)
  })

  it('is no concern where there is no store yet.', async () => {
    const store = join(temporaryFolder(), 'missing')
    await removeUnborn(store, Date.now())
    expect(existsSync(store)).toBe(false)
  })
})
