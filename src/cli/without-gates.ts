// A procedure opened where no gate is configured.
import { routeOf, type Phase, type Procedure, type Target } from '../core/index.js'

/** Where no gate is configured, a check of the configured ones would only ever pass: whatever led to it leads on from it. */
export function withoutConfiguredGates(procedure: Procedure): Procedure {
  const isEmpty = (phase: Phase | undefined): boolean => phase?.kind === 'check' && !phase.sealed && phase.gates.every((gate) => gate === '@configured')
  const onwards = (target: Target): Target => (isEmpty(procedure.phases[target]) ? onwards(routeOf(procedure.phases[target] as Phase, 'pass')) : target)
  const kept = Object.entries(procedure.phases).filter(([, phase]) => !isEmpty(phase))
  const lead = <T extends object>(targets: T): T => Object.fromEntries(Object.entries(targets).map(([by, target]) => [by, onwards(target)])) as T
  const phases = kept.map(([name, phase]) => [name, { ...phase, on: lead(phase.on), ...(phase.kind === 'ask' && phase.words && { words: lead(phase.words) }) }])
  const { ladder, floor, ...policies } = procedure.policies
  const rungs = ladder?.rungs.map((rung) => (rung.to === undefined ? rung : { ...rung, to: onwards(rung.to) }))
  return {
    ...procedure,
    start: onwards(procedure.start),
    phases: Object.fromEntries(phases),
    policies: { ...policies, ...(floor && { floor: { ...floor, to: onwards(floor.to) } }), ...(ladder && rungs && { ladder: { ...ladder, rungs } }) },
  }
}
