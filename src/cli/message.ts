// What `hint`, `pause` and `stop` share: a message for the process that runs a session, and the truth when there is none.
import type { Draft } from '../adapters/inbox/files.js'
import { post } from '../adapters/inbox/files.js'
import { EXIT, Refusal } from '../errors.js'
import { findSession, readEntry, type Entry, type State } from './catalogue.js'
import { openSessions, type Context, type GlobalFlags } from './context.js'

export type Addressee = { context: Context; entry: Entry }

/** A session that has not ended. */
export async function openEntry(flags: GlobalFlags, named: string | undefined): Promise<Addressee> {
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, findSession(context.store, named))
  const { finish } = entry.session
  if (finish) throw new Refusal(EXIT.usage, `session ${entry.id} has ended: ${finish.outcome}`, `greenlatch status ${entry.id}`)
  return { context, entry }
}

export function send({ entry }: Addressee, draft: Draft): void {
  if (entry.standing !== 'running' && draft.kind !== 'hint') throw nobodyRuns(entry, draft)
  post(entry.folder, draft)
}

function nobodyRuns({ id, standing }: Entry, { kind }: Draft): Refusal {
  const leave = kind === 'stop' ? ` to go on, or greenlatch stop ${id} --cancel to end it for good` : ''
  return new Refusal(EXIT.usage, `no process is running session ${id}; it is ${standing}`, `greenlatch resume ${id}${leave}`)
}

/** `state` is the session's when the command is over. */
export function acknowledge({ context, entry }: Addressee, text: string, state: State): number {
  if (context.output.format === 'text') context.output.say(text)
  else context.output.json({ session: entry.id, state })
  return 0
}
