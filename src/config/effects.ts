// How long one iteration of a procedure can get.
import type { Phase, Procedure } from '../core/index.js'
import { targetsOf } from './routes.js'

/** The most effects one iteration can ask for, retries aside. Needs a procedure without problems. */
export function effectsPerIteration({ phases, policies }: Procedure): number {
  const known = new Map<string, number>()
  const withAllAfter = (phase: Phase): number => 1 + Math.max(0, ...targetsOf(phase, { phases, policies }).map(longest))
  const longest = (name: string): number => {
    const phase = phases[name]
    if (!phase || phase.opensIteration) return 0
    const before = known.get(name)
    if (before !== undefined) return before
    const length = withAllAfter(phase)
    known.set(name, length)
    return length
  }
  return Math.max(0, ...Object.values(phases).filter((phase) => phase.opensIteration).map(withAllAfter))
}
