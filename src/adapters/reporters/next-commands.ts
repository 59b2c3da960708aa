// What to type after a session has changed something: how to see it, and how to take it.
import type { Session } from '../../core/types.js'

export function nextCommands({ id, start, finish, setup }: Session): string[] {
  if (!finish || finish.delivers === start) return []
  const place = setup['place'] as { inPlace?: boolean } | undefined
  return [`see it:   greenlatch diff ${id}`, ...(place?.inPlace ? [] : [`take it:  greenlatch accept ${id}`])]
}
