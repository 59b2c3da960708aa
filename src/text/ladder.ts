// What of a ladder cannot be used, in words.
import type { Procedure } from '../core/types.js'

/** One line for each rung that is passed over because nobody fills a role it needs. */
export function skippedRungs({ policies, phases }: Procedure, roles: Readonly<Record<string, string>>): string[] {
  return (policies.ladder?.rungs ?? []).flatMap((rung, index) => {
    const phase = rung.to === undefined ? undefined : phases[rung.to]
    const needed = [...Object.values(rung.roles ?? {}), ...(phase?.kind === 'ask' ? [phase.role] : [])]
    const missing = [...new Set(needed)].filter((role) => roles[role] === undefined)
    return missing.length === 0 ? [] : [`rung ${index + 1} (no better ×${rung.at}) is left out: nobody answers as ${missing.join(' or ')}`]
  })
}
