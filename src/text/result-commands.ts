// How people see and take what a session hands over at its end: only commands that it would not refuse.
import type { Procedure, Session } from '../core/types.js'
import { quoteWord } from './quote.js'

/** `back` takes away again what stands in the user's own folder. `merge` has to be typed on the branch that it shall go to. */
export type ResultCommands = { see: string; take: { kind: 'accept' | 'back' | 'merge'; command: string } | null }

/** Null where nothing is handed over but what was there before. */
export function resultCommands({ id, start, finish, setup, procedure, accepted }: Session): ResultCommands | null {
  if (!finish) return null
  const { inPlace, branch } = (setup['place'] as { inPlace?: boolean; branch?: string | null } | undefined) ?? {}
  if (finish.code === 0 && commitsItself(procedure)) {
    const name = quoteWord(branch ?? `greenlatch/${id}`)
    return { see: `git show ${name}`, take: { kind: 'merge', command: `git merge ${name}` } }
  }
  if (finish.delivers === start) return null
  const see = `greenlatch diff ${id}`
  if (inPlace) return { see, take: { kind: 'back', command: `greenlatch undo ${id} --to start` } }
  return { see, take: accepted === finish.delivers ? null : { kind: 'accept', command: `greenlatch accept ${id}` } }
}

function commitsItself({ phases }: Procedure): boolean {
  return Object.values(phases).some((phase) => phase.kind === 'workspace' && phase.action === 'commit')
}
