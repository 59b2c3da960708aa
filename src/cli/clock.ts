// The real clocks.
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../ports.js'

export const systemClock: Clock = {
  now: () => Date.now(),
  seconds: () => performance.now() / 1000,
  sleep: (seconds, signal) => setTimeout(seconds * 1000, undefined, { signal }).catch(() => {}),
}
