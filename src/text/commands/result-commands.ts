// How people see and take what a session hands over at its end, and how it goes on: only commands that it would not refuse.
import type { Procedure, Session } from '../../core/types.js'
import { missingTestIn } from '../failures/near-ids.js'
import { quoteCommand, quoteWord } from '../prompt/quote.js'
import { typedAgain, typedWith } from './typed-again.js'

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

/** Patterns of an agent with which it could only end in the same way. */
const NEEDS_ANOTHER: ReadonlySet<string> = new Set(['nothing left to try', 'search out of candidates', 'agent failed', 'cheating', 'no edits'])

/** `anew`: to be gone on with would only come to the same end. */
export type Onward = { kind: 'resume' | 'anew'; commands: string[] }

/** Null where nothing is left to do. `raise` are the flags that a spent budget needs, `pattern` is why it got no further. */
export function onwardFrom(session: Session, raise: string, pattern: string): Onward | null {
  const { id, finish, procedure, origin } = session
  if (!finish || finish.resumesAt === null || pattern === 'nothing fails') return null
  const phase = procedure.phases[finish.resumesAt]
  // The gates of a session stay as they were frozen: one that never ran never will.
  const isHopeless = phase?.kind === 'check' && finish.code === UNJUDGED && origin === null
  if (isHopeless) return { kind: 'anew', commands: [pattern === 'unknown test' ? withKnownTest(session) : begunAnew(session, '--gate "<a command that runs>"')] }
  return { kind: 'resume', commands: NEEDS_ANOTHER.has(pattern) ? askingAnother(session, raise) : [`greenlatch resume ${id}${raise}`] }
}

/** As the session was begun, with these flags; where nobody typed it, the task has to be told again. */
export function begunAnew({ procedure, setup }: Pick<Session, 'procedure' | 'setup'>, flags: string): string {
  const typed = typedIn(setup)
  return typed ? typedAgain(typed, flags) : `greenlatch run ${procedure.name} "<the task>" ${flags}`
}

function typedIn(setup: Session['setup']): string[] | null {
  const typed = setup['typed'] as readonly string[] | undefined
  return typed ? ['run', ...typed] : null
}

/** The nearest test that is there in the place of the one that is not. */
export function withKnownTest(session: Session): string {
  const missing = missingTestIn(session.finish?.why ?? '')
  const typed = typedIn(session.setup)
  if (missing && typed) return typedWith(typed, missing)
  return begunAnew(session, missing ? quoteCommand([missing.flag, missing.instead]) : '--target "<test>"')
}

/** A person is always there. */
export function askingAnother({ id }: Session, raise: string): string[] {
  return [`greenlatch resume ${id}${raise} --agent paste`]
}
