// What a fleet believes of the state on a remote that others may push to as well, and how it goes on when its queue was lost.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encode } from '../src/adapters/journal/line.js'
import type { JournalRecord } from '../src/ports.js'
import { makeRig, pushesOf, type Rig } from './support/fleet.js'
import { rows, submit } from './support/fleet-commands.js'

const FILES = { 'a.txt': 'a\n', 'steps.json': JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': '1\n' }, sleepSeconds: 0.5 }], after: 'repeat' }), 'paid.json': JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': '1\n' }, usd: 0.6 }], after: 'repeat' }) }

/** Somebody who may push writes a journal of their own, whose sums are right, and files that a session reads. */
function forge(rig: Rig, session: string, rewrite: (text: string) => string, files: Record<string, string>): void {
  const ref = `refs/greenlatch/fleet/${session}`
  const room = join(rig.root, `forged-${session}`)
  const git = (...args: string[]): string => execFileSync('git', ['-C', room, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
  execFileSync('git', ['clone', '-q', '-n', rig.bare, room])
  git('fetch', '-q', 'origin', ref)
  git('checkout', '-q', 'FETCH_HEAD')
  const records = (pushesOf(rig, session).at(-1)?.journal ?? '').split('\n').filter((line) => line !== '').map((line) => JSON.parse(rewrite(line)) as JournalRecord)
  let prev = ''
  const lines = records.map((record) => {
    const { bytes, sum } = encode({ ...record, prev })
    prev = sum
    return bytes
  })
  git('rm', '-q', '-r', 'journal')
  const all: Record<string, string | Buffer> = { 'journal/00000001': Buffer.concat(lines), ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(room, path)), { recursive: true })
    writeFileSync(join(room, path), text)
  }
  git('add', '-A', '-f')
  git('commit', '-q', '-m', 'iteration 9')
  git('push', '-q', 'origin', `HEAD:${ref}`)
}

