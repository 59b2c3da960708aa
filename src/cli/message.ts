// What `hint`, `pause` and `stop` share: a message for the process that runs a session, and the truth when there is none.
import type { Draft } from '../adapters/inbox/files.js'
import { post } from '../adapters/inbox/files.js'
import { EXIT, Refusal } from '../errors.js'
import { findSession, readEntry, type Entry } from './catalogue.js'
import { openSessions, type Context, type GlobalFlags } from './context.js'

export async function send(flags: GlobalFlags, named: string | undefined, draft: Draft): Promise<{ context: Context; entry: Entry }> {
  const context = await openSessions(flags)
  const entry = await readEntry(context.store, findSession(context.store, named))
  if (entry.session.finish) throw new Refusal(EXIT.usage, `session ${entry.id} has ended: ${entry.session.finish.outcome}`, `greenlatch status ${entry.id}`)
  if (entry.standing !== 'running' && draft.kind !== 'hint') {
    throw new Refusal(EXIT.usage, `no process is running session ${entry.id}; it is ${entry.standing}`, `greenlatch resume ${entry.id}`)
  }
  post(entry.folder, draft)
  return { context, entry }
}

export function acknowledge({ context, entry }: { context: Context; entry: Entry }, text: string): number {
  if (context.output.format === 'text') context.output.say(text)
  else context.output.json({ session: entry.id, sent: true, standing: entry.standing })
  return 0
}
