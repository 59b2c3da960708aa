// What has to be said of an end that counts as a good one although the agent failed in every iteration.
import type { Session } from '../../core/types.js'

/** A procedure that goes on until its limit ends well whatever became of its iterations. */
export function failedThroughout({ id, finish, iteration }: Session, pattern: string): string[] {
  if (finish?.code !== 0 || pattern !== 'agent failed') return []
  return [`WARNING: the agent failed in ${iteration} of ${iteration} iterations (pattern: ${pattern}): greenlatch explain ${id}`]
}
