// What bounds the sessions of a fleet: order, time, rates that all workers share, remotes that say no, and settings that nobody trusts.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI } from './support/cli.js'
import { makeRig, pushesOf, type FleetWorker, type Rig } from './support/fleet.js'
import { rows, submit } from './support/fleet-commands.js'

const writes = (sleepSeconds = 0): string => JSON.stringify({ turns: [{ say: 'x', write: { 'b.txt': 'yes\n' }, sleepSeconds }], after: 'repeat' })
const FILES = { 'a.txt': 'a\n', 'quick.json': writes(), 'slow.json': writes(600) }

const SETTINGS = 'agents:\n  mine:\n    script: quick.json\nagent: mine\ngates:\n  - name: check\n    run: test "$(cat b.txt)" = yes\n'

/** A file of tasks. */
function lines({ root }: Rig, ...tasks: object[]): string {
  const file = join(root, 'tasks.txt')
  writeFileSync(file, tasks.map((task) => JSON.stringify(task)).join('\n'))
  return file
}

const begun = ({ lines }: FleetWorker): string[] => lines.flatMap(({ text }) => /^(\S+): begun$/.exec(text)?.[1] ?? [])

/** Serves what there is and ends. */
async function servedBy(rig: Rig, name: string, env: Record<string, string> = {}): Promise<FleetWorker> {
  const worker = await rig.worker(name, ['--until-empty'], env)
  expect(await worker.ended).toBe(0)
  return worker
}

