// What to type after a session has ended: how to see its work, and how to take it.
import type { Session } from '../../core/types.js'

export function nextCommands({ id, start, finish, setup }: Session): string[] {
  if (!finish || finish.delivers === start) return [`see it:   greenlatch logs ${id}`]
  const place = setup['place'] as { inPlace?: boolean } | undefined
  return [`see it:   greenlatch diff ${id}`, ...(place?.inPlace ? [] : [`take it:  greenlatch accept ${id}`])]
}
