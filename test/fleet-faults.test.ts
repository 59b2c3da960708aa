// What a fleet does with servers, remotes and tasks that are not as they should be, and how its sessions are steered.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CLI, makePlace } from './support/cli.js'
import { freePort, makeRig } from './support/fleet.js'
import { rows, submit } from './support/fleet-commands.js'

const turn = (text: string, usd = 0): object => ({ say: 'done', write: { 'b.txt': text }, usd })
const FILES = {
  'a.txt': 'a\n',
  'one.json': JSON.stringify({ turns: [turn('1\n', 0.6), turn('2\n', 0.6)], after: 'repeat' }),
  'steps.json': JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': '1\n' }, sleepSeconds: 1 }], after: 'repeat' }),
  'slow.json': JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': '1\n' }, sleepSeconds: 600 }], after: 'repeat' }),
  'large.json': JSON.stringify({ turns: [turn('yes\nand\nmuch\nmore\n')], after: 'repeat' }),
  'small.json': JSON.stringify({ turns: [turn('yes\n')], after: 'repeat' }),
  'never.json': JSON.stringify({ turns: [{ say: 'x', ending: 'unavailable' }], after: 'repeat' }),
}

/** A server that speaks Redis's language and tells what it is told to. */
async function pretend(answers: Record<string, string>): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const [, name = ''] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) socket.write(answers[name.toLowerCase()] ?? '+OK\r\n')
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`
const timeOf = (seconds: number): string => `*2\r\n${bulk(String(seconds))}${bulk('0')}`

describe('before anything is done', () => {
  it('GL-08 tells in one line, with a code and the next command, what is wrong with the server, its password, its version, its clock or a package', async () => {
    const rig = await makeRig(FILES)
    const info = (version: string): string => bulk(`redis_version:${version}\r\naof_enabled:1\r\nmaxmemory:0\r\n`)
    const now = Math.floor(Date.now() / 1000)
    const gone = `redis://127.0.0.1:${await freePort()}`
    const bad: [address: string, code: number, says: RegExp][] = [
      [gone, 10, /cannot be reached \(ECONNREFUSED\)\n {2}next: greenlatch fleet up/],
      [rig.address.replace('fleet-test', 'wrong'), 2, /does not take this name and password\n {2}next: export GREENLATCH_REDIS=/],
      [await pretend({ ping: '+PONG\r\n', info: info('5.0.14'), time: timeOf(now) }), 2, /is Redis 5\.0\.14, and 6\.2 or newer is needed\n {2}next: install/],
      [await pretend({ ping: '+PONG\r\n', info: info('7.0.15'), time: timeOf(now - 3600) }), 2, /clock .* are 36\d\d s apart, .*\n {2}next: set the clock/],
      ['redis://:se/cret@127.0.0.1', 2, /is no address of a Redis server/],
      [':secret@127.0.0.1', 2, /is no address of a Redis server/],
      [`${gone}?password=secret`, 10, /cannot be reached/],
      ['no address', 2, /is no address of a Redis server\n {2}next: export/],
    ]
    const ended = await Promise.all(bad.map(([address]) => rig.run(['worker'], { GREENLATCH_REDIS: address })))
    bad.forEach(([address, code, says], at) => {
      expect(ended[at], address).toMatchObject({ code, stdout: '' })
      expect(ended[at]?.stderr).toMatch(says)
      expect(ended[at]?.stderr.trim().split('\n')).toHaveLength(2)
      expect(ended[at]?.stderr).not.toContain('cret')
    })
    const copy = mkdtempSync(join(tmpdir(), 'greenlatch-no-peers-'))
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
    cpSync(dirname(CLI), join(copy, 'dist'), { recursive: true })
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    const { status, stderr } = spawnSync(process.execPath, [join(copy, 'dist/greenlatch.cjs'), 'fleet', 'worker'], { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: copy, GREENLATCH_REDIS: gone } })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/needs the package bullmq, which is not installed\n {2}next: npm install .*bullmq@6 ioredis@5/)])
  })

  it('refuses tasks that nobody could run: no agent, no gate, no repository, no right to push, odd lines', async () => {
    const rig = await makeRig(FILES)
    const hook = join(rig.bare, 'hooks', 'pre-receive')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(join(rig.root, 'odd.txt'), 'a task\n{"task": "b", "colour": "red"}\n')
    const usual = ['--repository', rig.url, '--agent', 'repair', '--gate', 'true']
    const bad: [args: string[], code: number, says: RegExp][] = [
      [['x', '--repository', rig.url], 2, /who answers has to be said/],
      [['x', '--repository', rig.url, '--agent', 'repair'], 2, /needs a check/],
      [['x', '--agent', 'repair', '--gate', 'true'], 2, /no repository is named/],
      [['x', ...usual, '--repository', `${rig.url}-gone`], 2, /cannot be read/],
      [['x', ...usual, '--ref', 'nope'], 2, /has no branch or tag "nope"/],
      [['x', '--repository', 'ext::sh -c id', '--agent', 'repair', '--gate', 'true'], 2, /is no address of a repository/],
      [['--file', join(rig.root, 'odd.txt'), ...usual], 2, /odd\.txt:2: "colour" is none of/],
      [['x', ...usual, '--priority', '2097152'], 2, /--priority: 1 to 2097151\n/],
      [['x', '--agent', 'repair', '--gate', 'true', '--repository', 'https://me:s3cr3t@127.0.0.1/x.git'], 2, /the address https:\/\/127\.0\.0\.1\/x\.git is given with a login/],
      [['x', ...usual, '--ref', 'nope', '--rate', 'claude=1/h'], 2, /has no branch or tag/],
      [['x', ...usual, '--rate', 'often'], 2, /--rate: "often" is not like/],
    ]
    for (const [args, code, says] of bad) {
      const ended = await rig.run(['submit', ...args])
      expect(ended.code, ended.stderr).toBe(code)
      expect(ended.stderr).toMatch(says)
    }
    writeFileSync(hook, '#!/bin/sh\necho "only for releases" >&2\nexit 1\n')
    chmodSync(hook, 0o755)
    const refused = await rig.run(['submit', 'x', ...usual])
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringMatching(/does not take refs\/greenlatch\/\*: remote: only for releases\n {2}next: /)])
    expect(await rig.redis.keys('greenlatch:*')).toEqual([])
    await rig.redis.acl('SETUSER', 'weak', 'on', '>weak', '~other:*', '+@all')
    const weak = await rig.run(['status'], { GREENLATCH_REDIS: rig.address.replace(':fleet-test', 'weak:weak') })
    expect([weak.code, weak.stderr]).toEqual([2, expect.stringMatching(/does not let this user do what a fleet needs: NOPERM.*\n {2}next: redis-cli ACL SETUSER/)])
    expect(await rig.run(['worker', '--name', '..'])).toMatchObject({ code: 2, stderr: expect.stringContaining('is no plain name') })
  })

  it('starts a queue of this machine that keeps what it is told, with a password that is only in a file of the user', async () => {
    const place = makePlace()
    const up = await place.run(['fleet', 'up'])
    expect([up.code, up.stdout.trim()]).toEqual([0, expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+$/)])
    const folder = join(place.state, 'fleet', 'redis')
    expect(['address', 'redis.conf'].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
    const again = await place.run(['fleet', 'up'])
    expect([again.stdout, again.stderr]).toEqual([up.stdout, expect.stringMatching(/is running already/)])
    expect((await place.run(['fleet', 'status'])).stdout).toBe('the queue is empty\n')
    expect((await place.run(['fleet', 'up', '--stop'])).code).toBe(0)
    expect(await place.run(['fleet', 'status'])).toMatchObject({ code: 10 })
  })
})

