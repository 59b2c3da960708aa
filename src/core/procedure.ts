// Procedures as data: where each phase leads.
import type { CheckPhase, Outcome, Phase, Policies, Procedure, Target, Verdict } from './types.js'

export const OUTCOMES: readonly Outcome[] = ['converged', 'completed', 'stalled', 'exhausted', 'refused', 'failed', 'cancelled']
export const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'error', 'cancelled']

// — routes —
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

/** Everywhere a phase can lead. Rungs lead away from what judges, the floor from whatever it could hold back. */
export function targetsOf(phase: Phase, { phases, policies: { ladder, floor } }: Pick<Procedure, 'phases' | 'policies'>): Target[] {
  const own = [...VERDICTS.map((verdict) => routeOf(phase, verdict)), ...wordTargets(phase)]
  const held = own.some((target) => isGoodEnd(phases, target))
  return [...own, ...policyTargets({ ...(ladder && judges(phase) && { ladder }), ...(floor && held && { floor }) })]
}

export function wordTargets(phase: Phase): Target[] {
  return phase.kind === 'ask' ? Object.values(phase.words ?? {}) : []
}

export function policyTargets({ ladder, floor }: Policies): Target[] {
  return [...(ladder?.rungs ?? []).flatMap(({ to }) => to ?? []), ...(floor ? [floor.to] : [])]
}
