// What a killed process of ours left running is found by its environment and ended; everything else is left alone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endStrays } from './tree.js'

/** A shell that says when it is ready and whose id is noted, so that nothing is left of a failing test. */
async function started(script: string, env: Record<string, string>): Promise<number> {
  const options = { detached: true, env: { PATH: process.env['PATH'], ...env } }
  const child = spawn('/bin/sh', ['-c', `${script}; echo ready; exec sleep 1000`], { ...options, stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = child.pid ?? 0
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')))
  await once(child.stdout, 'data')
  return pid
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \([^]*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('endStrays', () => {
  it('ends what carries the variable, also when it is deaf to SIGTERM, and what descends from it without.', async () => {
    const session = `strays-${process.pid}-${performance.now()}`
    const deaf = await started('trap "" TERM', { GREENLATCH_SESSION: session })
    const parent = await started('env -i sleep 1000 & echo $! > /dev/null', { GREENLATCH_SESSION: session })
    expect(await endStrays('GREENLATCH_SESSION', session)).toEqual({ ended: 3, left: 0 })
    expect([deaf, parent].map(isAlive)).toEqual([false, false])
  })

  it('leaves alone what carries another value, a longer one included, and says when there is nothing.', async () => {
    const session = `strays-${process.pid}-${performance.now()}`
    const longer = await started('true', { GREENLATCH_SESSION: `${session}0` })
    const other = await started('true', { OTHER: session })
    expect(await endStrays('GREENLATCH_SESSION', session)).toEqual({ ended: 0, left: 0 })
    expect([longer, other].map(isAlive)).toEqual([true, true])
  })
})
