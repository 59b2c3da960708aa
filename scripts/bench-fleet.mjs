// `npm run bench:fleet`: how many sessions a fleet runs, how quickly tasks are queued and what the pushes cost; writes docs/scale.md.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { readOptions } from './options.mjs'
import { root } from './results.mjs'

const cli = join(root, 'dist/greenlatch.cjs')
const options = readOptions('bench:fleet', { quick: { says: 'takes small sizes and writes nothing' } })
// With fewer sessions, the beginning and the end of eight workers are most of what is measured.
const SIZES = {
  quick: { sessions: 4, tasks: 100, workerCounts: [1, 2], refCounts: [100] },
  full: { sessions: 120, tasks: 10_000, workerCounts: [1, 2, 4, 8], refCounts: [100, 1000, 10_000] },
}
const { sessions, tasks, workerCounts, refCounts } = options.quick ? SIZES.quick : SIZES.full
const ITERATIONS = 2
const SCRIPT = JSON.stringify({ turns: [1, 2].map((n) => ({ say: 'x', write: { 'b.txt': `${n}\n` } })), after: 'repeat' })

const folder = mkdtempSync(join(tmpdir(), 'greenlatch-bench-fleet-'))
const children = []
try {
  const port = await freePort()
  start('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--dir', folder, '--loglevel', 'warning'], {})
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, maxRetriesPerRequest: null })
  redis.on('error', () => {})
  await redis.ping()
  const bare = makeBare()
  const address = `redis://127.0.0.1:${port}`
  const load = loadavg()[0]
  const queued = await benchQueue(redis, address, bare)
  await redis.flushall()
  const runs = []
  for (const count of workerCounts) runs.push(await benchWorkers(redis, address, bare, count))
  const refs = benchRefs(bare)
  redis.disconnect()
  const text = documentOf({ queued, runs, refs, load })
  if (options.quick) console.log(text)
  else writeFileSync(join(root, 'docs/scale.md'), text)
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function start(program, args, env) {
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  children.push(child)
  return child
}

function makeBare() {
  const work = join(folder, 'work')
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '-q', '-b', 'main', work)
  writeFileSync(join(work, 'script.json'), SCRIPT)
  git('-C', work, 'add', '-A')
  git('-C', work, 'commit', '-qm', 'start')
  git('clone', '-q', '--bare', work, join(folder, 'bare.git'))
  return join(folder, 'bare.git')
}

function submit(address, bare, count) {
  const file = join(folder, 'tasks.txt')
  writeFileSync(file, Array.from({ length: count }, (_, at) => `task ${at + 1}`).join('\n'))
  const args = ['fleet', 'submit', 'ooda', '--file', file, '--repository', bare, '--agent', 'scripted:script.json', '--max-iterations', String(ITERATIONS), '-q']
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, GREENLATCH_STATE_HOME: join(folder, 'state'), GREENLATCH_REDIS: address } })
  if (status !== 0) throw new Error(stderr)
  return (performance.now() - began) / 1000
}

async function benchQueue(redis, address, bare) {
  const seconds = submit(address, bare, tasks)
  const there = await redis.zcard('greenlatch:sessions:prioritized')
  const megabytes = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))[1]) / 1e6
  console.log(`${there} tasks queued in ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB in Redis`)
  return { there, seconds, megabytes }
}

async function benchWorkers(redis, address, bare, count) {
  await redis.flushall()
  const workers = Array.from({ length: count }, (_, at) => start(process.execPath, [cli, 'fleet', 'worker', '--name', `b${count}-${at}`], { GREENLATCH_STATE_HOME: join(folder, `state-${count}-${at}`), GREENLATCH_REDIS: address }))
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.stderr.once('data', resolve))))
  // The first session of a worker clones the repository; only the others are counted.
  submit(address, bare, count * 2)
  await until(async () => (await redis.zcard('greenlatch:sessions:completed')) === count * 2)
  submit(address, bare, sessions)
  const [began, first, busy] = [performance.now(), await redis.zcard('greenlatch:sessions:completed'), await cpu(redis)]
  await until(async () => (await redis.zcard('greenlatch:sessions:completed')) === count * 2 + sessions)
  const seconds = (performance.now() - began) / 1000
  const spent = (await cpu(redis)) - busy
  const ids = (await redis.zrange('greenlatch:sessions:completed', first, -1)).slice(-sessions)
  const pushes = (await Promise.all(ids.map((id) => redis.hget(`greenlatch:sessions:${id}`, 'returnvalue')))).map((text) => JSON.parse(text).pushes)
  for (const worker of workers) worker.kill('SIGTERM')
  await Promise.all(workers.map((worker) => worker.exitCode === null && new Promise((resolve) => worker.once('exit', resolve))))
  const sum = (key) => pushes.reduce((total, one) => total + one[key], 0)
  const run = { count, perMinute: (sessions - first + count * 2) / seconds * 60, push: sum('seconds') / sum('count'), redisMilliseconds: (spent / sessions) * 1000, redisShare: spent / seconds }
  console.log(`${count} workers: ${run.perMinute.toFixed(0)} sessions a minute, ${(run.push * 1000).toFixed(0)} ms a push, Redis ${run.redisMilliseconds.toFixed(1)} ms a session`)
  return run
}

