// How people see and take what a session hands over at its end, and how it goes on: only commands that it would not refuse.
import type { Procedure, Session } from '../core/types.js'
import { quoteWord } from './quote.js'

/** The exit code of an end by a check that could not be judged. */
const UNJUDGED = 5

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

/** `anew`: to be gone on with would only come to the same end. */
export type Onward = { kind: 'resume' | 'anew'; commands: string[] }

/** Null where nothing is left to do. `raise` are the flags that a spent budget needs. */
export function onwardFrom(session: Session, raise: string): Onward | null {
  const { id, finish, procedure, origin, tree, best } = session
  if (!finish || finish.resumesAt === null) return null
  const resume = `greenlatch resume ${id}${raise}`
  const phase = procedure.phases[finish.resumesAt]
  // A gate that cannot run stays as it was frozen, and says the same of the same tree again.
  if (phase?.kind !== 'check' || finish.code !== UNJUDGED) return { kind: 'resume', commands: [resume] }
  if (origin === null) return { kind: 'anew', commands: [`greenlatch run ${procedure.name}`] }
  const back = best ?? origin
  const undo = back.tree === tree ? [] : [`greenlatch undo ${id} --to ${back.iteration === 0 ? 'start' : 'best'}`]
  return { kind: 'resume', commands: [...undo, resume] }
}
