// Tests of when a remembered hash is believed.
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { breather } from './breather.js'
import { bytePath } from '../../files/byte-path.js'
import { contentHashes } from './content-hashes.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenlatch-hashes-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Looks at a file before and after a change whose stamp comes out the same, as on a file system with a coarse clock. */
async function lookTwice(ageMilliseconds: number): Promise<[string, string]> {
  const file = join(folder, 'file')
  writeFileSync(file, 'one')
  await wait(ageMilliseconds)
  const entry = lstatSync(file, { bigint: true })
  const walkFor = contentHashes()
  const first = walkFor(breather())
  const before = await first.hash(bytePath(file), entry)
  first.finish()
  writeFileSync(file, 'two')
  return [before, await walkFor(breather()).hash(bytePath(file), entry)]
}

it('does not believe the stamp of a file that was written just before it was read', async () => {
  const [before, after] = await lookTwice(0)
  expect(after).not.toBe(before)
})

it('believes the stamp of a file that had rested', async () => {
  const [before, after] = await lookTwice(2500)
  expect(after).toBe(before)
})
