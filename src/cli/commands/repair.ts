// `repair`: recovers a session whose journal is damaged; the damaged file is kept.
import { join } from 'node:path'
import { repairJournal } from '../../adapters/journal/repair.js'
import { EXIT, Refusal } from '../../errors.js'
import { acquireLock } from '../../shell/lock.js'
import { findSession } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import type { Call } from '../program.js'

export default async function repair({ args, flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const id = findSession(context.store, args[0])
  const folder = join(context.store, id)
  const lock = await acquireLock(folder)
  if (lock.kind === 'held') throw new Refusal(EXIT.locked, `session ${id} is being run`, `greenlatch stop ${id}`)
  try {
    const done = repairJournal({ folder, clock: systemClock })
    if (context.output.format === 'text') context.output.data(`${done.note}\n  go on:  greenlatch resume ${id}`)
    else context.output.json({ session: id, ...done })
    return 0
  } finally {
    await lock.release()
  }
}
