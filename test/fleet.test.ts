// Many sessions over several workers that are killed, frozen and cut off: nothing is lost, and every session ends once.
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JournalRecord } from '../src/ports.js'
import { makeRig, pushesOf, type FleetWorker, type Pushed, type Rig } from './support/fleet.js'

/** `npm run test:fleet` makes them larger. */
const SESSIONS = Number(process.env['FLEET_SESSIONS'] ?? 12)
const WORKERS = Number(process.env['FLEET_WORKERS'] ?? 3)
const ITERATIONS = 3
const LEASE_SECONDS = 3
const TAKEOVER_SECONDS = 15

const SCRIPT = JSON.stringify({
  turns: [1, 2, 3].map((n) => ({ say: `try ${n}`, write: { [`file-${n}.txt`]: `${n}\n` }, sleepSeconds: 0.5, usd: 0.01 })),
  after: 'repeat',
})

const dead = ({ redis }: Rig): Promise<number> => redis.zcard('greenlatch:sessions:failed')
const done = async (rig: Rig): Promise<number> => (await rig.redis.zcard('greenlatch:sessions:completed')) + (await dead(rig))

describe('a fleet', () => {
  it(`GL-08 runs ${SESSIONS} sessions over ${WORKERS} workers that are killed, frozen and cut off: no iteration is lost, and every session ends once`, async () => {
    const rig = await makeRig({ 'script.json': SCRIPT, 'a.txt': 'a\n' })
    const args = ['submit', 'ooda', '--repository', rig.url, '--agent', 'scripted:script.json', '--max-iterations', String(ITERATIONS), '--back-off', '2s', '--json']
    const tasks = Array.from({ length: SESSIONS }, (_, at) => `task ${at + 1}`)
    writeFileSync(`${rig.root}/tasks.txt`, tasks.join('\n'))
    const submitted = await rig.run([...args, '--file', `${rig.root}/tasks.txt`])
    expect(submitted, submitted.stdout + submitted.stderr).toMatchObject({ code: 0 })
    const ids = (JSON.parse(submitted.stdout) as { sessions: string[] }).sessions
    const workers = await Promise.all(Array.from({ length: WORKERS }, (_, at) => rig.worker(`w${at + 1}`, ['--concurrency', '2', '--takeovers', '20'])))
    const began = Date.now()
    const lost: { id: string; at: number; by: string }[] = []
    await (SESSIONS > 50 ? longTrouble : shortTrouble)(rig, workers, lost)
    await rig.until('all sessions have ended', async () => (await done(rig)) === SESSIONS, SESSIONS > 50 ? 1500 : 150)
    expect(await dead(rig)).toBe(0)
    if (process.env['FLEET_DEBUG']) console.log(workers.flatMap(({ name, lines }) => lines.map(({ at, text }) => ({ at, text: `${name} ${text}` }))).toSorted((a, b) => a.at - b.at).map(({ at, text }) => `${((at - began) / 1000).toFixed(1)} ${text}`).join('\n'))
    const pushes = new Map(ids.map((id) => [id, pushesOf(rig, id)]))
    for (const [id, all] of pushes) expect(faultsOf(all), `${id}: ${all.map(({ message }) => message).join(' · ')}`).toEqual([])
    const delays = lost.flatMap(({ id, at, by }) => takeoverAfter(workers, id, at, by))
    const claims = [...pushes.values()].flat().filter(({ message }) => message.startsWith('claimed')).length
    const worst = Math.max(0, ...delays)
    console.log(`${SESSIONS} sessions, ${WORKERS} workers: ${lost.length} sessions lost their worker, ${claims - SESSIONS} takeovers, the slowest ${worst.toFixed(1)} s after its lease had ended`)
    expect(claims).toBeGreaterThan(SESSIONS)
    if (SESSIONS > 50) expect(worst).toBeLessThanOrEqual(TAKEOVER_SECONDS)
  }, SESSIONS > 50 ? 1_800_000 : 300_000)
})