async function cpu(redis) {
  const info = await redis.info('cpu')
  return Number(/used_cpu_user:([\d.]+)/.exec(info)[1]) + Number(/used_cpu_sys:([\d.]+)/.exec(info)[1])
}

/** What a push costs by itself when the remote has so many refs: they are told each time. */
function benchRefs(bare) {
  const git = (args, input) => execFileSync('git', ['--git-dir', bare, ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] }).trim()
  const head = git(['rev-parse', 'main'])
  let made = 0
  return refCounts.map((refs) => {
    git(['update-ref', '--stdin'], Array.from({ length: refs - made }, (_, at) => `create refs/greenlatch/fleet/bench-${made + at} ${head}\n`).join(''))
    made = refs
    git(['pack-refs', '--all'])
    const times = [1, 2, 3].map((n) => {
      const began = performance.now()
      execFileSync('git', ['push', '-q', bare, `${head}:refs/greenlatch/fleet/timed-${refs}-${n}`], { cwd: join(folder, 'work'), stdio: 'pipe' })
      return performance.now() - began
    })
    return { refs, milliseconds: times.toSorted((a, b) => a - b)[1] }
  })
}

async function until(holds) {
  for (const end = Date.now() + 900_000; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (Date.now() > end) throw new Error('not done within 15 minutes')
  }
}

function freePort() {
  const server = createServer()
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  }))
}

function documentOf({ queued, runs, refs, load }) {
  const at = (count) => runs.find((run) => run.count === count)
  const best = Math.max(...runs.map(({ perMinute }) => perMinute))
  const perDay = 100_000
  const perSecond = perDay / 86_400
  const push = at(2).push
  const redisSeconds = (at(2).redisMilliseconds / 1000) * perSecond
  const worse = (one) => (one.perMinute / at(2).perMinute).toFixed(2)
  return `# Scale

Written by \`npm run bench:fleet\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, load ${load.toFixed(1)} from elsewhere when it began; Redis with every command synced to disk, the remote a bare repository on the same disk. Sessions have ${ITERATIONS} iterations by an agent that only writes a file, so what is measured is Greenlatch, git and the queue, not a model.

| workers (one session each) | sessions a minute | against 2 workers | push, each | Redis, CPU for each session | Redis, share of a core |
|---|---|---|---|---|---|
${runs.map((run) => `| ${run.count} | ${run.perMinute.toFixed(0)} | ${worse(run)} | ${(run.push * 1000).toFixed(0)} ms | ${run.redisMilliseconds.toFixed(1)} ms | ${(run.redisShare * 100).toFixed(1)} % |`).join('\n')}

A session is pushed when it is claimed, after every iteration and at its end: ${ITERATIONS + 2} times here. ${queued.there.toLocaleString('en')} tasks were submitted in ${queued.seconds.toFixed(1)} s by one \`fleet submit\`, and took ${queued.megabytes.toFixed(0)} MB of Redis's memory.

| refs on the remote | one push by plain git |
|---|---|
${refs.map(({ refs: count, milliseconds }) => `| ${count.toLocaleString('en')} | ${milliseconds.toFixed(0)} ms |`).join('\n')}

## 100,000 sessions a day

That is ${perSecond.toFixed(2)} sessions a second. From the figures above:

- **Redis**: ${(redisSeconds * 100).toFixed(1)} % of one core, and about ${((queued.megabytes / queued.there) * perDay).toFixed(0)} MB for a day's tasks. It saturates last. Results are kept 30 days or 200,000 of them.
- **Workers' own work**: this machine runs ${best.toFixed(0)} such sessions a minute, so ${(perDay / (best * 60 * 24)).toFixed(1)} machines of its size carry the loop itself. Agents and gates come on top, and decide: a session that takes 10 minutes of a model needs ${Math.ceil(perSecond * 600).toLocaleString('en')} at a time, for example ${Math.ceil((perSecond * 600) / 16)} machines with \`--concurrency 16\`.
- **The remote saturates first**. With 5 iterations a session there are ${(perSecond * 7).toFixed(1)} pushes a second of about ${(push * 1000).toFixed(0)} ms here, so ${(perSecond * 7 * push).toFixed(1)} at a time; and every push is told all refs, which at ${refs.at(-1).refs.toLocaleString('en')} of them makes it ${(refs.at(-1).milliseconds / refs[0].milliseconds).toFixed(1)} times as long as at ${refs[0].refs}.

What to change then, in this order: a state repository for each batch or each day (\`--remote\`), so that no remote has more than some thousand refs; several of them on different disks; \`git pack-refs\` and \`git gc\` there at night; refs of sessions whose results were taken are deleted. Then the models' limits are what is left, and \`--rate\` and \`--batch-cost\` hold them for all workers.
`
}
