// Whether an iteration costs more the later it comes, and a megabyte more the longer the log.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { count, goal, median, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inChild, usageOf } from '../measure.mjs'
import { bundled, environment, makeRepository, oodaCommand, writeProgram } from '../ours.mjs'
import { SHAPES, writeReport } from '../reports.mjs'

const GOAL_GROWTH = 1.2
const READERS = new URL('readers.mjs', import.meta.url).pathname

export const title = 'Growth'

export async function measure({ quick, place, tell }) {
  const folder = join(place, 'work')
  mkdirSync(folder)
  const state = join(place, 'state')
  const plain = await windowsOf({ cwd: folder, command: oodaCommand({ iterations: quick ? 400 : 10_000, agent: '/bin/true', state }), home: place, at: quick ? [10, 100, 350] : [10, 100, 1000, 5000, 9900], width: quick ? 20 : 90 })
  tell('iterations without checkpoints')
  const agent = writeProgram(join(place, 'agent'), 'echo x >> work.txt')
  const repository = makeRepository(join(place, 'repository'), { 'a.txt': 'a\n' })
  const kept = await windowsOf({ cwd: repository, command: oodaCommand({ iterations: quick ? 60 : 1000, agent, state }), home: place, at: quick ? [10, 40] : [10, 100, 500, 900], width: quick ? 10 : 90 })
  tell('iterations with checkpoints')
  const module = await bundled(['adapters/gates/readers/index', 'text/failures/fingerprint'])
  const logs = []
  for (const size of quick ? [1, 8] : [1, 16, 128, 2048]) {
    const path = join(place, 'log')
    const written = writeReport(path, SHAPES['plain output'], size)
    logs.push({ size: written, ...(await inChild(READERS, 'readOne', { module, path, format: 'lines' })) })
    rmSync(path)
    tell(`a log of ${count(size)} MB`)
  }
  return { plain, kept, logs }
}

/** One long run, looked at from outside whenever it says that an iteration begins. */
async function windowsOf({ cwd, command, home, at, width }) {
  const [program, ...args] = [...command, '--output', 'jsonl', '--ui', 'none']
  const child = spawn(program, args, { cwd, env: environment(home), stdio: ['ignore', 'pipe', 'inherit'] })
  const marks = []
  for await (const line of createInterface({ input: child.stdout })) {
    const iteration = Number(/"type":"asked","effect":\{"id":"[^"]*","phase":"act","iteration":(\d+)/.exec(line)?.[1] ?? 0)
    if (iteration > 0) marks[iteration] = { at: performance.now(), ...usageOf(child.pid) }
  }
  if (marks[at.at(-1) + width] === undefined) throw new Error(`the long run ended after ${marks.length} iterations`)
  return at.map((first) => {
    const steps = Array.from({ length: width }, (_, index) => marks[first + index + 1].at - marks[first + index].at)
    return { first, wall: median(steps), cpu: (marks[first + width].cpu - marks[first].cpu) / width, megabytes: marks[first + width].megabytes }
  })
}

/** The first window also pays for the compiler of V8, and would make any growth look small. */
function settledOf(rows) {
  return rows.length > 2 ? rows[1] : rows[0]
}

function grown(rows) {
  const [early, last] = [settledOf(rows), rows.at(-1)]
  return { early, last, cpu: last.cpu / early.cpu, wall: last.wall / early.wall, megabytes: last.megabytes / early.megabytes }
}

function windowsTable(rows) {
  const { first: settled, cpu: settledCpu, wall: settledWall } = settledOf(rows)
  const head = ['from iteration', 'CPU each', `to iteration ${settled}`, 'clock each', `to iteration ${settled}`, 'memory then']
  return table(head, rows.map(({ first, cpu, wall, megabytes: memory }) => [count(first), ms(cpu), times(cpu / settledCpu), ms(wall), times(wall / settledWall), megabytes(memory)]))
}

function flat(words, rows) {
  return ['cpu', 'wall'].map((key) => {
    const { early, last, [key]: ratio } = grown(rows)
    return goal(`${key === 'cpu' ? 'CPU' : 'clock'} of iteration ${count(last.first)}${words} against ${early.first}`, ratio, { most: GOAL_GROWTH, write: times })
  })
}

export function render({ plain, kept, logs }) {
  const [without, withThem] = [grown(plain), grown(kept)]
  const perMegabyte = ({ size, cpu }) => (cpu / size) * 1000
  const settled = logs.slice(1)
  const logGrowth = perMegabyte(settled.at(-1)) / perMegabyte(settled[0])
  return {
    goals: [
      ...flat('', plain),
      ...flat(' with checkpoints', kept),
      goal(`CPU of a megabyte of a log of ${count(Math.round(logs.at(-1).size))} MB against one of ${count(Math.round(settled[0].size))} MB`, logGrowth, { most: GOAL_GROWTH, write: times }),
    ],
    body: `### Iterations without checkpoints

One run; CPU with that of the processes it waited for, from the given iteration on. The first also pay for the compiler of V8, so growth is held against later ones.

${windowsTable(plain)}

### Iterations with checkpoints

In a repository, a file changed by every one of them.

${windowsTable(kept)}

### The length of a log

Plain output of a gate, read and its failures identified, each in a process of its own.

${table(['log', 'CPU for a megabyte', 'to the shortest', 'all of it, by the clock', 'peak RSS'], logs.map((row) => [`${count(Math.round(row.size))} MB`, ms(perMegabyte(row)), times(perMegabyte(row) / perMegabyte(logs[0])), `${row.wall.toFixed(2)} s`, megabytes(row.megabytes)]))}

Files are above, with checkpoints.

${verdict({
  slowest: `with checkpoints, ${ms(kept.at(-1).wall)} for an iteration by the clock, against ${ms(plain.at(-1).wall)} without`,
  limit: 'a line that does not rise',
  near: `CPU ${times(without.cpu)} without and ${times(withThem.cpu)} with checkpoints, memory ${times(without.megabytes)} and ${times(withThem.megabytes)}, a megabyte of a log ${times(logGrowth)}`,
})}`,
  }
}
