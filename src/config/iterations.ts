// Which setting says how many iterations a procedure may take.
import type { Config, Origin, Tier } from './types.js'

export type IterationLimit = { iterations: number; origin: Origin }

const STRENGTH: Record<Tier, number> = { 'built-in': 0, user: 1, project: 2, environment: 3, flag: 4 }

/**
 * Flag, then environment, then the procedure's entry (or the one it extends), then `greenlatch.yaml`, then the user's file.
 * Null leaves it to the built-in procedure.
 */
export function iterationLimit(config: Config, procedure: string): IterationLimit | null {
  const general = limit(config.values.default_iterations, config.origins['default_iterations'])
  if (general !== null && STRENGTH[general.origin.tier] >= STRENGTH.environment) return general
  return entryLimit(config, procedure) ?? general
}

function entryLimit({ values, origins }: Config, procedure: string): IterationLimit | null {
  const visited = new Set<string>()
  for (let name: string | undefined = procedure; name !== undefined && !visited.has(name); name = values.procedures[name]?.extends) {
    visited.add(name)
    const entry = values.procedures[name]
    const own = limit(entry?.budget?.iterations ?? undefined, origins[`procedures.${name}`])
    if (own !== null) return own
  }
  return null
}

function limit(iterations: number | undefined, origin: Origin | undefined): IterationLimit | null {
  return iterations === undefined || origin === undefined ? null : { iterations, origin }
}
