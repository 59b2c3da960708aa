// `pause`: the phase under way is finished first.
import { acknowledge, openEntry, send, type Meant } from '../message.js'
import type { Call } from '../program.js'

const MEANT: Meant = { who: 'running', again: (id) => `greenlatch pause ${id}` }

export default async function pause({ args, flags }: Call): Promise<number> {
  const to = await openEntry(flags, args[0], MEANT)
  await send(to, { kind: 'pause' }, MEANT)
  return acknowledge(to, `session ${to.entry.id} pauses when the phase under way is over`, 'running')
}
