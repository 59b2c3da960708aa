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
const WINDOWS = 3
const GOALS = { overBareMilliseconds: 3, growth: 1.2, start: 1.3 }

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const amounts = options.quick ? { rounds: 3, growth: 1000, starts: 8 } : { rounds: 7, growth: 5000, starts: 20 }
if (!existsSync(CLI)) throw new Error('dist/greenlatch.cjs is not there: npm run build')

const place = mkdtempSync(join(tmpdir(), 'greenlatch-bench-'))
const work = join(place, 'work')
mkdirSync(work)
const env = { PATH: process.env.PATH, HOME: place, GREENLATCH_SANDBOX: 'none' }
/** Where sessions are kept: on the disk as always, and in memory to tell the cost of the disk apart. */
const states = {
  disk: join(place, 'state'),
  memory: existsSync('/dev/shm') ? mkdtempSync('/dev/shm/greenlatch-bench-') : join(place, 'state'),
}
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

/** What Node itself takes to start a process with a prompt on its standard input and wait for its end: nobody on Node gets below. */
function nodeLoop(times) {
  const script = `
    const { spawn } = require('node:child_process')
    const prompt = require('node:fs').readFileSync('prompt.txt')
    const next = (left) => {
      if (left === 0) return
      const child = spawn('/bin/true', [], { detached: true })
      child.stdin.on('error', () => {})
      child.stdin.end(prompt)
      for (const stream of [child.stdout, child.stderr]) stream.resume()
      child.on('close', () => next(left - 1))
    }
    next(${times})`
  return [process.execPath, '-e', script]
}

/** The bare loops read a prompt as long as that of a real iteration: straight from its file, and through `cat` as shell loops do. */
function measureLoop() {
  timed(oodaCommand(1))
  writeFileSync(join(work, 'prompt.txt'), 'x'.repeat(1700))
  const bareLoop = (step) => ['sh', '-c', `i=0; while [ $i -lt ${ITERATIONS} ]; do ${step}; i=$((i+1)); done`]
  const rounds = Array.from({ length: amounts.rounds }, (_, round) => {
    const costs = {
      bare: perIteration(timed(bareLoop('/bin/true <prompt.txt'))),
      piped: perIteration(timed(bareLoop('cat prompt.txt | /bin/true'))),
      node: onlyIterations(nodeLoop),
      disk: onlyIterations((times) => oodaCommand(times, states.disk)),
      memory: onlyIterations((times) => oodaCommand(times, states.memory)),
    }
    const told = Object.entries(costs).map(([name, { cpu }]) => `${name} ${ms(cpu)}`)
    console.error(`round ${round + 1}, CPU per iteration: ${told.join(', ')}`)
    return costs
  })
  const middle = (name, key) => median(rounds.map((round) => round[name][key]))
  return Object.fromEntries(['cpu', 'wall'].map((key) => {
    const [bare, piped, node, ooda, inMemory] = ['bare', 'piped', 'node', 'disk', 'memory'].map((name) => middle(name, key))
    return [key, { bare, piped, node, ooda, inMemory, over: ooda - bare, overNode: ooda - node, ratio: ooda / bare }]
  }))
}

function perIteration({ cpu, wall }) {
  return { cpu: cpu / ITERATIONS, wall: wall / ITERATIONS }
}

/** What one iteration costs, without the start and the end of the program. */
function onlyIterations(commandFor) {
  const all = timed(commandFor(ITERATIONS))
  const one = timed(commandFor(1))
  return { cpu: (all.cpu - one.cpu) / (ITERATIONS - 1), wall: (all.wall - one.wall) / (ITERATIONS - 1) }
}

/** One long run, looked at from outside whenever it says that an iteration begins. */
async function measureGrowth() {
  const [program, ...args] = [...oodaCommand(amounts.growth), '--output', 'jsonl', '--ui', 'none']
  const child = spawn(program, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const marks = []
  for await (const line of createInterface({ input: child.stdout })) {
    const iteration = Number(/"type":"asked","effect":\{"id":"[^"]*","phase":"act","iteration":(\d+)/.exec(line)?.[1] ?? 0)
    if (iteration > 0) marks[iteration] = { at: performance.now(), ...usageOf(child.pid) }
  }
  const early = windowsFrom(marks, 10)
  const late = windowsFrom(marks, amounts.growth - WINDOWS * WINDOW)
  return { early, late, cpu: late.cpu / early.cpu, wall: late.wall / early.wall }
}

/** The clock ticks a process and what it has waited for have used, and its memory. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ').map(Number)
  const ticks = fields[11] + fields[12] + fields[13] + fields[14]
  return { cpu: ticks * 10, megabytes: (fields[21] * 4096) / 1e6 }
}

/** Medians over several windows side by side, since one alone may fall on a moment when the machine was busy. */
function windowsFrom(marks, first) {
  const steps = Array.from({ length: WINDOWS * WINDOW }, (_, index) => marks[first + index + 1].at - marks[first + index].at)
  const starts = Array.from({ length: WINDOWS }, (_, index) => first + index * WINDOW)
  const cpu = median(starts.map((start) => (marks[start + WINDOW].cpu - marks[start].cpu) / WINDOW))
  return { first, wall: median(steps), cpu, megabytes: marks[first + WINDOWS * WINDOW].megabytes }
}

function measureStart() {
  const pairs = Array.from({ length: amounts.starts }, () => ({
    cli: timed([process.execPath, CLI, '--version']),
    node: timed([process.execPath, '-e', '0']),
  }))
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
  const row = (name, { bare, piped, node, ooda, over, overNode, ratio, inMemory }) =>
    `| ${[name, ms(bare), ms(piped), ms(node), ms(ooda), ms(over), ms(overNode), timesOf(ratio), ms(inMemory)].join(' | ')} |`
  return `# Performance

Made by \`npm run bench:loop\`; do not edit. Absolute figures are those of one machine, ratios come from the same run. Medians of ${amounts.rounds} rounds.

## One durable iteration

${ITERATIONS} iterations of \`ooda\` with \`/bin/true\` as the agent, against a shell loop that only starts \`/bin/true\` with the prompt file as its standard input, and one that pipes the prompt through \`cat\`. CPU is user and system time of the whole process tree; what a run of one iteration costs is taken off first. Every iteration is in the journal and on disk before the next begins.

| per iteration | shell loop | shell loop with \`cat\` | Node alone | ooda | over the shell loop | over Node alone | ratio | ooda, sessions in memory |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
${row('CPU', loop.cpu)}
${row('wall', loop.wall)}

Goal for CPU over the bare shell loop: ${goal(loop.cpu.over, GOALS.overBareMilliseconds, ' ms')}; over a bare process started by Node: ${goal(loop.cpu.overNode, GOALS.overBareMilliseconds, ' ms')}. "Node alone" only starts the process with the prompt on its standard input and waits for its end: \`child_process\` forks, and a fork of a program of Node's size costs what the shell's does not. No program on Node can avoid that part; the rest is ours.

## A long session

One run of ${amounts.growth.toLocaleString('en')} iterations; ${WINDOWS} times ${WINDOW} iterations from the given one on, medians.

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
