// What can go wrong between any two calls of a port, from a seed: the process dies there, or the disk takes no more.
import { EXIT, Refusal } from '../../../src/errors.js'
import type { Random } from '../../../src/simulate/random.js'

/** The process is gone: nothing that it would still have done happens. */
export class Crash extends Error {}

export type Danger = {
  /** Before a call, or after it: here the process may die. */
  point(where: string): void
  /** Before something is written: here it may die, or the disk may be full. */
  write<T>(where: string, effect: () => T): T
  /** A new process, after the last one has ended. */
  revive(): void
  readonly calls: number
  readonly crashes: number
  readonly refusals: number
  /** The places it died at, for the report of a failure. */
  readonly trail: readonly string[]
}

export type Odds = { crash: number; full: number; most: number }

export function dangerFrom(random: Random, { crash, full, most }: Odds): Danger {
  const counts = { calls: 0, crashes: 0, refusals: 0 }
  const trail: string[] = []
  let isDead = false
  const mayHappen = (chance: number): boolean => counts.crashes + counts.refusals < most && random.chance(chance)
  const point = (where: string): void => {
    if (isDead) throw new Crash(`already dead at ${where}`)
    counts.calls += 1
    if (!mayHappen(crash)) return
    counts.crashes += 1
    trail.push(`died at ${where}`)
    isDead = true
    throw new Crash(`died at ${where}`)
  }
  return {
    point,
    write(where, effect) {
      point(`before ${where}`)
      if (mayHappen(full)) {
        counts.refusals += 1
        trail.push(`disk full at ${where}`)
        throw new Refusal(EXIT.state, `no space left to write ${where}: need 1 byte, have 0`, 'greenlatch resume')
      }
      const done = effect()
      point(`after ${where}`)
      return done
    },
    revive: () => void (isDead = false),
    get calls() {
      return counts.calls
    },
    get crashes() {
      return counts.crashes
    },
    get refusals() {
      return counts.refusals
    },
    trail,
  }
}
