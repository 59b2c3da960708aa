// Procedures as data: where each phase leads.
import type { CheckPhase, Outcome, Phase, Procedure, Target, Verdict } from './types.js'

export const OUTCOMES = ['converged', 'completed', 'stalled', 'exhausted', 'refused', 'failed', 'cancelled'] as const satisfies readonly Outcome[]
export const VERDICTS = ['pass', 'fail', 'error', 'cancelled'] as const satisfies readonly Verdict[]

export function isOutcome(target: Target): boolean {
  return target.startsWith('@')
}

/** Where a verdict leads when the phase does not say. */
export function routeOf(phase: Phase, verdict: Verdict): Target {
  const error = phase.kind === 'check' ? '@refused' : '@failed'
  return phase.on[verdict] ?? { pass: '@completed', fail: '@failed', error, cancelled: '@cancelled' }[verdict]
}

export function judges(phase: Phase): boolean {
  return phase.judges ?? (phase.kind === 'check' && !phase.baseline)
}

export function isSealed(phase: Phase | undefined): phase is CheckPhase {
  return phase?.kind === 'check' && phase.sealed === true
}

/** What the floor holds back: the way into the seal, or into a good end where there is no seal. */
export function isGoodEnd(phases: Procedure['phases'], target: Target): boolean {
  return target === '@converged' || target === '@completed' || isSealed(phases[target])
}
