// `repair`: recovers a session whose journal is damaged, or sets it aside; nothing is deleted.
import { join } from 'node:path'
import { repairJournal, type Repair } from '../../adapters/journal/repair.js'
import { EXIT, Refusal } from '../../errors.js'
import { acquireLock } from '../../shell/lock.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'
import { setAside } from '../set-aside.js'

export default async function repair({ args, flags }: Call<{ setAside?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  const id = await findSession(context, args[0])
  const lock = await acquireLock(join(context.store, id))
  if (lock.kind === 'held') throw new Refusal(EXIT.locked, `session ${id} is being run`, `greenlatch stop ${id}`)
  try {
    if (flags.setAside) tellSetAside(context, id, await setAside(context.store, id))
    else tellRepaired(context, id, repaired(join(context.store, id), id))
    return 0
  } finally {
    await lock.release()
  }
}

function repaired(folder: string, id: string): Repair {
  try {
    return repairJournal({ folder, clock: systemClock })
  } catch (error) {
    // A journal of a newer version is not damaged: what helps there is that version.
    if (!(error instanceof Refusal) || error.code !== EXIT.state || error.next.startsWith('npm ')) throw error
    const text = `${error.message} (--set-aside moves the session away whole)`
    throw Object.assign(new Refusal(error.code, text, `greenlatch repair ${id} --set-aside`), { cause: error })
  }
}

function tellRepaired({ output }: Context, id: string, done: Repair): void {
  if (output.format === 'text') output.data(`${done.note}\n  go on:  greenlatch resume ${id}`)
  else output.json({ session: id, ...done })
}

function tellSetAside({ output }: Context, id: string, path: string): void {
  if (output.format === 'text') output.data(`session ${id} is set aside, whole, in ${path}\n  begin anew:  greenlatch run --help`)
  else output.json({ session: id, set_aside: path })
}
