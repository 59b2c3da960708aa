// `stop`: at the end of the phase under way, or at once.
import { isHeld } from '../../shell/lock.js'
import { acknowledge, send } from '../message.js'
import type { Call } from '../program.js'

const PATIENCE_MILLISECONDS = 10_000

export default async function stop({ args, flags }: Call<{ now?: boolean }>): Promise<number> {
  const now = flags.now === true
  const sent = await send(flags, args[0], { kind: 'stop', now })
  if (!now) return acknowledge(sent, `session ${sent.entry.id} stops when the phase under way is over`)
  for (const until = Date.now() + PATIENCE_MILLISECONDS; Date.now() < until; ) {
    if (!(await isHeld(sent.entry.folder))) return acknowledge(sent, `session ${sent.entry.id} is stopped\n  go on:  greenlatch resume ${sent.entry.id}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return acknowledge(sent, `session ${sent.entry.id} was told to stop and has not yet; its process is ${sent.entry.pid ?? 'unknown'}`)
}
