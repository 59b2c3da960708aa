// Waits until little else runs on the machine, so that no part of the benchmark pays for what went before it.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOKS = 15
const LOOK_MILLISECONDS = 200
/** A core that is half taken still leaves ratios as they are; a whole one does not. */
const MOST_OTHERS = 0.5
const PATIENCE_SECONDS = 120

/** How many others wanted to run in the last seconds, and whether these were few before patience was at its end. */
export async function waitForCalm({ others = othersNow, patienceSeconds = PATIENCE_SECONDS, lookMilliseconds = LOOK_MILLISECONDS } = {}) {
  const until = performance.now() + patienceSeconds * 1000
  for (;;) {
    const load = await average(others, lookMilliseconds)
    const isCalm = load <= MOST_OTHERS
    if (isCalm || performance.now() >= until) return { load, isCalm }
  }
}

async function average(others, lookMilliseconds) {
  let sum = 0
  for (let look = 0; look < LOOKS; look++) {
    await sleep(lookMilliseconds)
    sum += others()
  }
  return sum / LOOKS
}

/** All that runs or wants to, but for this process, which runs while it looks. */
function othersNow() {
  const [, , , running] = readFileSync('/proc/loadavg', 'latin1').split(' ')
  return Number(running.split('/')[0]) - 1
}
