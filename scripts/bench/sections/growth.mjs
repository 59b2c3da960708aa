// Whether an iteration costs more the later it comes, and a megabyte more the longer the log.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { count, goal, median, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inChild, usageOf } from '../measure.mjs'
import { bundled, environment, makeRepository, oodaCommand, writeProgram } from '../ours.mjs'
import { SHAPES, writeReport } from '../reports.mjs'

const GOALS = { growth: 1.2, memory: 1.5 }
/** Here a reader of plain output stops to take in failures, and to look for them. */
const MOST_FAILURES = 500
const READERS = new URL('readers.mjs', import.meta.url).pathname

export const title = 'Growth'

/** Windows are wide enough that neither a collection of garbage nor a moment of the machine is what is compared; the first, which pays for the start, is not compared. */
const RUNS = {
  plain: { iterations: 10_500, windows: [[10, 100], [100, 600], [1000, 1500], [5000, 5500], [9900, 10_400]] },
  kept: { iterations: 1200, windows: [[10, 100], [100, 300], [500, 700], [900, 1100]] },
}
const QUICK_RUNS = {
  plain: { iterations: 400, windows: [[10, 100], [100, 160], [300, 360]] },
  kept: { iterations: 70, windows: [[10, 20], [20, 40], [40, 60]] },
}

export async function measure({ quick, place, tell }) {
  const runs = quick ? QUICK_RUNS : RUNS
  const folder = join(place, 'work')
  mkdirSync(folder)
  const state = join(place, 'state')
  const plain = await windowsOf({ ...runs.plain, cwd: folder, agent: '/bin/true', state })
  tell('iterations without checkpoints')
  const agent = writeProgram(join(place, 'agent'), 'echo x >> work.txt')
  const repository = makeRepository(join(place, 'repository'), { 'a.txt': 'a\n' })
  const kept = await windowsOf({ ...runs.kept, cwd: repository, agent, state })
  tell('iterations with checkpoints')
  return { plain, kept, logs: await logsOf({ sizes: quick ? [1, 8, 32] : [1, 16, 128, 2048], place, tell }) }
}

async function logsOf({ sizes, place, tell }) {
  const module = await bundled(['adapters/gates/readers/index', 'text/failures/fingerprint'])
  const logs = []
  for (const size of sizes) {
    const path = join(place, 'log')
    const written = writeReport(path, SHAPES['plain output'], size)
    const read = await inChild(READERS, 'readOne', { module, path, format: 'lines' })
    if (read.failures >= MOST_FAILURES || !read.last?.includes('-last')) throw new Error(`the log of ${count(size)} MB was not read to its end: ${count(read.failures)} failures, the last of them ${read.last}`)
    logs.push({ size: written, ...read })
    rmSync(path)
    tell(`a log of ${count(size)} MB`)
  }
  return logs
}

