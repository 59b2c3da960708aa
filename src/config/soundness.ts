// Proves before a run that a procedure is sound: nothing dangles, nothing is out of reach, and every way round opens an iteration.
import { isGoodEnd, isOutcome, isSealed, judges, OUTCOMES, VERDICTS } from '../core/index.js'
import type { Outcome, Phase, Procedure, Target } from '../core/types.js'
import { policyTargets, targetsOf, wordTargets } from './routes.js'

/** Every reason why this procedure may not run, in the order a reader would look for them. It must have the shape of one. */
export function problemsOf(procedure: Procedure): string[] {
  const dangling = danglingProblems(procedure)
  if (dangling.length > 0) return dangling
  return [
    ...unreachableProblems(procedure),
    ...cycleProblems(procedure),
    ...policyProblems(procedure),
    ...sealProblems(procedure),
    ...baselineProblems(procedure),
    ...proofProblems(procedure),
  ]
}

function danglingProblems({ phases, policies }: Procedure): string[] {
  const known = (target: Target): boolean =>
    isOutcome(target) ? OUTCOMES.includes(target.slice(1) as Outcome) : Object.hasOwn(phases, target)
  const problems: string[] = []
  for (const [name, phase] of Object.entries(phases)) {
    const own = [...Object.values(phase.on), ...wordTargets(phase)]
    for (const target of own) if (!known(target)) problems.push(`phase "${name}" leads to "${target}", which is neither a phase nor an outcome`)
  }
  for (const target of policyTargets(policies)) {
    if (!known(target)) problems.push(`a policy leads to "${target}", which is neither a phase nor an outcome`)
    if (target === '@converged') problems.push('a policy leads to @converged, which only a sealed check can do')
  }
  return problems
}

function unreachableProblems(procedure: Procedure): string[] {
  return unreachedPhases(procedure).map((name) => `phase "${name}" is never reached`)
}

/** Phases that neither a phase nor a policy leads to, from the start on. */
export function unreachedPhases(procedure: Procedure): string[] {
  const reached = reachedFrom(procedure, [procedure.start])
  return Object.keys(procedure.phases).filter((name) => !reached.has(name))
}

function reachedFrom({ phases, policies }: Procedure, from: readonly Target[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [...from]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const phase = phases[name]
    if (!phase || reached.has(name)) continue
    reached.add(name)
    waiting.push(...targetsOf(phase, { phases, policies }))
  }
  return reached
}

/** I5: without the phases that open an iteration the graph, policy edges included, has no cycle. */
function cycleProblems(procedure: Procedure): string[] {
  const cycle = findCycle(procedure)
  return cycle ? [`${cycle.join(' → ')} goes round without opening an iteration, so no budget could end it`] : []
}

function findCycle({ phases, policies }: Procedure): string[] | null {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (name: string): string[] | null => {
    const phase = phases[name]
    if (!phase || phase.opensIteration || done.has(name)) return null
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    path.push(name)
    for (const target of targetsOf(phase, { phases, policies })) {
      const cycle = visit(target)
      if (cycle) return cycle
    }
    path.pop()
    done.add(name)
    return null
  }
  for (const name of Object.keys(phases)) {
    const cycle = visit(name)
    if (cycle) return cycle
  }
  return null
}

