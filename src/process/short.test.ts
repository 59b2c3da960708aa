// Proves with real processes what comes back of a short command, whichever way it ends.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../files/fixture.js'
import { runShort, type ShortRequest, type ShortResult } from './short.js'

function shell(script: string, more: Partial<ShortRequest> = {}): Promise<ShortResult> {
  return runShort({
    argv: ['/bin/sh', '-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    timeoutSeconds: 50,
    outputBytes: 50_000_000,
    ...more,
  })
}

describe('a short command', () => {
  it('gives back its exit code, and its output as it is.', async () => {
    const result = await shell(String.raw`printf '\377\000\376'; printf 'oops' >&2; exit 3`)
    expect(result).toMatchObject({ ending: 'exited', exitCode: 3, note: 'exit 3' })
    expect([...result.stdout, result.stderr.toString()]).toEqual([0xff, 0, 0xfe, 'oops'])
  })

  it('takes bytes in and gives all of them out, however many.', async () => {
    const bytes = randomBytes(8_000_000)
    expect((await shell('cat', { stdin: bytes })).stdout.equals(bytes)).toBe(true)
  })

  it('finds nothing in its environment but what it is given and the mark of its tree.', async () => {
    const { stdout } = await runShort({ argv: ['/usr/bin/env'], cwd: '/', env: { ONE: '1' }, timeoutSeconds: 50, outputBytes: 10_000 })
    expect(stdout.toString().trim().split('\n').map((line) => line.split('=')[0]).toSorted()).toEqual(['GREENLATCH_TREE', 'ONE', 'PWD'])
  })

  it('that does not read what it is given is no error.', async () => {
    expect(await shell('exit 4', { stdin: Buffer.alloc(5_000_000) })).toMatchObject({ ending: 'exited', exitCode: 4 })
  })

  it('keeps only the first part of a long complaint.', async () => {
    const { ending, stderr } = await shell('head -c 300000 /dev/zero >&2')
    expect([ending, stderr.length]).toEqual(['exited', 65_536])
  })

  it('that says more than it may is ended, and that is no answer.', async () => {
    const result = await shell('while :; do echo yes; done', { outputBytes: 100_000 })
    expect(result).toMatchObject({ ending: 'flood', note: 'its output went past the limit of 97.7 KiB' })
    expect(result.stdout.length).toBeLessThanOrEqual(100_000)
  })

  it('that takes too long is ended with all it started.', async () => {
    const mark = join(temporaryFolder(), 'mark')
    const result = await shell(`(sleep 3; : > '${mark}') & sleep 60`, { timeoutSeconds: 0.3 })
    expect(result).toMatchObject({ ending: 'timeout', note: 'ended after 0.3 s (wall-clock limit)' })
    await sleep(3200)
    expect(existsSync(mark)).toBe(false)
  })

  it('is ended on request, or not even started.', async () => {
    const stop = new AbortController()
    const running = shell('sleep 60', { signal: stop.signal })
    setTimeout(() => stop.abort(), 100)
    expect(await running).toMatchObject({ ending: 'aborted', exitCode: null })
    expect(await shell('exit 0', { signal: stop.signal })).toMatchObject({ ending: 'aborted', note: 'stopped before it was started' })
  })

  it('whose output is kept open by a process it left behind is no answer, and that process is ended.', async () => {
    expect(await shell('sleep 60 & echo said')).toMatchObject({ ending: 'held', exitCode: 0 })
  })

  it('is answered whole when its output was closed in time and only we were held up.', async () => {
    const running = shell('sleep 1 & echo said')
    await sleep(500)
    // Right before timers are looked at, so that time is up before anything was read.
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500))
    const { ending, stdout } = await running
    expect({ ending, said: stdout.toString() }).toEqual({ ending: 'exited', said: 'said\n' })
  })

  it('leaves nothing running that it started with its output elsewhere.', async () => {
    const mark = join(temporaryFolder(), 'mark')
    expect(await shell(`(sleep 2; : > '${mark}') >/dev/null 2>&1 &`)).toMatchObject({ ending: 'exited', exitCode: 0 })
    await sleep(2300)
    expect(existsSync(mark)).toBe(false)
  })

  it('that is looked after in its group alone leaves nothing running in there.', async () => {
    const mark = join(temporaryFolder(), 'mark')
    expect(await shell(`(sleep 2; : > '${mark}') >/dev/null 2>&1 &`, { leaves: 'at most its group' })).toMatchObject({ ending: 'exited', exitCode: 0 })
    await sleep(2300)
    expect(existsSync(mark)).toBe(false)
  })

  it('that is killed, or cannot be started, is told by what happened.', async () => {
    expect(await shell('kill -9 $$')).toMatchObject({ ending: 'signalled', exitCode: null, note: 'ended by SIGKILL' })
    expect(await shell('', { argv: ['/nonexistent'] })).toMatchObject({
      ending: 'unstartable',
      note: 'cannot start "/nonexistent": no such file',
    })
  })
})
