// Sessions side by side in one repository: how many iterations a second all of them make together.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { availableParallelism } from 'node:os'
import { count, goal, megabytes, ms, percent, table, times, verdict } from '../figures.mjs'
import { usageOf, watchTree } from '../measure.mjs'
import { environment, makeRepository, oodaCommand, writeProgram } from '../ours.mjs'

const GOAL_SHARE = 0.8
const ITERATIONS = 10
/** From this share of all cores on, the processor is what is short. */
const FULL = 0.8

export const title = 'Sessions in parallel'

export async function measure({ quick, place, tell }) {
  const agent = writeProgram(join(place, 'agent'), 'echo x >> work.txt')
  const rows = []
  for (const together of quick ? [1, 2, 6] : [1, 2, 4, 10, 30, 100]) {
    // Long enough at each width for a steady state.
    const sessions = quick ? together : Math.max(together, 20)
    const cwd = makeRepository(join(place, `repository-${together}`), { 'a.txt': 'a\n' })
    const command = oodaCommand({ iterations: ITERATIONS, agent, state: join(place, `state-${together}`), more: ['--parallel', '--ui', 'none'] })
    rows.push({ together, sessions, ...(await sideBySide({ command, sessions, together, cwd, env: environment(place) })) })
    tell(`${together} at a time: ${rows.at(-1).perSecond.toFixed(1)} iterations a second`)
  }
  return { rows, cores: availableParallelism() }
}

async function sideBySide({ command, sessions, together, cwd, env }) {
  const began = performance.now()
  const before = usageOf(process.pid).cpu
  const memory = watchTree(process.pid, 500)
  let left = sessions
  const lane = async () => {
    while (left-- > 0) await finished(command, { cwd, env })
  }
  await Promise.all(Array.from({ length: together }, lane))
  const wall = performance.now() - began
  return { wall, cpu: usageOf(process.pid).cpu - before, perSecond: (sessions * ITERATIONS) / (wall / 1000), megabytes: memory.stop() }
}

function finished([program, ...args], settings) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...settings, stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr.on('data', (chunk) => (text += chunk))
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`a session ended with exit ${code}: ${text.slice(-1000)}`))))
  })
}

export function render({ rows, cores }) {
  const two = rows.find(({ together }) => together === 2)
  const last = rows.at(-1)
  const busy = ({ cpu, wall }) => cpu / wall / cores
  const most = cores * 1000 / (two.cpu / (two.sessions * ITERATIONS))
  const line = ({ together, sessions, wall, cpu, perSecond, megabytes: all }) => [
    count(together), count(sessions), perSecond.toFixed(1), times(perSecond / two.perSecond), ms(cpu / (sessions * ITERATIONS)), percent(busy({ cpu, wall })), megabytes(all / together),
  ]
  return {
    goals: [goal(`throughput of ${last.together} sessions at a time against 2`, last.perSecond / two.perSecond, { least: GOAL_SHARE, write: times, why: `the processor is full at ${percent(busy(two))} of all cores with 2 sessions already, and an iteration takes ${ms(last.cpu / (last.sessions * ITERATIONS))} of CPU instead of ${ms(two.cpu / (two.sessions * ITERATIONS))} while ${last.together} sessions take turns on ${cores} cores` })],
    body: `Sessions of ${ITERATIONS} iterations with checkpoints, all in one repository with one store, on ${cores} cores; the agent takes no time, so that nothing hides what the loop does. Figures hold the start and the end of each session.

${table(['at a time', 'sessions', 'iterations a second', 'to 2 at a time', 'CPU each', 'of all cores', 'memory of a session'], rows.map(line))}

${verdict({
  slowest: `${busy(last) >= FULL ? 'the processor' : 'what is waited for: the disk, and processes to begin'}; ${percent(busy(two))} of all cores is taken by 2 sessions, ${percent(busy(last))} by ${last.together}`,
  limit: `${cores} cores, ${most.toFixed(1)} iterations a second at the CPU of 2 sessions`,
  near: `${percent(last.perSecond / most)} of it with ${last.together} sessions`,
})}`,
  }
}
