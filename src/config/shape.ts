// Whether what users wrote has the shape of a procedure at all: names, kinds, and what each kind of phase needs.
import type { Procedure } from '../core/types.js'

const NAME = /^[a-z][a-z0-9-]{0,39}$/

/** Every way in which this is not the shape of a procedure, which nothing else may look at before. */
export function shapeProblems(procedure: Procedure): string[] {
  return [...phaseProblems(procedure), ...policyShapeProblems(procedure)]
}

function phaseProblems(procedure: Procedure): string[] {
  const problems: string[] = []
  if (!NAME.test(procedure.name)) problems.push(`"${procedure.name}" is no name for a procedure (small letters, digits, hyphens)`)
  const phases = Object.entries(procedure.phases ?? {})
  if (phases.length === 0) problems.push('it has no phases')
  for (const [name, phase] of phases) {
    if (!NAME.test(name) || name in {}) problems.push(`"${name}" is no name for a phase (small letters, digits, hyphens)`)
    if (!['ask', 'check', 'workspace'].includes(phase.kind)) problems.push(`phase "${name}" needs a kind: ask, check or workspace`)
    else if (phase.kind === 'ask' && !phase.role) problems.push(`phase "${name}" asks nobody: it needs a role`)
    else if (phase.kind === 'ask' && (!NAME.test(phase.role) || phase.role in {})) problems.push(`"${phase.role}" is no name for a role`)
    else if (phase.kind === 'ask' && !phase.yields) problems.push(`phase "${name}" must say what it yields`)
    else if (phase.kind === 'ask' && !Array.isArray(phase.prompt)) problems.push(`phase "${name}" needs a prompt`)
    else if (phase.kind === 'check' && !Array.isArray(phase.gates)) problems.push(`phase "${name}" needs a list of gates`)
    else if (phase.kind === 'workspace' && !phase.action) problems.push(`phase "${name}" needs an action`)
    else if (!phase.on) problems.push(`phase "${name}" leads nowhere: it needs "on"`)
    if (phase.opensIteration && phase.kind !== 'ask') problems.push(`phase "${name}" opens an iteration, which only an ask can do`)
  }
  if (!procedure.phases?.[procedure.start]) problems.push(`it starts at "${procedure.start}", which is no phase`)
  return problems
}

function policyShapeProblems({ policies: { ladder, floor } }: Procedure): string[] {
  return [
    ...(ladder && !(Array.isArray(ladder.signals) && Array.isArray(ladder.rungs)) ? ['the ladder needs "signals" and "rungs", two lists'] : []),
    ...(floor && typeof floor.to !== 'string' ? ['the floor needs "to", the phase it leads to'] : []),
  ]
}
