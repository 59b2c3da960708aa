// `npm run bench:loop`: what one durable iteration costs over the bare process, whether it grows, and how fast the CLI starts.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { root } from './results.mjs'

const CLI = join(root, 'dist', 'greenlatch.cjs')
const ITERATIONS = 200
const WINDOW = 100
const GOALS = { overBareMilliseconds: 3, growth: 1.2, start: 1.3 }

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const amounts = options.quick ? { rounds: 3, growth: 1000, starts: 8 } : { rounds: 7, growth: 5000, starts: 20 }
if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')

const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
const work = join(place, 'work')
mkdirSync(work)
const env = { PATH: process.env.PATH, HOME: place }
/** Where sessions are kept: on the disk as always, and in memory to tell the cost of the disk apart. */
const states = { disk: join(place, 'state'), memory: existsSync('/dev/shm') ? mkdtempSync('/dev/shm/greenlatch-bench-') : join(place, 'state') }
try {
  const loop = measureLoop()
  const growth = await measureGrowth()
  const start = measureStart()
  const text = documentOf({ loop, growth, start })
  console.log(text)
  if (!options.quick) writeFileSync(join(root, 'docs', 'performance.md'), text)
} finally {
  for (const folder of [place, states.memory]) rmSync(folder, { recursive: true, force: true })
}

// ───────────────────────────── measuring ─────────────────────────────

/** Wall and CPU milliseconds of a command with all it starts, told by the shell that waits for it. */
function timed(argv) {
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1'
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], { cwd: work, env, encoding: 'utf8' })
  const [wall, user, system] = stderr.trim().split(' ').map((seconds) => Number(seconds) * 1000)
  if (status !== 0 || !(wall > 0)) throw new Error(`cannot measure ${argv.join(' ')}: exit ${status}: ${stderr}`)
  return { wall, cpu: user + system }
}

function oodaCommand(iterations, state = states.disk) {
  const flags = ['--max-iterations', String(iterations), '--ai-cmd', '/bin/true', '--state-dir', state]
  return [process.execPath, CLI, 'run', 'ooda', '--fresh', ...flags]
}

/** The bare loop reads a prompt as long as that of a real iteration. */
function measureLoop() {
  timed(oodaCommand(1))
  writeFileSync(join(work, 'prompt.txt'), 'x'.repeat(1700))
  const bareLoop = `i=0; while [ $i -lt ${ITERATIONS} ]; do /bin/true <prompt.txt; i=$((i+1)); done`
  const rounds = Array.from({ length: amounts.rounds }, (_, round) => {
    const bare = timed(['sh', '-c', bareLoop])
    const disk = onlyIterations(states.disk)
    const memory = onlyIterations(states.memory)
    const perIteration = { bare: bare.cpu / ITERATIONS, disk: disk.cpu, memory: memory.cpu }
    console.error(`round ${round + 1}, CPU per iteration: ${Object.entries(perIteration).map(([name, cpu]) => `${name} ${ms(cpu)}`).join(', ')}`)
    return { cpu: perIteration, wall: { bare: bare.wall / ITERATIONS, disk: disk.wall, memory: memory.wall } }
  })
  const summary = (key, state) => {
    const [bare, ooda] = ['bare', state].map((name) => median(rounds.map((round) => round[key][name])))
    return { bare, ooda, over: ooda - bare, ratio: ooda / bare }
  }
  return { cpu: summary('cpu', 'disk'), wall: summary('wall', 'disk'), cpuInMemory: summary('cpu', 'memory'), wallInMemory: summary('wall', 'memory') }
}

/** What one iteration costs, without the start and the end of the CLI. */
function onlyIterations(state) {
  const all = timed(oodaCommand(ITERATIONS, state))
  const one = timed(oodaCommand(1, state))
  return { cpu: (all.cpu - one.cpu) / (ITERATIONS - 1), wall: (all.wall - one.wall) / (ITERATIONS - 1) }
}

