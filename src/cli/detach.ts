// Hands a session over to a process in the background.
import { join } from 'node:path'
import type { Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { startBackground } from '../process/background.js'
import { isHeld } from '../shell/lock.js'
import { readEntry } from './catalogue.js'
import type { Context } from './context.js'

const PATIENCE_MILLISECONDS = 10_000

/** Returns when the other process owns the session, so that what is typed next finds it running. `words`: flags that it is resumed with. */
export async function detach(context: Context, id: string, words: readonly string[]): Promise<number> {
  const folder = join(context.store, id)
  const log = join(folder, 'detached.log')
  const before = (await readEntry(context.store, id)).session
  const places = ['--state-dir', join(context.store, '..', '..'), '-C', context.cwd, ...(context.settingsFile === undefined ? [] : ['--config', context.settingsFile])]
  const pid = startBackground({
    argv: [process.execPath, process.argv[1] ?? '', 'resume', id, ...places, ...words],
    cwd: context.cwd,
    env: process.env,
    logPath: log,
  })
  if (!(await takenOver(folder, context.store, before))) {
    throw new Refusal(EXIT.failed, `the session did not start in the background; its output is in ${log}`, `greenlatch resume ${id}`)
  }
  if (context.output.format === 'text') {
    context.output.data(id)
    context.output.say(`running in the background as process ${pid}`)
    context.output.say(`  watch it:  greenlatch watch ${id}\n  stop it:   greenlatch stop ${id}`)
  } else context.output.json({ session: id, state: 'running', pid, log })
  return 0
}

/** Held, or already further than it was: a short session may be over before anyone looks. */
async function takenOver(folder: string, store: string, before: Session): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MILLISECONDS; Date.now() < until; ) {
    if (await isHeld(folder)) return true
    const { session } = await readEntry(store, before.id)
    if (session.asked > before.asked || (session.finish !== null && before.finish === null)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
