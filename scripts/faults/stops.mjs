// Stops sessions whose agent has made daemons, in every way there is, and looks for what is left running.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inLanes } from './lanes.mjs'
import { randomFrom } from './random.mjs'
import { greenlatch, makeWorld, startGreenlatch, stillRunning } from './world.mjs'

const WAYS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT twice', 'stop --now', 'SIGKILL, then resume', 'closed output']
const DAEMON = `setsid sh -c 'trap "" TERM HUP INT; while :; do sleep 1; done' </dev/null >/dev/null 2>&1 &`
const AGENT = `#!/bin/sh\ncat >/dev/null\n${DAEMON}\n( ${DAEMON} )\necho begun >>"$FAULTS_LOG"\nsleep 1000\n`
const CODES = { SIGINT: [130], SIGTERM: [143], SIGHUP: [129], 'SIGINT twice': [130, null], 'stop --now': [130], 'SIGKILL, then resume': [null], 'closed output': [143] }

export async function stopSessions(count, seed) {
  const random = randomFrom(seed)
  const trials = Array.from({ length: count }, (_, at) => ({ way: WAYS[at % WAYS.length], wait: random.below(400) }))
  const results = await inLanes(trials, stopOne, () => {})
  return WAYS.map((way) => {
    const own = results.filter((result) => result.way === way)
    return { way, stops: own.length, orphans: own.reduce((sum, { left }) => sum + left, 0), faults: own.flatMap(({ faults }) => faults) }
  })
}

async function stopOne({ way, wait }) {
  const world = makeWorld()
  try {
    const agent = join(world.folder, 'agent')
    writeFileSync(agent, AGENT, { mode: 0o755 })
    const running = startGreenlatch(world, ['run', 'ooda', '--max-iterations', '1', '--pass-env', 'FAULTS_*', '--ai-cmd', agent])
    await running.until(() => world.logged().includes('begun'))
    await sleep(wait)
    const { code, stderr } = await stopBy(way, world, running)
    if (way.startsWith('SIGKILL')) await greenlatch(world, ['stop', '--cancel'])
    for (let tries = 0; tries < 60 && stillRunning(world).length > 0; tries += 1) await sleep(50)
    const left = stillRunning(world).length
    const faults = [...(CODES[way].includes(code) ? [] : [`${way}: exit ${code}`]), ...(/^ {4}at /m.test(stderr) ? [`${way}: a stack trace`] : [])]
    return { way, left, faults }
  } finally {
    for (const pid of stillRunning(world)) process.kill(Number(pid), 'SIGKILL')
    world.remove()
  }
}

async function stopBy(way, world, running) {
  if (way === 'stop --now') await greenlatch(world, ['stop', '--now'])
  else if (way === 'closed output') {
    running.child.stdout.destroy()
    running.child.stderr.destroy()
    running.child.kill('SIGTERM')
  } else running.child.kill(way.split(/[, ]/)[0])
  if (way === 'SIGINT twice') {
    await sleep(50)
    running.child.kill('SIGINT')
  }
  return running.ended
}
