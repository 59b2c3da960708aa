// Procedures as data: putting one together from what it extends, and proving before a run that it is sound.
import type { CheckPhase, Outcome, Phase, Policies, Procedure, Target, Verdict } from './types.js'

export const OUTCOMES: readonly Outcome[] = ['converged', 'completed', 'stalled', 'exhausted', 'refused', 'failed', 'cancelled']
const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'error', 'cancelled']
const NAME = /^[a-z][a-z0-9-]{0,39}$/

/** What a user writes: any part of a procedure, over one it extends. `null` removes what was inherited. */
export type ProcedureEntry = { extends?: string } & Record<string, unknown>

export type Resolved = { procedure: Procedure; problems: string[] }

// — resolving —
/** Merges the chain of `extends` and checks the result. Problems are sentences for people; none means sound. */
export function resolveProcedure(name: string, entries: Readonly<Record<string, ProcedureEntry>>): Resolved {
  const chain: ProcedureEntry[] = []
  const passed = new Set<string>()
  for (let at: string | undefined = name; at !== undefined; ) {
    if (passed.has(at)) return unsound(name, `"${name}" extends itself by way of "${at}"`)
    passed.add(at)
    const entry: ProcedureEntry | undefined = entries[at]
    if (!entry) return unsound(name, `there is no procedure "${at}"`)
    chain.unshift(entry)
    at = entry.extends
  }
  const { extends: _, ...merged } = chain.reduce<Record<string, unknown>>(
    (below, entry) => mergeMaps(below, entry),
    { summary: '', policies: {}, budget: {}, final: 'last', stances: {} },
  )
  const procedure = { ...merged, name } as Procedure
  return { procedure, problems: problemsOf(procedure) }
}

function unsound(name: string, problem: string): Resolved {
  const nothing: Procedure = { name, summary: '', start: '', phases: {}, policies: {}, budget: {}, final: 'last', stances: {} }
  return { procedure: nothing, problems: [problem] }
}

/** Maps merge by key, lists and scalars replace, null removes. */
function mergeMaps(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    if (value === null) delete merged[key]
    else if (isMap(value)) merged[key] = mergeMaps(isMap(merged[key]) ? merged[key] : {}, value)
    else if (value !== undefined) merged[key] = value
  }
  return merged
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

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

// — routes —
export function isOutcome(target: Target): boolean {
  return target.startsWith('@')
}

/** Where a verdict leads when the phase does not say. */
export function routeOf(phase: Phase, verdict: Verdict): Target {
  const listed = phase.on[verdict]
  if (listed !== undefined) return listed
  switch (verdict) {
    case 'pass':
      return '@completed'
    case 'cancelled':
      return '@cancelled'
    case 'fail':
      return '@failed'
    case 'error':
      return phase.kind === 'check' ? '@refused' : '@failed'
  }
}

export function judges(phase: Phase): boolean {
  return phase.judges ?? (phase.kind === 'check' && !phase.baseline)
}

export function isSealed(phase: Phase | undefined): phase is CheckPhase {
  return phase?.kind === 'check' && phase.sealed === true
}

function targetsOf(phase: Phase, policies: Policies): Target[] {
  const targets = VERDICTS.map((verdict) => routeOf(phase, verdict))
  if (phase.kind === 'ask' && phase.words) targets.push(...Object.values(phase.words))
  if (judges(phase)) targets.push(...policyTargets(policies))
  return targets
}

function policyTargets(policies: Policies): Target[] {
  const rungs = policies.ladder?.rungs ?? []
  const targets = rungs.flatMap((rung) => (rung.to === undefined ? [] : [rung.to]))
  return policies.floor ? [...targets, policies.floor.to] : targets
}

// — soundness —
/** Every reason why this procedure may not run, in the order a reader would look for them. */
export function problemsOf(procedure: Procedure): string[] {
  const shape = shapeProblems(procedure)
  if (shape.length > 0) return shape
  return [
    ...danglingProblems(procedure),
    ...unreachableProblems(procedure),
    ...cycleProblems(procedure),
    ...policyProblems(procedure),
    ...proofProblems(procedure),
  ]
}

function shapeProblems(procedure: Procedure): string[] {
  const problems: string[] = []
  if (!NAME.test(procedure.name)) problems.push(`"${procedure.name}" is no name for a procedure (small letters, digits, hyphens)`)
  const phases = Object.entries(procedure.phases ?? {})
  if (phases.length === 0) problems.push('it has no phases')
  for (const [name, phase] of phases) {
    if (!NAME.test(name)) problems.push(`"${name}" is no name for a phase (small letters, digits, hyphens)`)
    if (!['ask', 'check', 'workspace'].includes(phase.kind)) problems.push(`phase "${name}" needs a kind: ask, check or workspace`)
    else if (phase.kind === 'ask' && !phase.role) problems.push(`phase "${name}" asks nobody: it needs a role`)
    else if (phase.kind === 'ask' && !phase.yields) problems.push(`phase "${name}" must say what it yields`)
    else if (phase.kind === 'check' && !Array.isArray(phase.gates)) problems.push(`phase "${name}" needs a list of gates`)
    else if (phase.kind === 'workspace' && !phase.action) problems.push(`phase "${name}" needs an action`)
    else if (!phase.on) problems.push(`phase "${name}" leads nowhere: it needs "on"`)
    if (phase.opensIteration && phase.kind !== 'ask') problems.push(`phase "${name}" opens an iteration, which only an ask can do`)
  }
  if (!procedure.phases?.[procedure.start]) problems.push(`it starts at "${procedure.start}", which is no phase`)
  return problems
}

