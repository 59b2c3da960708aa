// A procedure opened where no gate is configured.
import type { GateEntry } from '../config/types.js'
import { routeOf, type Phase, type Policies, type Procedure, type Target } from '../core/index.js'

/** A plan that has to bring tests brings what can be checked: without a gate of the user's, those are run. */
export function gatesFor({ phases }: Procedure, configured: readonly GateEntry[]): GateEntry[] {
  const planned = Object.values(phases).some((phase) => phase.kind === 'ask' && phase.wants === 'tests')
  return configured.length === 0 && planned ? [{ name: 'tests', run: 'the planned tests', planned: true }] : [...configured]
}

type Lead = (target: Target) => Target

/** Where no gate is configured, a check of the configured ones would only ever pass: whatever led to it leads on from it. */
export function withoutConfiguredGates(procedure: Procedure): Procedure {
  const { phases } = procedure
  const onwards: Lead = (target) => {
    const phase = phases[target]
    return phase && isEmpty(phase) ? onwards(routeOf(phase, 'pass')) : target
  }
  const kept = Object.entries(phases).filter(([, phase]) => !isEmpty(phase))
  return {
    ...procedure,
    start: onwards(procedure.start),
    phases: Object.fromEntries(kept.map(([name, phase]) => [name, phaseLeading(phase, onwards)])),
    policies: policiesLeading(procedure.policies, onwards),
  }
}

function isEmpty(phase: Phase): boolean {
  return phase.kind === 'check' && !phase.sealed && phase.gates.every((gate) => gate === '@configured')
}

function phaseLeading(phase: Phase, onwards: Lead): Phase {
  const all = <T extends object>(targets: T): T =>
    Object.fromEntries(Object.entries(targets).map(([by, target]) => [by, onwards(target as Target)])) as T
  const on = all(phase.on)
  return phase.kind === 'ask' && phase.words ? { ...phase, on, words: all(phase.words) } : { ...phase, on }
}

function policiesLeading({ ladder, floor, ...others }: Policies, onwards: Lead): Policies {
  const rungs = ladder?.rungs.map((rung) => (rung.to === undefined ? rung : { ...rung, to: onwards(rung.to) }))
  return {
    ...others,
    ...(floor && { floor: { ...floor, to: onwards(floor.to) } }),
    ...(ladder && rungs && { ladder: { ...ladder, rungs } }),
  }
}
