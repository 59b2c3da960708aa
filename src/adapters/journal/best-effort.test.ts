// Persistence by best effort: a full disk is said once, the session goes on, and what was held is written when there is room again.
import { expect, test } from 'vitest'
import { EXIT, FullDisk, Refusal } from '../../errors.js'
import type { Folder, Journal } from '../../ports.js'
import { bestEffort } from './best-effort.js'
import { filled, hint, readable } from './fixture.js'
import { memoryFolder } from './folder.js'

function onDisk(): { disk: { state: 'free' | 'full' | 'broken' }; notices: string[]; folder: string; session: never; kept: { journal: Journal; folder: Folder } } {
  const { folder, journal, session } = filled(['a'])
  const disk = { state: 'free' as 'free' | 'full' | 'broken' }
  const notices: string[] = []
  const check = (): void => {
    if (disk.state === 'full') throw new FullDisk(EXIT.state, 'no space left to write it: need 9 bytes, have 0 bytes', 'greenlatch resume')
    if (disk.state === 'broken') throw new Refusal(EXIT.state, 'the disk reported an error', 'greenlatch status')
  }
  const files = memoryFolder('/nowhere')
  const risky = (write: Journal['append']): Journal['append'] => (events, after) => {
    check()
    return write(events, after)
  }
  const kept = bestEffort({
    journal: { ...journal, append: risky(journal.append) },
    folder: { ...files, write: (path, text) => (check(), files.write(path, text)), mark: (path, text) => (check(), files.mark(path, text)) },
    onNotice: (text) => void notices.push(text),
  })
  return { disk, notices, folder, session: session as never, kept }
}

test('RO-19 With best effort a full disk is said once and the session goes on; what was held is written with the next record that finds room.', async () => {
  const { disk, notices, folder, session, kept } = onDisk()
  disk.state = 'full'
  expect(kept.journal.append([hint('b')], session).events).toEqual([hint('b')])
  expect(kept.journal.append([hint('c')], session).events).toEqual([hint('c')])
  expect(kept.folder.write('prompt.md', 'what to do')).toMatchObject({ path: 'prompt.md', bytes: 10 })
  expect([kept.folder.has('prompt.md'), kept.folder.read('prompt.md')]).toEqual([true, 'what to do'])
  expect(notices).toEqual([expect.stringMatching(/need 9 bytes, have 0 bytes; it goes on without/)])
  disk.state = 'free'
  expect(kept.journal.append([hint('d')], session).events).toEqual([hint('d')])
  const { last } = await readable(folder).load()
  expect(last.events).toEqual([hint('b'), hint('c'), hint('d')])
})

test('What never found room is named as lost when the session is closed, and any other trouble of the disk stops it.', () => {
  const { disk, notices, session, kept } = onDisk()
  disk.state = 'full'
  kept.journal.append([hint('b')], session)
  disk.state = 'broken'
  expect(() => kept.journal.append([hint('c')], session)).toThrow('the disk reported an error')
  expect(() => kept.folder.write('x', 'y')).toThrow('the disk reported an error')
  kept.journal.close()
  expect(notices.at(-1)).toMatch(/^1 events of the session could not be written and are lost/)
})