/** What must not be: a journal that was not gone on with from the one before, an end that is not the last word, a missing iteration. */
function faultsOf(pushes: readonly Pushed[]): string[] {
  const rewritten = pushes.flatMap(({ journal, commit }, at) => (at === 0 || journal.startsWith(pushes[at - 1]?.journal ?? '') ? [] : [`${commit} is no continuation`]))
  const early = pushes.slice(0, -1).filter(({ journal }) => endsIn(journal) > 0).map(({ commit }) => `${commit} had ended before the last push`)
  const last = pushes.at(-1)?.journal ?? ''
  const finished = events(last).filter((event) => event.type === 'observed').length
  return [
    ...rewritten,
    ...early,
    ...(endsIn(last) === 1 ? [] : [`${endsIn(last)} ends`]),
    ...(finished === ITERATIONS ? [] : [`${finished} iterations of ${ITERATIONS}`]),
  ]
}

function events(journal: string): JournalRecord['events'] {
  return journal.split('\n').filter((line) => line !== '').flatMap((line) => (JSON.parse(line) as JournalRecord).events)
}

function endsIn(journal: string): number {
  return events(journal).filter((event) => event.type === 'decided' && event.decision.finish).length
}

function takeoverAfter(workers: readonly FleetWorker[], id: string, at: number, by: string): number[] {
  const others = workers.filter(({ name }) => name !== by).flatMap(({ lines }) => lines)
  const taken = others.find((line) => line.at > at && line.text.startsWith(`${id}: `) && /: (begun|taken over)/.test(line.text))
  return taken ? [Math.max(0, (taken.at - at) / 1000 - LEASE_SECONDS)] : []
}

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, seconds * 1000))

type Trouble = (rig: Rig, workers: FleetWorker[], lost: { id: string; at: number; by: string }[]) => Promise<void>

/** One of each: kill -9, a freeze past the lease, a cut wire to the queue, a cut wire to the remote. */
const shortTrouble: Trouble = async (rig, workers, lost) => {
  const [killed, frozen, cutOff] = workers as [FleetWorker, FleetWorker, FleetWorker]
  await rig.until('every worker runs something', () => workers.every((worker) => worker.holds().length > 0))
  lost.push(...killed.holds().map((id) => ({ id, at: Date.now(), by: killed.name })))
  killed.signal('SIGKILL')
  lost.push(...frozen.holds().map((id) => ({ id, at: Date.now(), by: frozen.name })))
  frozen.signal('SIGSTOP')
  cutOff.remote.cut()
  await sleep(LEASE_SECONDS)
  cutOff.remote.mend()
  const another = await rig.worker('w4', ['--concurrency', '2', '--takeovers', '20'])
  workers.push(another)
  await rig.until('somebody took over', () => lost.some(({ id }) => [...cutOff.holds(), ...another.holds()].includes(id)))
  frozen.signal('SIGCONT')
  await rig.until('the frozen one knows', () => lost.filter(({ by }) => by === frozen.name).length === 0 || frozen.lines.some(({ text }) => /no longer ours/.test(text)))
  another.redis.cut()
  await sleep(LEASE_SECONDS + 1)
  another.redis.mend()
}

/** At random, until most have ended; a worker that was killed is replaced. */
const longTrouble: Trouble = async (rig, workers, lost) => {
  const alive = [...workers]
  for (let round = 1; (await done(rig)) < SESSIONS * 0.9; round += 1) {
    await sleep(1 + Math.random() * 4)
    const at = Math.floor(Math.random() * WORKERS)
    const worker = alive[at] as FleetWorker
    const kind = ['kill', 'freeze', 'queue', 'remote'][Math.floor(Math.random() * 4)]
    if (kind === 'kill') {
      lost.push(...worker.holds().map((id) => ({ id, at: Date.now(), by: worker.name })))
      worker.signal('SIGKILL')
      alive[at] = await rig.worker(`r${round}`, ['--concurrency', '2', '--takeovers', '20'])
      workers.push(alive[at])
    } else if (kind === 'freeze') {
      worker.signal('SIGSTOP')
      await sleep(LEASE_SECONDS + Math.random() * 6)
      worker.signal('SIGCONT')
    } else {
      const wire = kind === 'queue' ? worker.redis : worker.remote
      wire.cut()
      await sleep(Math.random() * (LEASE_SECONDS + 4))
      wire.mend()
    }
  }
}
