// The inbox: messages arrive whole and in order, are taken until they are done, and bad ones are set aside by name.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../files/fixture.js'
import { openInbox, post } from './files.js'

const ID = '0123456789abcdef'
const NAME = `1700000000000-${ID}.json`

function withFile(name: string, content: string): { folder: string; path: string } {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'inbox'))
  writeFileSync(join(folder, 'inbox', name), content)
  return { folder, path: join(folder, 'inbox', name) }
}

async function calledWithin(calls: () => number, expected: number): Promise<boolean> {
  for (let waited = 0; waited < 10_000 && calls() < expected; waited += 20) await setTimeout(20)
  return calls() >= expected
}

describe('messages', () => {
  test('All kinds come out oldest first, with the id the sender was given, until they are done.', () => {
    const folder = temporaryFolder()
    const hint = post(folder, { kind: 'hint', text: 'try the parser' }, 3)
    const stop = post(folder, { kind: 'stop', now: true }, 1_700_000_000_000)
    const pause = post(folder, { kind: 'pause' }, 2)
    const reply = post(folder, { kind: 'reply', effect: 'e1', text: 'yes' }, 10)
    const inbox = openInbox(folder)
    expect(inbox.take()).toEqual({ messages: [pause, hint, reply, stop], notices: [] })
    inbox.done(hint)
    expect(inbox.peek()).toEqual([pause, reply, stop])
    expect(inbox.take().messages).toEqual([pause, reply, stop])
    openInbox(folder).done(stop)
    expect(openInbox(folder).take().messages).toEqual([pause, reply])
  })

  test('A file is private, named by time and id, and appears by rename only.', () => {
    const folder = temporaryFolder()
    const message = post(folder, { kind: 'pause' }, 5)
    const [name] = readdirSync(join(folder, 'inbox'))
    expect(name).toBe(`0000000000005-${message.id}.json`)
    expect(message.id).toMatch(/^[0-9a-f]{16}$/)
    expect(statSync(join(folder, 'inbox', `${name}`)).mode & 0o777).toBe(0o600)
    writeFileSync(join(folder, 'inbox', '.half.tmp'), '{')
    expect(openInbox(folder).take().notices).toEqual([])
  })

  test('A folder without an inbox has no messages and is left as it is.', () => {
    const folder = temporaryFolder()
    const inbox = openInbox(folder)
    expect([inbox.take(), inbox.peek()]).toEqual([{ messages: [], notices: [] }, []])
    inbox.done({ id: ID })
    expect(existsSync(join(folder, 'inbox'))).toBe(false)
  })
})

describe('bad messages', () => {
  test.each([
    ['that is not JSON', NAME, '{"kind":'],
    ['of an unknown kind', NAME, `{"kind":"dance","id":"${ID}"}`],
    ['that is null', NAME, 'null'],
    ['without its text', NAME, `{"kind":"hint","id":"${ID}"}`],
    ['whose text is no text', NAME, `{"kind":"hint","id":"${ID}","text":7}`],
    ['that stops without saying when', NAME, `{"kind":"stop","id":"${ID}"}`],
    ['with the id of another', NAME, '{"kind":"pause","id":"fedcba9876543210"}'],
    ['without a proper name', 'note.txt', `{"kind":"pause","id":"${ID}"}`],
    ['that is too large', NAME, `{"kind":"hint","id":"${ID}","text":"${'x'.repeat(256 * 1024)}"}`],
  ])('One %s is moved to inbox/rejected unchanged and named once.', (_, name, content) => {
    const { folder } = withFile(name, content)
    const inbox = openInbox(folder)
    expect(inbox.peek()).toEqual([])
    expect(inbox.take()).toEqual({ messages: [], notices: [expect.stringContaining(name)] })
    expect(readFileSync(join(folder, 'inbox', 'rejected', name), 'utf8')).toBe(content)
    expect(inbox.take().notices).toEqual([])
  })

  test('A link, a pipe and a folder are moved aside without being followed, waited for or opened.', () => {
    const { folder, path } = withFile('other.json', '')
    rmSync(path)
    const target = join(temporaryFolder(), 'target')
    writeFileSync(target, `{"kind":"pause","id":"${ID}"}`)
    symlinkSync(target, join(folder, 'inbox', NAME))
    execFileSync('mkfifo', [join(folder, 'inbox', NAME.replace(ID, 'a'.repeat(16)))])
    mkdirSync(join(folder, 'inbox', NAME.replace(ID, 'b'.repeat(16))))
    const { messages, notices } = openInbox(folder).take()
    const plain = expect.stringContaining('not a plain file')
    expect([messages, notices, readdirSync(join(folder, 'inbox'))]).toEqual([[], [plain, plain, plain], ['rejected']])
    expect(existsSync(target)).toBe(true)
  })

  test('A second message with the same id is rejected, before and after the first was acted upon.', () => {
    const folder = temporaryFolder()
    const first = post(folder, { kind: 'hint', text: 'one' }, 1)
    post(folder, { kind: 'hint', text: 'two', id: first.id }, 2)
    const inbox = openInbox(folder)
    expect(inbox.take()).toEqual({ messages: [first], notices: [expect.stringContaining('sent before')] })
    inbox.done(first)
    post(folder, { kind: 'hint', text: 'three', id: first.id }, 2)
    expect(inbox.peek()).toEqual([])
    expect(inbox.take()).toEqual({ messages: [], notices: [expect.stringContaining('sent before')] })
    expect(readdirSync(join(folder, 'inbox', 'rejected'))).toHaveLength(2)
  })
})

describe('watching', () => {
  test('It calls for what is there, for what arrives, and no more once it is ended.', async () => {
    const folder = temporaryFolder()
    post(folder, { kind: 'pause' })
    let calls = 0
    const end = openInbox(folder).watch(() => calls++)
    onTestFinished(end)
    expect(await calledWithin(() => calls, 1)).toBe(true)
    post(folder, { kind: 'pause' })
    expect(await calledWithin(() => calls, 2)).toBe(true)
    end()
    post(folder, { kind: 'pause' })
    await setTimeout(900)
    expect(calls).toBe(2)
  })

  test('It hears of a message from the file system, without waiting for its next look.', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'inbox'))
    let calls = 0
    onTestFinished(openInbox(folder).watch(() => calls++))
    await setTimeout(50)
    post(folder, { kind: 'pause' })
    expect(await calledWithin(() => calls, 1)).toBe(true)
  })

  test('It notices a message even when the inbox is made later.', async () => {
    const folder = temporaryFolder()
    let calls = 0
    onTestFinished(openInbox(folder).watch(() => calls++))
    await setTimeout(50)
    expect(calls).toBe(0)
    post(folder, { kind: 'pause' })
    expect(await calledWithin(() => calls, 1)).toBe(true)
  })
})