/** One long run, looked at from outside whenever it says that an iteration begins. */
async function measureGrowth() {
  const child = spawn(process.execPath, [...oodaCommand(amounts.growth).slice(1), '--output', 'jsonl', '--ui', 'none'], { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const marks = []
  for await (const line of createInterface({ input: child.stdout })) {
    const iteration = Number(/"type":"asked","effect":\{"id":"[^"]*","phase":"act","iteration":(\d+)/.exec(line)?.[1] ?? 0)
    if (iteration > 0) marks[iteration] = { at: performance.now(), ...usageOf(child.pid) }
  }
  const early = windowFrom(marks, 10)
  const late = windowFrom(marks, amounts.growth - WINDOW)
  return { early, late, cpu: late.cpu / early.cpu, wall: late.wall / early.wall }
}

/** The clock ticks a process and what it has waited for have used, and its memory. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ').map(Number)
  const ticks = fields[11] + fields[12] + fields[13] + fields[14]
  return { cpu: ticks * 10, megabytes: (fields[21] * 4096) / 1e6 }
}

function windowFrom(marks, first) {
  const steps = Array.from({ length: WINDOW }, (_, index) => marks[first + index + 1].at - marks[first + index].at)
  return { first, wall: median(steps), cpu: (marks[first + WINDOW].cpu - marks[first].cpu) / WINDOW, megabytes: marks[first + WINDOW].megabytes }
}

function measureStart() {
  const pairs = Array.from({ length: amounts.starts }, () => ({ cli: timed([process.execPath, CLI, '--version']), node: timed([process.execPath, '-e', '0']) }))
  const summary = (key) => {
    const [cli, node] = ['cli', 'node'].map((who) => median(pairs.map((pair) => pair[who][key])))
    return { cli, node, ratio: cli / node }
  }
  return { cpu: summary('cpu'), wall: summary('wall') }
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

// ───────────────────────────── telling ─────────────────────────────

function ms(milliseconds) {
  return `${milliseconds.toFixed(milliseconds < 20 ? 2 : 0)} ms`
}

function goal(value, most, unit) {
  return `${value <= most ? 'met' : '**missed**'} (at most ${most}${unit})`
}

function documentOf({ loop, growth, start }) {
  const timesOf = (ratio) => `${ratio.toFixed(2)} ×`
  const row = (name, { bare, ooda, over, ratio }) => `| ${name} | ${ms(bare)} | ${ms(ooda)} | ${ms(over)} | ${timesOf(ratio)} |`
  return `# Performance

Made by \`npm run bench:loop\`; do not edit. Absolute figures are those of one machine, ratios come from the same run. Medians of ${amounts.rounds} rounds.

## One durable iteration

${ITERATIONS} iterations of \`ooda\` with \`/bin/true\` as the agent, against a shell loop that only starts \`/bin/true\` with the prompt on its standard input. CPU is user and system time of the whole process tree; what a run of one iteration costs is taken off first. Every iteration is in the journal and on disk before the next begins.

| per iteration | shell loop | ooda | over the shell loop | ratio |
|---|---:|---:|---:|---:|
${row('CPU', loop.cpu)}
${row('wall', loop.wall)}
${row('CPU, sessions kept in memory', loop.cpuInMemory)}
${row('wall, sessions kept in memory', loop.wallInMemory)}

Goal for CPU over the bare process: ${goal(loop.cpu.over, GOALS.overBareMilliseconds, ' ms')}.

## A long session

One run of ${amounts.growth.toLocaleString('en')} iterations; ${WINDOW} iterations from the given one on.

| from iteration | CPU each | wall each | memory |
|---|---:|---:|---:|
| ${growth.early.first} | ${ms(growth.early.cpu)} | ${ms(growth.early.wall)} | ${growth.early.megabytes.toFixed(0)} MB |
| ${growth.late.first.toLocaleString('en')} | ${ms(growth.late.cpu)} | ${ms(growth.late.wall)} | ${growth.late.megabytes.toFixed(0)} MB |
| ratio | ${timesOf(growth.cpu)} | ${timesOf(growth.wall)} | |

Goal for CPU: ${goal(growth.cpu, GOALS.growth, ' ×')}; for wall: ${goal(growth.wall, GOALS.growth, ' ×')}.

## Start

| | \`greenlatch --version\` | \`node -e 0\` | ratio |
|---|---:|---:|---:|
| CPU | ${ms(start.cpu.cli)} | ${ms(start.cpu.node)} | ${timesOf(start.cpu.ratio)} |
| wall | ${ms(start.wall.cli)} | ${ms(start.wall.node)} | ${timesOf(start.wall.ratio)} |

Goal for wall: ${goal(start.wall.ratio, GOALS.start, ' ×')}.
`
}
