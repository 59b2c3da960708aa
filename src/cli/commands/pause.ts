// `pause`: the phase under way is finished first.
import { acknowledge, openEntry, send } from '../message.js'
import type { Call } from '../program.js'

export default async function pause({ args, flags }: Call): Promise<number> {
  const to = await openEntry(flags, args[0])
  send(to, { kind: 'pause' })
  return acknowledge(to, `session ${to.entry.id} pauses when the phase under way is over`, 'running')
}
