// The clock of the machine jumps while a session runs: order and durations stay right. Needs libfaketime.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { faultsOfChain, readLines } from './journal.mjs'
import { greenlatch, journalIn, makeWorld } from './world.mjs'

const PLACES = ['/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/faketime/libfaketime.so.1']
const JUMPS = ['+1d', '-1d', '+10y', '-10y', '+3h', '-1h']
const MOST_SECONDS = 100

export async function jumpClocks(count) {
  const library = PLACES.find((path) => existsSync(path))
  if (!library) return { tried: 0, faults: ['libfaketime is missing: apt-get install faketime'] }
  const faults = []
  for (const jump of JUMPS.slice(0, count)) faults.push(...(await jumped(library, jump)))
  return { tried: Math.min(count, JUMPS.length), faults }
}

/** The first iteration sees the clock as it is, and sets it. */
async function jumped(library, jump) {
  const world = makeWorld()
  try {
    const file = join(world.folder, 'clock')
    writeFileSync(file, '+0\n')
    const agent = join(world.folder, 'agent')
    writeFileSync(agent, `#!/bin/sh\ncat >/dev/null\necho '${jump}' >'${file}'\n`, { mode: 0o755 })
    const env = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1', DONT_FAKE_MONOTONIC: '1' }
    const { code, stderr } = await greenlatch(world, ['run', 'ooda', '--max-iterations', '3', '--ai-cmd', agent], [], () => {}, env)
    const told = await greenlatch(world, ['status', '--json'])
    const status = JSON.parse(told.stdout)
    const seconds = status.spent?.seconds ?? status.spent_seconds ?? 0
    const chain = faultsOfChain(readLines(journalIn(world)[0]))
    return [
      ...(code === 0 ? [] : [`clock ${jump}: exit ${code}: ${stderr.trim().slice(-200)}`]),
      ...(seconds >= 0 && seconds < MOST_SECONDS ? [] : [`clock ${jump}: ${seconds} s were counted`]),
      ...chain.map((text) => `clock ${jump}: ${text}`),
    ]
  } finally {
    world.remove()
  }
}
