// `pause`: the phase under way is finished first.
import { acknowledge, send } from '../message.js'
import type { Call } from '../program.js'

export default async function pause({ args, flags }: Call): Promise<number> {
  const sent = await send(flags, args[0], { kind: 'pause' })
  return acknowledge(sent, `session ${sent.entry.id} pauses when the phase under way is over`)
}
