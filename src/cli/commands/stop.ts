// `stop`: at the end of the phase under way, or at once; with --cancel for good.
import { isHeld } from '../../shell/lock.js'
import { cancelSession } from '../cancel.js'
import type { Entry } from '../catalogue.js'
import { acknowledge, openEntry, send, type Addressee, type Meant } from '../message.js'
import type { Call } from '../program.js'

const PATIENCE_MILLISECONDS = 10_000

type StopFlags = { now?: boolean; cancel?: boolean }

export default async function stop({ args, flags }: Call<StopFlags>): Promise<number> {
  const meant = meantBy(flags)
  const to = await openEntry(flags, args[0], meant)
  const { id, pid } = to.entry
  const unheeded = `session ${id} was told to stop and has not yet; its process is ${pid ?? 'unknown'}`
  if (flags.cancel) return cancel(to, unheeded, meant)
  await send(to, { kind: 'stop', now: flags.now === true }, meant)
  if (!flags.now) return acknowledge(to, `session ${id} stops when the phase under way is over`, 'running')
  if (await isOver(to.entry)) return acknowledge(to, `session ${id} is interrupted: what was under way is cut off\n  go on:  greenlatch resume ${id}`, 'interrupted')
  return acknowledge(to, unheeded, 'running')
}

/** What ends for good is never guessed: there the newest is meant, running or not. */
function meantBy({ now, cancel: forGood }: StopFlags): Meant {
  const flag = forGood ? ' --cancel' : now ? ' --now' : ''
  return { who: forGood ? 'open' : 'running', again: (id) => `greenlatch stop ${id}${flag}` }
}

/** One that is running is stopped first, at once: what its phase would still bring is not wanted any more. */
async function cancel(to: Addressee, unheeded: string, meant: Meant): Promise<number> {
  const { entry } = to
  if (entry.standing === 'running') await send(to, { kind: 'stop', now: true }, meant)
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
