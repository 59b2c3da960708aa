// Folders of sessions that never came to be are cleared away; nothing that could hold anything is touched.
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeMark } from '../adapters/workspace/checkout-mark.js'
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

  it('goes with the checkout that was being made for it, and with the name of its start, but not when more is kept under its name.', async () => {
    const room = temporaryFolder()
    const store = join(room, 'sessions')
    mkdirSync(store)
    const ids = ['s-1', 's-2']
    const paths = ids.flatMap((id) => [`checkouts/.${id}.making/a`, `checkouts/${id}.excludes`, `store.git/refs/greenlatch/${id}/start`, `store.git/refs/greenlatch/${id}/start.lock`])
    for (const path of [...paths, 'store.git/refs/greenlatch/s-2/salvage/1']) {
      mkdirSync(dirname(join(room, path)), { recursive: true })
      writeFileSync(join(room, path), '')
    }
    for (const id of ids) {
      writeMark(join(room, 'checkouts', id), { session: id, state: 'making' })
      sessionFolder(store, id, ['owner.json', 'index', 'index.lock', 'excludes', 'start-index'], 'old')
    }
    await removeUnborn(store, Date.now())
    expect(readdirSync(store)).toEqual([])
    expect(readdirSync(join(room, 'checkouts'))).toEqual([])
    expect(readdirSync(join(room, 'store.git/refs/greenlatch'))).toEqual(['s-2'])
    expect(existsSync(join(room, 'store.git/refs/greenlatch/s-2/start'))).toBe(true)
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