describe('a task that cannot be run', () => {
  it('GL-08 is dead after its tries, with the reason and the next command: repository gone, agent away, agent unknown, poison', async () => {
    const rig = await makeRig(FILES)
    const usual = ['ooda', 'x', '--repository', rig.url, '--max-iterations', '2']
    const [gone = ''] = await submit(rig, ...usual, '--agent', 'scripted:one.json', '--label', 'gone')
    const [away = ''] = await submit(rig, ...usual, '--agent', 'scripted:never.json', '--attempts', '1')
    const [bad = ''] = await submit(rig, ...usual, '--agent', 'no-such-agent', '--attempts', '1')
    const [poison = ''] = await submit(rig, ...usual, '--agent', 'scripted:slow.json', '--label', 'poison')
    // The commit is there no more.
    await rig.redis.hset(`greenlatch:sessions+gone:${gone}`, 'data', String(await rig.redis.hget(`greenlatch:sessions+gone:${gone}`, 'data')).replaceAll('/bare.git', '/none.git'))
    const first = await rig.worker('w1', ['--label', 'gone', '--concurrency', '3', '--patience', '5s'])
    const died = await rig.worker('w2', ['--label', 'poison', '--takeovers', '1'])
    await rig.until('it runs', () => died.holds().includes(poison))
    died.signal('SIGKILL')
    const next = await rig.worker('w3', ['--label', 'poison', '--takeovers', '1'])
    await rig.until('it is taken over', () => next.holds().includes(poison))
    next.signal('SIGKILL')
    await rig.worker('w4', ['--label', 'poison', '--takeovers', '1'])
    const ended = async (): Promise<boolean> => (await rig.redis.zcard('greenlatch:sessions:failed')) === 2 && (await rig.redis.zcard('greenlatch:sessions+poison:failed')) === 1 && (await rig.redis.zcard('greenlatch:sessions+gone:failed')) === 1
    await rig.until('all are dead', ended)
    const all = await rows(rig)
    expect(all.get(gone)).toMatchObject({ state: 'dead', why: expect.stringMatching(/none\.git|not exported|could not read/) })
    expect(all.get(away)).toMatchObject({ state: 'dead', next: `greenlatch fleet submit --again ${away}` })
    expect(all.get(bad)).toMatchObject({ state: 'dead', why: expect.stringContaining('no-such-agent') })
    expect(all.get(poison)).toMatchObject({ state: 'dead', why: expect.stringMatching(/its worker died or froze \d times/) })
    expect(first.process.exitCode).toBeNull()
    const { stdout } = await rig.run(['results', '--csv'])
    expect(stdout.split('\r\n')).toHaveLength(6)
    expect((await rig.run(['results', '--html'])).stdout).toMatch(/<p>4 dead<\/p>/)
    const [mine, out] = ['mine.csv', 'out.csv'].map((name) => `${rig.root}/${name}`)
    writeFileSync(mine ?? '', 'mine\n')
    expect(await rig.run(['results', '--csv', mine ?? ''])).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already, and greenlatch did not write it') as string })
    for (const form of ['csv', 'csv', 'html']) expect((await rig.run(['results', `--${form}`, out ?? ''])).code, form).toBe(form === 'csv' ? 0 : 2)
  })
})

