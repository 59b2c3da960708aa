// Lets signals, timers and heartbeats through while a long synchronous piece of work goes on.
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'

export type Breathe = () => Promise<void>

const LONGEST_HOLD_MILLISECONDS = 20

/** Synchronous reading is several times faster for many small files; this keeps it from holding everything else up. */
export function breather(): Breathe {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < LONGEST_HOLD_MILLISECONDS) return
    await setImmediate()
    last = performance.now()
  }
}