function danglingProblems({ phases, policies }: Procedure): string[] {
  const known = (target: Target): boolean =>
    isOutcome(target) ? OUTCOMES.includes(target.slice(1) as Outcome) : phases[target] !== undefined
  const problems: string[] = []
  for (const [name, phase] of Object.entries(phases)) {
    const own = [...Object.values(phase.on), ...(phase.kind === 'ask' ? Object.values(phase.words ?? {}) : [])]
    for (const target of own) if (!known(target)) problems.push(`phase "${name}" leads to "${target}", which is neither a phase nor an outcome`)
  }
  for (const target of policyTargets(policies)) {
    if (!known(target)) problems.push(`a policy leads to "${target}", which is neither a phase nor an outcome`)
    if (target === '@converged') problems.push('a policy leads to @converged, which only a sealed check can do')
  }
  return problems
}

function unreachableProblems({ phases, policies, start }: Procedure): string[] {
  const reached = new Set<string>()
  const waiting = [start]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const phase = phases[name]
    if (!phase || reached.has(name)) continue
    reached.add(name)
    waiting.push(...targetsOf(phase, policies))
  }
  return Object.keys(phases)
    .filter((name) => !reached.has(name))
    .map((name) => `phase "${name}" is never reached`)
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
    for (const target of targetsOf(phase, policies)) {
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

/** The most effects one iteration can ask for, retries aside. Needs a procedure without problems. */
export function effectsPerIteration({ phases, policies }: Procedure): number {
  const known = new Map<string, number>()
  const longest = (name: string): number => {
    const phase = phases[name]
    if (!phase || phase.opensIteration) return 0
    const before = known.get(name)
    if (before !== undefined) return before
    const length = 1 + Math.max(0, ...targetsOf(phase, policies).map(longest))
    known.set(name, length)
    return length
  }
  const after = (phase: Phase): number => 1 + Math.max(0, ...targetsOf(phase, policies).map(longest))
  return Math.max(0, ...Object.values(phases).filter((phase) => phase.opensIteration).map(after))
}

function policyProblems({ policies, budget, stances }: Procedure): string[] {
  const problems: string[] = []
  const atLeastOne = (what: string, value: number | undefined): void => {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1)) problems.push(`${what} must be a whole number of at least 1`)
  }
  atLeastOne('setbacks.limit', policies.setbacks?.limit)
  atLeastOne('infrastructure.limit', policies.infrastructure?.limit)
  atLeastOne('breaches.limit', policies.breaches?.limit)
  atLeastOne('ratchet.patience', policies.ratchet?.patience)
  atLeastOne('floor.iterations', policies.floor?.iterations)
  for (const rung of policies.ladder?.rungs ?? []) {
    atLeastOne('a rung\'s "at"', rung.at)
    atLeastOne('a rung\'s "times"', rung.times)
    if (rung.stance !== undefined && stances[rung.stance] === undefined) problems.push(`a rung takes the stance "${rung.stance}", which has no text`)
  }
  const most = budget.iterations ?? 0
  if (policies.floor && most > 0 && policies.floor.iterations > most) {
    problems.push(`the floor of ${policies.floor.iterations} iterations is above the maximum of ${most}`)
  }
  return problems
}

/** I9: `@converged` may follow only the seal, or a branch or commit that follows it. */
function proofProblems({ phases }: Procedure): string[] {
  const keepsProof = (phase: Phase): boolean => phase.kind === 'workspace' && (phase.action === 'commit' || phase.action === 'branch')
  const provenAt = (name: string, passed: readonly string[]): boolean => {
    const before = Object.entries(phases).filter(([, phase]) => Object.values(phase.on).includes(name))
    return before.length > 0 && before.every(([from, phase]) => provesTowards(from, phase, name, passed))
  }
  const provesTowards = (from: string, phase: Phase, target: Target, passed: readonly string[]): boolean => {
    if (VERDICTS.some((verdict) => verdict !== 'pass' && phase.on[verdict] === target)) return false
    if (isSealed(phase)) return true
    return keepsProof(phase) && !passed.includes(from) && provenAt(from, [...passed, from])
  }
  return Object.entries(phases)
    .filter(([, phase]) => [...Object.values(phase.on), ...(phase.kind === 'ask' ? Object.values(phase.words ?? {}) : [])].includes('@converged'))
    .filter(([name, phase]) => !provesTowards(name, phase, '@converged', []))
    .map(([name]) => `phase "${name}" leads to @converged without a sealed check before it`)
}
