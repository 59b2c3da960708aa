// `path`: where a session's files are.
import { join } from 'node:path'
import { openSessions } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'

export default async function path({ args, flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const folder = join(context.store, await findSession(context, args[0]))
  if (context.output.format === 'text') context.output.data(folder)
  else context.output.json({ path: folder })
  return 0
}
