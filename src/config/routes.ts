// Everywhere that phases and policies of a procedure can lead.
import { isGoodEnd, judges, routeOf, VERDICTS, type Phase, type Policies, type Procedure, type Target } from '../core/index.js'

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
