// The lock: one owner at a time among real processes, free at once when its owner dies, and a higher epoch for the next.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bundle, temporaryFolder } from '../files/fixture.js'
import { acquireLock, isHeld, type Lock, type LockOptions } from './lock.js'

async function taken(folder: string, options: LockOptions): Promise<Lock> {
  const lock = await acquireLock(folder, options)
  if (lock.kind !== 'lock') throw new Error(`held by ${lock.pid}`)
  onTestFinished(() => lock.release())
  return lock
}

/** A process that takes the lock, says so, and keeps it until it is killed. */
async function ownerProcess(folder: string, kind: string): Promise<ChildProcess> {
  const script = bundle(`
    import { acquireLock } from './shell/lock.js'
    const lock = await acquireLock(process.argv[2], { kind: process.argv[3] })
    console.log(lock.kind)
    setInterval(() => {}, 1000)
  `)
  const child = spawn(process.execPath, [script, folder, kind], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [output] = await once(child.stdout.setEncoding('utf8'), 'data')
  expect(output).toBe('lock\n')
  return child
}

describe.each(['socket', 'file'] as const)('a lock by %s', (kind) => {
  test('A second taker is told who has it, also through another name of the folder, until it is released.', async () => {
    const folder = temporaryFolder()
    const link = join(temporaryFolder(), 'link')
    symlinkSync(folder, link)
    expect(await isHeld(folder, { kind })).toBeNull()
    const lock = await taken(folder, { kind })
    for (const path of [folder, link]) {
      expect(await acquireLock(path, { kind })).toEqual({ kind: 'held', pid: process.pid })
      expect(await isHeld(path, { kind })).toEqual({ pid: process.pid })
    }
    await lock.release()
    await lock.release()
    expect(await isHeld(folder, { kind })).toBeNull()
    await (await taken(folder, { kind })).release()
  })

  test('Locks of other names and other folders are others.', async () => {
    const folder = temporaryFolder()
    await taken(folder, { kind })
    await taken(folder, { kind, name: 'converge' })
    await taken(temporaryFolder(), { kind })
    expect(await isHeld(folder, { kind, name: 'ooda' })).toBeNull()
    expect(readdirSync(folder).filter((name) => name.startsWith('owner'))).toEqual(['owner-converge.json', 'owner.json'])
  })

  test('The owner file names process, boot and epoch, is private, and is gone after a release.', async () => {
    const folder = temporaryFolder()
    const lock = await taken(folder, { kind })
    const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8'))
    expect(owner).toMatchObject({ pid: process.pid, epoch: lock.epoch, boot: expect.any(String), startedAt: expect.any(String) })
    expect(statSync(join(folder, 'owner.json')).mode & 0o777).toBe(0o600)
    await lock.release()
    expect(existsSync(join(folder, 'owner.json'))).toBe(false)
  })

  test('It is free the moment its owner is killed, and the next epoch is higher.', async () => {
    const folder = temporaryFolder()
    const child = await ownerProcess(folder, kind)
    expect(await acquireLock(folder, { kind })).toEqual({ kind: 'held', pid: child.pid })
    child.kill('SIGSTOP')
    expect(await isHeld(folder, { kind })).toEqual({ pid: child.pid })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await isHeld(folder, { kind })).toBeNull()
    expect((await taken(folder, { kind })).epoch).toBe(2)
  })

  test('Of twenty processes that all want it, never two have it at once, and all get it in the end.', async () => {
    const folder = temporaryFolder()
    // Each holder makes a file that must not be there yet; two holders at once would meet.
    const script = bundle(`
      import { closeSync, openSync, rmSync } from 'node:fs'
      import { setTimeout } from 'node:timers/promises'
      import { acquireLock } from './shell/lock.js'
      const [, , folder, kind] = process.argv
      for (let round = 0; round < 3; ) {
        const lock = await acquireLock(folder, { kind })
        if (lock.kind === 'held') { await setTimeout(Math.random() * 20); continue }
        closeSync(openSync(folder + '/inside', 'wx'))
        await setTimeout(Math.random() * 3)
        rmSync(folder + '/inside')
        // The last time it dies without a release, so that takeover of a dead owner is raced for too.
        if (++round === 3) process.kill(process.pid, 'SIGKILL')
        await lock.release()
      }
    `)
    const start = () => spawn(process.execPath, [script, folder, kind], { stdio: ['ignore', 'ignore', 'pipe'] })
    const children = Array.from({ length: 20 }, start)
    const endings = await Promise.all(
      children.map(async (child) => {
        let errors = ''
        child.stderr.on('data', (text) => (errors += text))
        const [, signal] = await once(child, 'close')
        return signal === 'SIGKILL' ? 'got it three times' : errors
      }),
    )
    expect(endings).toEqual(children.map(() => 'got it three times'))
  })

  test('A folder that is missing is not held, and taking its lock is refused in one line.', async () => {
    const folder = join(temporaryFolder(), 'missing')
    expect(await isHeld(folder, { kind })).toBeNull()
    await expect(acquireLock(folder, { kind })).rejects.toMatchObject({ name: 'Refusal', code: 10 })
  })
})

describe('a lock by file', () => {
  test.each([
    ['of another boot', { boot: 'another boot' }],
    ['whose number now belongs to a later process', { start: '1' }],
    ['that is gone', { pid: 2 ** 22 + 1 }],
  ])('An owner %s is succeeded.', async (_, change) => {
    const folder = temporaryFolder()
    await taken(folder, { kind: 'file' })
    const claim = readdirSync(folder).find((name) => name.startsWith('.lock-'))
    const path = join(folder, `${claim}`)
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
    expect(await isHeld(folder, { kind: 'file' })).toBeNull()
    expect((await taken(folder, { kind: 'file' })).epoch).toBe(2)
  })

  test('Where the system tells neither boot nor start time, a live number counts as alive.', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.lock-session.4'), JSON.stringify({ pid: process.pid, start: null, boot: null }))
    expect(await acquireLock(folder, { kind: 'file' })).toEqual({ kind: 'held', pid: process.pid })
  })

  test('A claim emptied by a power cut is succeeded, and older claims are cleared away.', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.lock-session.3'), '"released"')
    writeFileSync(join(folder, '.lock-session.4'), '')
    await taken(folder, { kind: 'file' })
    expect(readdirSync(folder).toSorted()).toEqual(['.lock-session.5', 'owner.json'])
  })
})