function policyProblems({ phases, policies, budget, stances }: Procedure): string[] {
  const problems: string[] = []
  const atLeastOne = (what: string, value: number | null | undefined): void => {
    if (!(Number.isInteger(value) && Number(value) >= 1)) problems.push(`${what} must be a whole number of at least 1`)
  }
  for (const [policy, key] of [['setbacks', 'limit'], ['infrastructure', 'limit'], ['breaches', 'limit'], ['ratchet', 'patience'], ['floor', 'iterations']] as const) {
    const given: Record<string, unknown> | undefined = policies[policy]
    if (given) atLeastOne(`${policy}.${key}`, given[key] as number | null)
  }
  if (policies.setbacks && !Array.isArray(policies.setbacks.counts)) problems.push('setbacks needs "counts", a list of verdicts')
  for (const rung of policies.ladder?.rungs ?? []) {
    atLeastOne('a rung\'s "at"', rung.at)
    if (rung.times !== undefined) atLeastOne('a rung\'s "times"', rung.times)
    if (rung.stance !== undefined && stances[rung.stance] === undefined) problems.push(`a rung takes the stance "${rung.stance}", which has no text`)
  }
  if (policies.ladder?.signals.length === 0) problems.push('the ladder has no signals, so nothing would ever climb it; leave it out with "ladder: null"')
  if (policies.ladder?.rungs.some(({ to }) => to === '@completed')) problems.push('a rung leads to @completed: no progress is not a good end')
  if (policies.floor && isGoodEnd(phases, policies.floor.to)) problems.push('the floor leads to what it should hold back')
  const most = budget.iterations ?? 0
  if (policies.floor && most > 0 && policies.floor.iterations > most) {
    problems.push(`the floor of ${policies.floor.iterations} iterations is above the maximum of ${most}`)
  }
  return problems
}

/** I9: a gate that the deciding check leaves out, or a breach that it does not count, would be called proved. */
function sealProblems({ phases }: Procedure): string[] {
  return Object.entries(phases).flatMap(([name, phase]) => {
    if (!isSealed(phase)) return []
    const partial = phase.gates.includes('@configured') ? [] : [`phase "${name}" is sealed and leaves gates out: its "gates" need "@configured"`]
    return judges(phase) ? partial : [...partial, `phase "${name}" is sealed and does not judge, so breaches would pass`]
  })
}

/** I7: what a candidate broke must never become what was there before it. */
function baselineProblems(procedure: Procedure): string[] {
  const phases = Object.entries(procedure.phases)
  const baselines = phases.flatMap(([name, phase]) => (phase.kind === 'check' && phase.baseline ? [name] : []))
  return phases.flatMap(([from, phase]) => {
    const after = changesFiles(phase) ? reachedFrom(procedure, targetsOf(phase, procedure)) : new Set()
    const late = baselines.filter((name) => after.has(name))
    return late.map((name) => `phase "${name}" takes a baseline after "${from}" has changed files, so what that broke would be excused`)
  })
}

function changesFiles(phase: Phase): boolean {
  return phase.kind === 'ask' ? phase.yields === 'candidate' : phase.kind === 'workspace' && phase.action === 'materialise'
}

/** I9: `@converged` may follow only the seal, or a branch or commit that follows it. */
function proofProblems({ phases, policies, start }: Procedure): string[] {
  const keepsProof = (phase: Phase): boolean => phase.kind === 'workspace' && (phase.action === 'commit' || phase.action === 'branch')
  const provenAt = (name: string, passed: readonly string[]): boolean => {
    if (name === start || policyTargets(policies).includes(name)) return false
    const before = Object.entries(phases).filter(([, phase]) => [...Object.values(phase.on), ...wordTargets(phase)].includes(name))
    return before.length > 0 && before.every(([from, phase]) => provesTowards(from, phase, name, passed))
  }
  const provesTowards = (from: string, phase: Phase, target: Target, passed: readonly string[]): boolean => {
    if (VERDICTS.some((verdict) => verdict !== 'pass' && phase.on[verdict] === target)) return false
    if (isSealed(phase)) return true
    return keepsProof(phase) && !passed.includes(from) && provenAt(from, [...passed, from])
  }
  return Object.entries(phases)
    .filter(([, phase]) => [...Object.values(phase.on), ...wordTargets(phase)].includes('@converged'))
    .filter(([name, phase]) => !provesTowards(name, phase, '@converged', []))
    .map(([name]) => `phase "${name}" leads to @converged without a sealed check before it`)
}