/** One long run, looked at from outside whenever it says that an iteration begins. */
async function windowsOf({ iterations, windows, cwd, agent, state }) {
  const [program, ...args] = oodaCommand({ iterations, agent, state, more: ['--output', 'jsonl', '--ui', 'none'] })
  const child = spawn(program, args, { cwd, env: environment(join(state, '..')), stdio: ['ignore', 'pipe', 'inherit'] })
  const marks = []
  for await (const line of createInterface({ input: child.stdout })) {
    const iteration = Number(/"type":"asked","effect":\{"id":"[^"]*","phase":"act","iteration":(\d+)/.exec(line)?.[1] ?? 0)
    if (iteration > 0) marks[iteration] = { at: performance.now(), ...usageOf(child.pid) }
  }
  if (marks[windows.at(-1)[1]] === undefined) throw new Error(`the long run ended after ${marks.length} iterations`)
  return windows.map(([first, last]) => {
    const seen = marks.slice(first, last + 1)
    const steps = seen.slice(1).map((mark, index) => mark.at - seen[index].at)
    return { first, last, wall: median(steps), cpu: (seen.at(-1).cpu - seen[0].cpu) / steps.length, megabytes: median(seen.map((mark) => mark.megabytes)) }
  })
}

/** The first window also pays for the compiler of V8, and would make any growth look small. */
function settledOf(rows) {
  return rows[1]
}

const rangeOf = ({ first, last }) => `${count(first)} to ${count(last)}`

/** The later window that is worst by one measure, and how much more it is than iteration 100. */
function worst(rows, key) {
  const settled = settledOf(rows)
  const row = rows.slice(2).toSorted((a, b) => b[key] - a[key])[0]
  return { row, ratio: row[key] / settled[key] }
}

function windowsTable(rows) {
  const settled = settledOf(rows)
  const to = `to ${rangeOf(settled)}`
  const line = (row) => [rangeOf(row), ms(row.cpu), times(row.cpu / settled.cpu), ms(row.wall), times(row.wall / settled.wall), megabytes(row.megabytes), times(row.megabytes / settled.megabytes)]
  return table(['iterations', 'CPU each', to, 'clock each', to, 'memory', to], rows.map(line))
}

function flat(words, rows) {
  const bounds = { cpu: ['CPU', GOALS.growth], wall: ['clock', GOALS.growth], megabytes: ['memory', GOALS.memory] }
  const from = count(rows[2].first)
  return Object.entries(bounds).map(([key, [name, most]]) => {
    const { row, ratio } = worst(rows, key)
    return goal(`${name} of an iteration${words}, at its worst from ${from} on, against iterations ${rangeOf(settledOf(rows))}`, ratio, { most, write: times, why: `worst in iterations ${rangeOf(row)}` })
  })
}

export function render({ plain, kept, logs }) {
  const perMegabyte = ({ size, cpu }) => (cpu / size) * 1000
  const settled = logs.slice(1)
  const sizeOf = ({ size }) => count(Math.round(size))
  const worstLog = settled.slice(1).toSorted((a, b) => perMegabyte(b) - perMegabyte(a))[0]
  const logGrowth = perMegabyte(worstLog) / perMegabyte(settled[0])
  const near = (rows) => ['cpu', 'wall', 'megabytes'].map((key) => times(worst(rows, key).ratio)).join(', ')
  return {
    goals: [
      ...flat('', plain),
      ...flat(' with checkpoints', kept),
      goal(`CPU of a megabyte of a log, at its worst up to ${sizeOf(logs.at(-1))} MB, against one of ${sizeOf(settled[0])} MB`, logGrowth, { most: GOALS.growth, write: times, why: `worst at ${sizeOf(worstLog)} MB` }),
    ],
    body: `### Iterations without checkpoints

One run; CPU with that of the processes it waited for is the mean of the given iterations, clock and memory are their median. The first also pay for the compiler of V8, so growth is held against iterations ${rangeOf(settledOf(plain))}, and the worst of all later windows is what counts.

${windowsTable(plain)}

### Iterations with checkpoints

In a repository, a file changed by every one of them.

${windowsTable(kept)}

### The length of a log

Plain output of a gate, read to its last line and its failures identified, each in a process of its own. Reading stops to take in failures at ${MOST_FAILURES}, and what comes behind costs next to nothing; so the same few failures come again and again here, and the last line holds one that was not there before and is asked for.

${table(['log', 'failures', 'CPU for a megabyte', 'to the shortest', 'all of it, by the clock', 'peak RSS'], logs.map((row) => [`${sizeOf(row)} MB`, count(row.failures), ms(perMegabyte(row)), times(perMegabyte(row) / perMegabyte(logs[0])), `${row.wall.toFixed(2)} s`, megabytes(row.megabytes)]))}

Files are above, with checkpoints.

${verdict({
  slowest: `with checkpoints, ${ms(kept.at(-1).wall)} for an iteration by the clock, against ${ms(plain.at(-1).wall)} without`,
  limit: 'a line that does not rise',
  near: `CPU, clock and memory at their worst ${near(plain)} without and ${near(kept)} with checkpoints, a megabyte of a log ${times(logGrowth)}`,
})}`,
  }
}
