// `path`: where a session's files are, and for programs also where its agents work.
import { join } from 'node:path'
import { Refusal } from '../../errors.js'
import { readEntry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'
import { checkoutOf, setupOf } from '../recorded.js'

export default async function path({ args, flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const id = await findSession(context, args[0])
  const folder = join(context.store, id)
  if (context.output.format === 'text') context.output.data(folder)
  else context.output.json({ path: folder, checkout: await checkoutIn(context, id) })
  return 0
}

/** Null for a session that cannot be read: its files are then what one looks for. */
async function checkoutIn({ store }: Pick<Context, 'store'>, name: string): Promise<string | null> {
  try {
    const { id, session, folder } = await readEntry(store, name)
    return checkoutOf(setupOf(session), id, folder)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
