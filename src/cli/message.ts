// What `hint`, `pause` and `stop` share: a message for the process that runs a session, and the truth when there is none.
import type { Draft } from '../adapters/inbox/files.js'
import { post } from '../adapters/inbox/files.js'
import { EXIT, Refusal } from '../errors.js'
import { readEntries, readEntry, type Entry, type State } from './catalogue.js'
import { openSessions, type Context, type GlobalFlags } from './context.js'
import { findSession, newestRunning } from './find-session.js'

export type Addressee = { context: Context; entry: Entry }

/** Who can be meant: a session that runs, any that has not ended, or also one that can be resumed; and how it is typed for another. */
export type Meant = { who: 'running' | 'open' | 'resumable'; again: (id: string) => string }

/** A session that has not ended. Without a name it is the newest, and for what only a running one can do, the newest of those. */
export async function openEntry(flags: GlobalFlags, named: string | undefined, meant: Meant): Promise<Addressee> {
  const context = await openSessions(flags)
  const running = meant.who === 'running' ? await newestRunning(context) : null
  const entry = await readEntry(context.store, (named === undefined ? running : null) ?? (await findSession(context, named)))
  const { finish } = entry.session
  if (!finish || (meant.who === 'resumable' && finish.resumesAt !== null)) return { context, entry }
  const other = running ?? (meant.who !== 'running' ? await newestOpen(context) : null)
  const next = other === null ? `greenlatch status ${entry.id}` : meant.again(other)
  throw new Refusal(EXIT.usage, `session ${entry.id} has ended: ${finish.outcome}`, next)
}

async function newestOpen({ store }: Context): Promise<string | null> {
  return (await readEntries(store)).entries.find(({ session }) => session.finish === null)?.id ?? null
}

export async function send({ context, entry }: Addressee, draft: Draft, meant: Meant): Promise<void> {
  if (entry.standing !== 'running' && draft.kind !== 'hint') throw nobodyRuns(entry, draft, await newestRunning(context), meant)
  post(entry.folder, draft)
}

function nobodyRuns({ id, standing }: Entry, { kind }: Draft, running: string | null, { again }: Meant): Refusal {
  const leave = kind === 'stop' ? ` (greenlatch stop ${id} --cancel ends it for good)` : ''
  const next = running === null ? `greenlatch resume ${id}` : again(running)
  return new Refusal(EXIT.usage, `no process is running session ${id}; it is ${standing}${leave}`, next)
}

/** `state` is the session's when the command is over. */
export function acknowledge({ context, entry }: Addressee, text: string, state: State): number {
  if (context.output.format === 'text') context.output.say(text)
  else context.output.json({ session: entry.id, state })
  return 0
}
