// What one durable iteration costs over the bare process, and where that goes.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { count, goal, largest, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured, perIteration } from '../measure.mjs'
import { bareLoop, environment, MOST_ADDED_MILLISECONDS, oodaCommand, PROMPT } from '../ours.mjs'

export const title = 'One durable iteration'

export async function measure({ quick, place, tell }) {
  const iterations = quick ? 30 : 200
  const cwd = join(place, 'work')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'prompt.txt'), PROMPT)
  const settings = { cwd, env: environment(place) }
  const memory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/greenlatch-bench-') : join(place, 'memory')
  const ooda = (state) => (many) => oodaCommand({ iterations: many, agent: '/bin/true', state })
  const each = (commandFor) => perIteration(iterations, (many) => measured(commandFor(many), settings))
  const shell = async (step) => {
    const { cpu, wall, megabytes: peak } = await measured(['sh', '-c', `i=0; while [ $i -lt ${iterations} ]; do ${step}; i=$((i+1)); done`], settings)
    return { cpu: cpu / iterations, wall: wall / iterations, megabytes: peak }
  }
  try {
    await measured(ooda(join(place, 'state'))(1), settings)
    const rows = await inTurns(quick ? 1 : 7, {
      shell: () => shell('/bin/true <prompt.txt'),
      cat: () => shell('cat prompt.txt | /bin/true'),
      node: () => each((many) => bareLoop(process.execPath, '/bin/true', many)),
      disk: () => each(ooda(join(place, 'state'))),
      memory: () => each(ooda(memory)),
    }, tell)
    const ballast = Math.max(0, rows.disk.megabytes - rows.node.megabytes)
    const { sized } = await inTurns(quick ? 1 : 3, { sized: () => each((many) => bareLoop(process.execPath, '/bin/true', many, ballast)) })
    const [from, to] = quick ? [20, 60] : [1000, 3000]
    const later = await inTurns(quick ? 1 : 2, { node: () => between(from, to, (many) => bareLoop(process.execPath, '/bin/true', many), settings), ours: () => between(from, to, ooda(join(place, 'state')), settings) }, tell)
    return { iterations, rows, sized, later: { from, to, ...later } }
  } finally {
    rmSync(memory, { recursive: true, force: true })
  }
}

/** What one iteration costs when so many have been before it. */
async function between(from, to, commandFor, settings) {
  const [short, long] = [await measured(commandFor(from), settings), await measured(commandFor(to), settings)]
  return { cpu: (long.cpu - short.cpu) / (to - from), wall: (long.wall - short.wall) / (to - from), megabytes: long.megabytes }
}

const NAMES = {
  shell: 'shell loop',
  cat: 'shell loop, prompt through `cat`',
  node: 'Node alone',
  disk: '**`ooda`**',
  memory: '`ooda`, sessions in memory',
}

export function render({ iterations, rows, sized, later }) {
  const { shell, node, disk, memory } = rows
  const line = ([name, { cpu, wall, megabytes: peak }]) => [NAMES[name], ms(cpu), times(cpu / shell.cpu), ms(wall), times(wall / shell.wall), megabytes(peak)]
  const parts = {
    'the process itself': shell.cpu,
    'the fork of a program of Node\'s size': node.cpu - shell.cpu,
    'prompt, journal, engine and reports': memory.cpu - node.cpu,
    'the disk': disk.cpu - memory.cpu,
  }
  const settled = later.ours.cpu - later.node.cpu
  const why = `Node forks, and a fork costs with its size: as large as ours, Node alone takes ${ms(sized.cpu)} instead of ${ms(node.cpu)}; the rest is V8 getting to know the code: from iteration ${count(later.from)} to ${count(later.to)} it is ${ms(settled)} over Node, the sync of the journal included`
  return {
    goals: [
      goal('CPU of a durable iteration over `/bin/true`, started by a shell', disk.cpu - shell.cpu, { most: MOST_ADDED_MILLISECONDS, write: ms, why }),
      goal('CPU of a durable iteration over `/bin/true`, started by Node', disk.cpu - node.cpu, { most: MOST_ADDED_MILLISECONDS, write: ms, why }),
      goal(`the same from iteration ${count(later.from)} to ${count(later.to)}`, settled, { most: MOST_ADDED_MILLISECONDS, write: ms }),
    ],
    body: `${iterations} iterations of \`ooda\` with \`/bin/true\` as the agent, against a shell loop that only starts \`/bin/true\` with the prompt file as its standard input. CPU is user and system time of the whole process tree; what a run of one iteration costs is taken off first. Every iteration is in the journal and on disk before the next begins. "Node alone" only starts the process with the prompt on its standard input and waits for its end.

${table(['each iteration', 'CPU', 'to the shell', 'clock', 'to the shell', 'peak RSS'], Object.entries(rows).map(line))}

With as much memory as ours, Node alone takes ${ms(sized.cpu)} of CPU. From iteration ${count(later.from)} to ${count(later.to)} an iteration of \`ooda\` takes ${ms(later.ours.cpu)}, one of Node alone ${ms(later.node.cpu)}.

${verdict({
  slowest: largest(parts),
  limit: `a process that Node starts, ${ms(node.cpu)} of CPU; no program on Node gets below ([why](decisions/0018-the-floor-of-an-iteration.md))`,
  near: `${times(disk.cpu / node.cpu)} of it, ${ms(disk.cpu - node.cpu)} more`,
})}`,
  }
}
