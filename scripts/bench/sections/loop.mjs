// What one durable iteration costs over the bare process, and where that goes.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goal, largest, megabytes, ms, table, times, verdict } from '../figures.mjs'
import { inTurns, measured, perIteration } from '../measure.mjs'
import { bareLoop, environment, oodaCommand, PROMPT } from '../ours.mjs'

const GOAL_MILLISECONDS = 3

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
    return { iterations, rows }
  } finally {
    rmSync(memory, { recursive: true, force: true })
  }
}

const NAMES = {
  shell: 'shell loop',
  cat: 'shell loop, prompt through `cat`',
  node: 'Node alone',
  disk: '**`ooda`**',
  memory: '`ooda`, sessions in memory',
}

export function render({ iterations, rows }) {
  const { shell, node, disk, memory } = rows
  const line = ([name, { cpu, wall, megabytes: peak }]) => [NAMES[name], ms(cpu), times(cpu / shell.cpu), ms(wall), times(wall / shell.wall), megabytes(peak)]
  const parts = {
    'the process itself': shell.cpu,
    'the fork of a program of Node\'s size': node.cpu - shell.cpu,
    'prompt, journal, engine and reports': memory.cpu - node.cpu,
    'the disk': disk.cpu - memory.cpu,
  }
  return {
    goals: [
      goal('CPU of a durable iteration over its process, started by a shell', disk.cpu - shell.cpu, { most: GOAL_MILLISECONDS, write: ms }),
      goal('CPU of a durable iteration over its process, started by Node', disk.cpu - node.cpu, { most: GOAL_MILLISECONDS, write: ms }),
    ],
    body: `${iterations} iterations of \`ooda\` with \`/bin/true\` as the agent, against a shell loop that only starts \`/bin/true\` with the prompt file as its standard input. CPU is user and system time of the whole process tree; what a run of one iteration costs is taken off first. Every iteration is in the journal and on disk before the next begins. "Node alone" only starts the process with the prompt on its standard input and waits for its end.

${table(['each iteration', 'CPU', 'to the shell', 'clock', 'to the shell', 'peak RSS'], Object.entries(rows).map(line))}

${verdict({
  slowest: largest(parts),
  limit: `a process that Node starts, ${ms(node.cpu)} of CPU; no program on Node gets below ([why](decisions/0018-the-floor-of-an-iteration.md))`,
  near: `${times(disk.cpu / node.cpu)} of it, ${ms(disk.cpu - node.cpu)} more`,
})}`,
  }
}
