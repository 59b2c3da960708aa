// The rungs of a ladder in words: what they are called everywhere, and which of them cannot be used.
import type { Procedure, Rung } from '../core/types.js'

/** One line for each rung that is passed over because nobody fills a role it needs. */
export function skippedRungs({ policies, phases }: Procedure, roles: Readonly<Record<string, string>>): string[] {
  return (policies.ladder?.rungs ?? []).flatMap((rung, index) => {
    const phase = rung.to === undefined ? undefined : phases[rung.to]
    const needed = [...Object.values(rung.roles ?? {}), ...(phase?.kind === 'ask' ? [phase.role] : [])]
    const missing = [...new Set(needed)].filter((role) => roles[role] === undefined)
    return missing.length === 0 ? [] : [`rung ${index + 1} (no better ×${rung.at}: ${rungName(rung)}) is left out: nobody answers as ${missing.join(' or ')}`]
  })
}

/** What changes by it. */
export function rungName(rung: Rung | undefined): string {
  const parts = [
    rung?.stance,
    rung?.to === undefined ? undefined : `on to ${rung.to}`,
    rung?.restore && rung.stance === undefined ? 'back to the best' : undefined,
    rung?.resets ? 'counted afresh' : undefined,
    ...Object.entries(rung?.roles ?? {}).map(([role, by]) => `${by} answers for ${role}`),
  ]
  return parts.filter((part) => part !== undefined).join(', ') || 'no change'
}
