// A disk that fails: full, without file names, read-only or unable to sync; said in one line, and never half a record.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bundle, run, temporaryFolder } from '../../files/fixture.js'
import { readable, writable } from './fixture.js'

const HEADER = `
import { execFileSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { createJournal, openJournal } from './adapters/journal/files.js'
import { fold, stillClock, opened, hint } from './adapters/journal/sample.js'
const place = process.argv[2]
const notices = []
const options = { folder: place + '/one', fold, clock: stillClock(), onNotice: (text) => notices.push(text) }
const refusal = (error) => ({ name: error.name, code: error.code, message: error.message, next: error.next })
const caught = async (work) => { try { await work(); return null } catch (error) { return refusal(error) } }
const say = (value) => writeSync(1, JSON.stringify(value))
`

/** Runs a script on a small disk that only its process sees and that is gone with it. Needs root or user namespaces. */
function onSmallDisk(mount: string, script: string): Record<string, unknown> {
  const namespace = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const shell = `mount -t tmpfs -o ${mount} tmpfs "$1" && exec "$2" "$3" "$1"`
  const child = bundle(HEADER + script)
  return JSON.parse(run(['unshare', '--mount', ...namespace, 'sh', '-c', shell, 'sh', temporaryFolder(), process.execPath, child]))
}

test('A full disk stops the append with need and have, leaves whole records only, and lets it go on when space is freed.', () => {
  const result = onSmallDisk(
    'size=64k,mode=700',
    `
    writeFileSync(place + '/filler', Buffer.alloc(20_000))
    const { journal, loaded } = createJournal(options, opened)
    let written = 1
    const full = await caught(() => { for (;; written++) journal.append([hint('x'.repeat(900))], loaded.session) })
    const again = await caught(() => journal.append([hint('x'.repeat(900))], loaded.session))
    const read = await openJournal({ ...options, writable: false }).load()
    rmSync(place + '/filler')
    const after = journal.append([hint('y'.repeat(900))], loaded.session).seq
    const reread = await openJournal({ ...options, writable: true }).load()
    say({ full, again, written, seq: read.last.seq, notices: read.notices, after, seqAfter: reread.last.seq, noticesAfter: reread.notices })
    `,
  )
  const refusal = { name: 'Refusal', code: 10, next: 'greenlatch resume one' }
  expect(result).toMatchObject({ full: refusal, again: refusal, notices: [], noticesAfter: [] })
  expect((result.full as Error).message).toMatch(/^no space left to write .*: need 1,9\d\d bytes, have [\d,]+ bytes; .*can be resumed/)
  expect((result.full as Error).message).not.toContain('\n')
  expect(result.written).toBeGreaterThan(20)
  expect(result.seq).toBe(result.written)
  expect([result.after, result.seqAfter]).toEqual([Number(result.written) + 1, Number(result.written) + 1])
})

test('A disk without file names left is named as such, and a cache that finds no place is only a notice.', () => {
  const result = onSmallDisk(
    'size=256k,nr_inodes=4,mode=700',
    `
    const { journal, loaded } = createJournal(options, opened)
    rmSync(place + '/one/session.json')
    writeFileSync(place + '/last', '')
    journal.append([hint('a')], loaded.session)
    journal.settle()
    const refused = await caught(() => createJournal({ ...options, folder: place }, opened))
    say({ notices, refused, seq: (await openJournal({ ...options, writable: false }).load()).last.seq })
    `,
  )
  expect(result).toMatchObject({ seq: 2, notices: [expect.stringContaining('session.json is out of date')] })
  expect(result.refused).toMatchObject({ name: 'Refusal', code: 10, message: expect.stringContaining('inodes') })
})

test('A read-only disk is refused to a writer when it loads, before any work begins, and still serves readers.', () => {
  const result = onSmallDisk(
    'size=256k,mode=700',
    `
    createJournal(options, opened).journal.close()
    execFileSync('mount', ['-o', 'remount,ro', place])
    const refused = await caught(() => openJournal({ ...options, writable: true }).load())
    say({ refused, seq: (await openJournal({ ...options, writable: false }).load()).last.seq })
    `,
  )
  expect(result).toMatchObject({ seq: 1, refused: { name: 'Refusal', code: 10, message: expect.stringContaining('read-only') } })
})

test('After a failed sync nothing is trusted: the record is taken back and every later append is refused.', () => {
  const script = `
    const { journal, loaded } = createJournal(options, opened)
    journal.append([hint('a')], loaded.session)
    const failed = await caught(() => journal.append([hint('b')], loaded.session))
    const later = await caught(() => journal.append([hint('c')], loaded.session))
    say({ failed, later, seq: (await openJournal({ ...options, writable: false }).load()).last.seq })
  `
  const inject = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=3']
  const strace = ['strace', '-f', '-o', join(temporaryFolder(), 'trace'), ...inject] as const
  const output = run([...strace, process.execPath, bundle(HEADER + script), temporaryFolder()])
  const refusal = { name: 'Refusal', code: 10, message: expect.stringMatching(/disk reported an error.*the run stops here/) }
  expect(JSON.parse(output)).toMatchObject({ failed: refusal, later: refusal, seq: 2 })
})

test('Whatever was acknowledged before a kill −9 is there afterwards, and the next writer goes on from it.', async () => {
  const child = bundle(`${HEADER}
    const { journal, loaded } = createJournal(options, opened)
    for (;;) writeSync(1, journal.append([hint('x'.repeat(3000))], loaded.session).seq + '\\n')
  `)
  for (let round = 0; round < 5; round++) {
    const place = temporaryFolder()
    const process_ = spawn(process.execPath, [child, place], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    process_.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await once(process_.stdout, 'data')
    await setTimeout(20 + round * 13)
    process_.kill('SIGKILL')
    await once(process_, 'close')
    const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))
    const journal = writable(join(place, 'one'))
    const { last, session } = await journal.load()
    expect(last.seq).toBeGreaterThanOrEqual(acknowledged)
    expect(acknowledged).toBeGreaterThan(1)
    expect(journal.append([], session).seq).toBe(last.seq + 1)
    expect((await readable(join(place, 'one')).load()).notices).toEqual([])
  }
})