describe('the state on a remote', () => {
  it('GL-08 decides neither gates nor agents nor sandbox, is not gone on with where no worker pushed it, and one that was deleted is not begun anew', async () => {
    const rig = await makeRig(FILES)
    const pwned = join(rig.root, 'pwned')
    const [forged = '', deleted = '', whole = ''] = await submit(rig, '--repository', rig.url, '--agent', 'scripted:steps.json', '--gate', 'check=false', '--max-iterations', '60', '--file', tasks(rig, 3))
    const first = await rig.worker('w1', ['--concurrency', '3'])
    await rig.until('all have an iteration', () => rig.git('for-each-ref', '--format=%(subject)', 'refs/greenlatch/fleet').split('\n').filter((line) => line.startsWith('iteration')).length === 3)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    const evil = (line: string): string => line.replaceAll('"run":"false"', `"run":"touch ${pwned}"`).replaceAll('"use":"auto"', '"use":"none"')
    forge(rig, forged, evil, { 'files/journal.jsonl': 'x', 'files/inbox/1.json': 'x', 'files/agents-env.json': '{}' })
    rig.git('update-ref', '-d', `refs/greenlatch/fleet/${deleted}`)
    const second = await rig.worker('w2', ['--concurrency', '3'])
    await rig.until('two are dead and one runs', async () => (await rig.redis.zcard('greenlatch:sessions:failed')) === 2 && second.holds().includes(whole))
    const all = await rows(rig)
    expect(all.get(forged)).toMatchObject({ state: 'dead', why: expect.stringMatching(/ stands on a commit that no worker of this queue has pushed$/), next: expect.stringContaining(`fleet submit --again ${forged}`) })
    expect(all.get(deleted)).toMatchObject({ state: 'dead', why: expect.stringMatching(/^the state of the session is gone: .* was deleted on the remote$/) })
    const refused = await rig.run(['submit', '--again', forged, '--again', deleted])
    expect([refused.code, refused.stderr]).toEqual([10, expect.stringMatching(/its state was on the remote and is there no more.*\n {2}next: git ls-remote /)])
    expect((await rows(rig)).get(forged)?.state).toBe('dead')
    // Whoever says so goes on from what is there: still by the gates of the task.
    expect((await rig.run(['submit', '--again', forged])).code).toBe(0)
    await rig.until('it goes on', () => second.holds().includes(forged) && pushesOf(rig, forged).filter(({ message }) => message.startsWith('iteration')).length > 3)
    expect(existsSync(pwned)).toBe(false)
    rig.git('update-ref', '-d', `refs/greenlatch/fleet/${whole}`)
    await rig.until('the deletion is told', async () => (await rows(rig)).get(whole)?.state === 'dead')
    expect((await rows(rig)).get(whole)?.why).toMatch(/was deleted on the remote/)
  })

  it('GL-08 is gone on with when the queue was lost and the same tasks are submitted by the name of their batch', async () => {
    const rig = await makeRig(FILES)
    const args = ['ooda', '--repository', rig.url, '--agent', 'scripted:steps.json', '--max-iterations', '4', '--file', tasks(rig, 2)]
    const [one = '', other = ''] = await submit(rig, ...args)
    const worker = await rig.worker('w1')
    await rig.until('it has an iteration', () => rig.git('for-each-ref', '--format=%(subject)', `refs/greenlatch/fleet/${one}`) === 'iteration 1')
    await rig.redis.flushall()
    await rig.until('the worker knows', () => worker.lines.some(({ text }) => text === `${one}: no longer ours: the queue knows nothing of it any more`))
    const batch = one.slice(0, -6)
    const again = await rig.run(['submit', ...args, '--batch', batch])
    expect([again.code, again.stdout.trim(), again.stderr]).toEqual([0, batch, expect.stringMatching(/2 sessions queued, 1 of them to go on from what their remote holds/)])
    await rig.until('both have ended', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) === 2)
    expect(worker.lines.some(({ text }) => new RegExp(`^${one}: taken over after iteration [1-3]$`).test(text))).toBe(true)
    const all = await rows(rig)
    expect([one, other].map((id) => [all.get(id)?.state, all.get(id)?.iteration])).toEqual([['completed', 4], ['completed', 4]])
    const [waiting = ''] = await submit(rig, ...args)
    await rig.until('it runs', () => worker.holds().includes(waiting))
    await rig.redis.config('SET', 'maxmemory', '1')
    await rig.until('the trouble is told', () => worker.lines.some(({ text }) => /^the queue's server answers with an error, trying again: .*OOM/.test(text)))
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(0)
    await rig.redis.config('SET', 'maxmemory', '0')
    expect(await rig.run(['submit', ...args.slice(0, -2), 'x', '--batch', batch])).toMatchObject({ code: 2, stderr: expect.stringMatching(/is in the queue with 2 sessions, and these are 1\n {2}next: greenlatch fleet status/) })
  })

  it('GL-08 holds the money of a batch for all sessions at once, over two workers', async () => {
    const rig = await makeRig(FILES)
    const ids = await submit(rig, 'ooda', '--repository', rig.url, '--agent', 'scripted:paid.json', '--max-iterations', '3', '--batch-cost', '1', '--file', tasks(rig, 6))
    await Promise.all(['w1', 'w2'].map((name) => rig.worker(name, ['--concurrency', '3'])))
    await rig.until('all have come to an end', async () => (await rig.redis.zcard('greenlatch:sessions:failed')) === ids.length)
    const all = [...(await rows(rig)).values()]
    expect(all.map(({ why }) => why)).toEqual(ids.map(() => expect.stringMatching(/^the money of batch .* is spent$/)))
    // One that may spend 0.4 and takes 0.6 is over by its own last ask, and by nobody else's.
    expect(all.reduce((sum, { spent }) => sum + spent.usd, 0)).toBeCloseTo(1.2)
  })
})

function tasks({ root }: Rig, count: number): string {
  const file = join(root, 'tasks.txt')
  writeFileSync(file, Array.from({ length: count }, (_, at) => `task ${at + 1}`).join('\n'))
  return file
}
