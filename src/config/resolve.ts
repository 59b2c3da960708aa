// Puts a procedure together from what it extends, as users write them: maps merge, lists and scalars replace, null removes.
import type { Procedure } from '../core/index.js'
import { shapeProblems } from './shape.js'
import { problemsOf, unreachedPhases } from './soundness.js'

/** What a user writes: any part of a procedure, over one it extends. `null` removes what was inherited. */
export type ProcedureEntry = { extends?: string } & Record<string, unknown>

/** A procedure, whole, and what is wrong with it. */
export type Resolved = { procedure: Procedure; problems: string[] }

/** Merges the chain of `extends` and checks the result. Problems are sentences for people; none means sound. */
export function resolveProcedure(name: string, entries: Readonly<Record<string, ProcedureEntry>>): Resolved {
  const chain: ProcedureEntry[] = []
  const passed = new Set<string>()
  for (let at: string | undefined = name; at !== undefined; ) {
    if (passed.has(at)) return unsound(name, `"${name}" extends itself by way of "${at}"`)
    passed.add(at)
    const entry: ProcedureEntry | undefined = Object.hasOwn(entries, at) ? entries[at] : undefined
    if (!entry) return unsound(name, `there is no procedure "${at}"`)
    chain.unshift(entry)
    at = entry.extends
  }
  const { extends: _, ...merged } = chain.reduce<Record<string, unknown>>(
    (below, entry) => mergeMaps(below, entry),
    { summary: '', policies: {}, budget: {}, final: 'last', stances: {} },
  )
  const written = { ...merged, name } as Procedure
  const shape = shapeProblems(written)
  if (shape.length > 0) return { procedure: written, problems: shape }
  const procedure = chain.length === 1 ? written : withoutLeftovers(written, chain.at(-1))
  return { procedure, problems: problemsOf(procedure) }
}

/** What was inherited and is led to no more goes with what led to it, so that one line can take a policy away. */
function withoutLeftovers(procedure: Procedure, own: ProcedureEntry | undefined): Procedure {
  const mentioned = isMap(own?.['phases']) ? own['phases'] : {}
  const left = new Set(unreachedPhases(procedure).filter((name) => !Object.hasOwn(mentioned, name)))
  if (left.size === 0) return procedure
  return { ...procedure, phases: Object.fromEntries(Object.entries(procedure.phases).filter(([name]) => !left.has(name))) }
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
