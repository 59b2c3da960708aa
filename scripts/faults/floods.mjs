// An agent that prints ten gigabytes: how much memory the loop takes to hear it out.
import { readFileSync } from 'node:fs'
import { greenlatch, makeWorld, startGreenlatch } from './world.mjs'

const MOST_BYTES = 200_000_000

export async function flood(gigabytes) {
  const world = makeWorld()
  try {
    const running = startGreenlatch(world, ['run', 'ooda', '--max-iterations', '1', '--ai-cmd', `head -c ${gigabytes}G /dev/zero`])
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, peakOf(running.child.pid))), 20)
    const { code, stderr } = await running.ended
    clearInterval(watch)
    await greenlatch(world, ['status'])
    const faults = [...(code === 0 ? [] : [`exit ${code}: ${stderr.trim().slice(-200)}`]), ...(peak > 0 && peak < MOST_BYTES ? [] : [`${peak} bytes of memory`]), ...(stderr.includes('past its limit') ? [] : ['the limit is not named'])]
    return { gigabytes, peak, faults }
  } finally {
    world.remove()
  }
}

function peakOf(pid) {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