describe('an end', () => {
  it('GL-08 is told only when the remote has it: one that was refused at first is pushed by the worker that knows of it', async () => {
    const rig = await makeRig(FILES)
    const [session = ''] = await submit(rig, 'ooda', 'x', '--repository', rig.url, '--agent', 'scripted:one.json', '--max-iterations', '1')
    const hook = join(rig.bare, 'hooks', 'pre-receive')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\nread old new ref\ncase "$(git log -1 --format=%s $new)" in ended*) test -e ${rig.root}/once || { touch ${rig.root}/once; echo "not now" >&2; exit 1; } ;; esac\n`)
    chmodSync(hook, 0o755)
    const worker = await rig.worker('w1')
    await rig.until('it has ended', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) === 1)
    expect(worker.lines.some(({ text }) => /the remote refuses the push: .*not now.*; it is tried again later/.test(text))).toBe(true)
    expect(rig.git('log', '-1', '--format=%s', `refs/greenlatch/fleet/${session}`)).toBe('ended: completed')
    const [row] = [...(await rows(rig)).values()]
    expect(row).toMatchObject({ state: 'completed', iteration: 1, spent: { usd: 0.6 } })
  })
})

describe('a fleet is steered', () => {
  it('GL-08 takes the smallest verified change of several candidates, and ends the others', async () => {
    const rig = await makeRig({ ...FILES, 'check.sh': 'test "$(head -1 b.txt 2>/dev/null)" = yes\n' })
    const usual = ['make it so', '--repository', rig.url, '--gate', 'sh check.sh', '--best-of', '2']
    const both = await submit(rig, ...usual, '--enough', '2', '--agent', 'scripted:large.json')
    // Of the same group, and with less to show.
    const small = both[1] ?? ''
    await rig.redis.hset(`greenlatch:sessions:${small}`, 'data', String(await rig.redis.hget(`greenlatch:sessions:${small}`, 'data')).replace('large.json', 'small.json'))
    const first = await submit(rig, ...usual, '--enough', '1', '--agent', 'scripted:small.json')
    const worker = await rig.worker('w1')
    await rig.until('all have ended', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) === 4)
    const all = await rows(rig)
    expect(both.map((id) => [all.get(id)?.state, all.get(id)?.wins])).toEqual([['converged', false], ['converged', true]])
    expect(first.map((id) => [all.get(id)?.state, all.get(id)?.wins])).toEqual([['converged', true], ['cancelled', false]])
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(rig.git('diff', `refs/greenlatch/fleet/${small}:start`, `refs/greenlatch/fleet/${small}:result`)).toMatch(/\+yes/)
    const logs = await rig.run(['logs', small])
    expect([logs.code, logs.stdout]).toEqual([0, expect.stringMatching(/converged/)])
  })

  it('GL-08 serves labels, stops a batch whose money is spent, cancels what runs and what waits, and gives back what it holds on SIGTERM', async () => {
    const rig = await makeRig(FILES)
    const usual = ['ooda', 'x', '--repository', rig.url]
    const [paid = ''] = await submit(rig, ...usual, '--agent', 'scripted:one.json', '--max-iterations', '5', '--batch-cost', '1')
    const [special = ''] = await submit(rig, ...usual, '--agent', 'scripted:one.json', '--max-iterations', '1', '--label', 'gpu')
    const [running = ''] = await submit(rig, ...usual, '--agent', 'scripted:slow.json', '--max-iterations', '1')
    const [waiting = ''] = await submit(rig, ...usual, '--agent', 'scripted:one.json', '--max-iterations', '1', '--label', 'nobody')
    const worker = await rig.worker('w1', ['--concurrency', '2', '--label', 'gpu'])
    await rig.until('two have ended', async () => (await rig.redis.zcard('greenlatch:sessions+gpu:completed')) + (await rig.redis.zcard('greenlatch:sessions:failed')) === 2)
    await rig.until('one runs', () => worker.holds().includes(running))
    expect((await rig.run(['cancel', running, waiting])).stdout).toBe(`${running}\n${waiting}\n`)
    await rig.until('it is cancelled', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) === 1)
    const all = await rows(rig)
    expect(all.get(paid)).toMatchObject({ state: 'dead', why: expect.stringContaining('is spent'), spent: { usd: 1.2 } })
    expect(all.get(special)).toMatchObject({ state: 'completed', worker: 'w1' })
    expect([all.get(running)?.state, all.get(waiting)?.state]).toEqual(['cancelled', 'cancelled'])
    expect((await rig.run(['submit', '--again', paid, '--batch-cost', '100'])).code).toBe(0)
    await rig.until('it goes on', () => worker.lines.some(({ text }) => text.startsWith(`${paid}: taken over after iteration 2`)))
    await rig.until('it ends', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) === 2)
    expect((await rows(rig)).get(paid)).toMatchObject({ state: 'completed', iteration: 5, spent: { usd: 3 } })
    const [long = ''] = await submit(rig, ...usual, '--agent', 'scripted:steps.json', '--max-iterations', '60')
    await rig.until('it runs', () => worker.holds().includes(long))
    worker.signal('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect(worker.lines.some(({ text }) => text === `${long}: given back to the queue`)).toBe(true)
    expect((await rows(rig)).get(long)).toMatchObject({ state: 'queued', worker: null })
  })
})
