// The real clocks.
import { performance } from 'node:perf_hooks'
import type { Clock } from '../ports.js'

export const systemClock: Clock = { now: () => Date.now(), seconds: () => performance.now() / 1000 }
