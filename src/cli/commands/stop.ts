// `stop`: at the end of the phase under way, or at once; with --cancel for good.
import { isHeld } from '../../shell/lock.js'
import { cancelSession } from '../cancel.js'
import type { Entry } from '../catalogue.js'
import { acknowledge, openEntry, send, type Addressee } from '../message.js'
import type { Call } from '../program.js'

const PATIENCE_MILLISECONDS = 10_000

export default async function stop({ args, flags }: Call<{ now?: boolean; cancel?: boolean }>): Promise<number> {
  const to = await openEntry(flags, args[0])
  const { id, pid } = to.entry
  const unheeded = `session ${id} was told to stop and has not yet; its process is ${pid ?? 'unknown'}`
  if (flags.cancel) return cancel(to, unheeded)
  send(to, { kind: 'stop', now: flags.now === true })
  if (!flags.now) return acknowledge(to, `session ${id} stops when the phase under way is over`, 'running')
  if (await isOver(to.entry)) return acknowledge(to, `session ${id} is stopped\n  go on:  greenlatch resume ${id}`, 'interrupted')
  return acknowledge(to, unheeded, 'running')
}

/** One that is running is stopped first, at once: what its phase would still bring is not wanted any more. */
async function cancel(to: Addressee, unheeded: string): Promise<number> {
  const { entry } = to
  if (entry.standing === 'running') send(to, { kind: 'stop', now: true })
  if (entry.standing === 'running' && !(await isOver(entry))) return acknowledge(to, unheeded, 'running')
  await cancelSession(entry)
  return acknowledge(to, `session ${entry.id} is cancelled\n  its files:  greenlatch path ${entry.id}`, 'cancelled')
}

async function isOver({ folder }: Entry): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MILLISECONDS; Date.now() < until; ) {
    if (!(await isHeld(folder))) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