describe('the sessions of a fleet', () => {
  it('GL-08 begin with what is urgent, end when their time is up, and are dead before anybody is asked where the remote refuses the claim', async () => {
    const rig = await makeRig({ ...FILES, 'greenlatch.yaml': SETTINGS })
    const usual = ['ooda', '--repository', rig.url, '--attempts', '1', '--agent']
    const [endless = ''] = await submit(rig, ...usual, 'scripted:slow.json', '--max-iterations', '9', '--max-time', '1s', 'endless')
    const [last = '', urgent = '', barred = ''] = await submit(rig, ...usual, 'scripted:quick.json', '--max-iterations', '1', '--file', lines(rig, { task: 'last' }, { task: 'urgent', priority: 1 }, { task: 'barred' }))
    const hook = join(rig.bare, 'hooks', 'update')
    mkdirSync(dirname(hook), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\ncase "$1" in *${barred}) echo "not for you" >&2; exit 1 ;; esac\n`)
    chmodSync(hook, 0o755)
    const worker = await servedBy(rig, 'w1')
    expect(begun(worker)).toEqual([urgent, endless, last])
    expect(worker.lines.map(({ text }) => text)).toContain(`${last}: greenlatch.yaml of the repository is not read: the task names no state of it that is trusted`)
    const all = await rows(rig)
    expect([last, urgent].map((id) => all.get(id)?.state)).toEqual(['completed', 'completed'])
    expect(all.get(endless)).toMatchObject({ state: 'exhausted', why: expect.stringMatching(/ of 1 seconds spent/) })
    const refused = { state: 'dead', why: expect.stringMatching(/^the remote refuses the push: .*not for you/), next: expect.stringContaining(`greenlatch fleet submit --again ${barred}`) }
    expect(all.get(barred)).toMatchObject({ ...refused, iteration: 0, spent: { usd: 0 } })
    expect(rig.git('for-each-ref', `refs/greenlatch/fleet/${barred}`)).toBe('')
    rmSync(hook)
    expect((await rig.run(['submit', '--again', barred])).code).toBe(0)
    expect(begun(await servedBy(rig, 'w2'))).toEqual([barred])
    expect((await rows(rig)).get(barred)).toMatchObject({ state: 'completed', iteration: 1 })
  })

  it('GL-08 share a rate over two workers, and one that waits for its turn is given back at once when its worker comes to rest', async () => {
    const rig = await makeRig(FILES)
    const [most, wanted] = [3, 4]
    const hour = async (): Promise<number> => Math.floor(Number((await rig.redis.time())[0]) / 3600)
    const began = await hour()
    const agent = join(rig.root, 'agent')
    writeFileSync(agent, `#!/bin/sh\ncat >/dev/null\necho asked >> ${rig.root}/asks\nwhile [ ! -e ${rig.root}/go ]; do sleep 0.05; done\necho x >> b.txt\n`)
    chmodSync(agent, 0o755)
    const ids = await submit(rig, 'ooda', '--file', lines(rig, { task: 'one' }, { task: 'two' }), '--repository', rig.url, '--ai-cmd', agent, '--max-iterations', '2', '--rate', `ai-cmd=${most}/h`)
    const workers = await Promise.all(['w1', 'w2'].map((name) => rig.worker(name, [], { GREENLATCH_SANDBOX: 'none' })))
    const asks = (): number => (existsSync(join(rig.root, 'asks')) ? readFileSync(join(rig.root, 'asks'), 'utf8').split('\n').length - 1 : 0)
    await rig.until('each worker has asked', () => asks() === 2 && workers.every((worker) => begun(worker).length === 1))
    writeFileSync(join(rig.root, 'go'), '')
    // A new hour may begin meanwhile, with places of its own.
    const places = async (): Promise<{ may: number; tried: number }> => {
      const tries = await Promise.all((await rig.redis.keys('greenlatch:fleet:window:*')).map((key) => rig.redis.get(key)))
      return { may: Math.min(wanted, most * (1 + (await hour()) - began)), tried: tries.reduce((sum, count) => sum + Number(count), 0) }
    }
    await rig.until('as many have been asked as may be', async () => (await places()).tried >= wanted && asks() >= (await places()).may)
    await rig.until('those have ended', async () => (await rig.redis.zcard('greenlatch:sessions:completed')) >= (await places()).may - 2)
    for (const worker of workers) worker.signal('SIGTERM')
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    const { may } = await places()
    expect(asks()).toBe(may)
    const states = [...(await rows(rig)).values()].map(({ state, worker }) => [state, worker === null]).toSorted()
    expect(states).toEqual(may === wanted ? [['completed', false], ['completed', false]] : [['completed', false], ['queued', true]])
    for (const id of ids) expect(pushesOf(rig, id).map(({ message }) => message)).toContain('iteration 1')
  })

  it('GL-08 read no settings of a repository but in the state that was trusted when they were submitted, whatever their worker trusts', async () => {
    const rig = await makeRig({ ...FILES, 'greenlatch.yaml': SETTINGS })
    const show = execFileSync(process.execPath, [CLI, '-C', join(rig.root, 'work'), 'trust', 'show', '--json'], { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: join(rig.root, 'home') } })
    const { hash } = JSON.parse(show) as { hash: string }
    const tasks = lines(rig, { task: 'a', trust: hash }, { task: 'b', trust: ['f'.repeat(64)] }, { task: 'c', gate: 'true' })
    const [trusted = '', changed = '', unread = ''] = await submit(rig, '--file', tasks, '--repository', rig.url, '--agent', 'mine', '--attempts', '1')
    await servedBy(rig, 'w1', { GREENLATCH_TRUST: hash })
    const all = await rows(rig)
    expect(all.get(trusted)).toMatchObject({ state: 'converged', iteration: 1 })
    const reason = new RegExp(`is not in a state that the task trusts: what greenlatch.yaml would run or permit has the hash ${hash.slice(0, 12)}, and f{12} is trusted \\(exit 6\\)$`)
    expect(all.get(changed)).toMatchObject({ state: 'dead', why: expect.stringMatching(reason), next: expect.stringMatching(/^git fetch .* && greenlatch trust show$/), iteration: 0 })
    expect(all.get(unread)).toMatchObject({ state: 'dead', why: expect.stringMatching(/"mine".*greenlatch\.yaml is not read.*\(exit 6\)$/), next: expect.stringContaining('fleet submit --trust <hash>') })
  })
})
