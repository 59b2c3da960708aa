// `hint`: guidance for the next candidate.
import { EXIT, Refusal } from '../../errors.js'
import { acknowledge, send } from '../message.js'
import type { Call } from '../program.js'

export default async function hint({ args, flags }: Call): Promise<number> {
  const text = args.at(-1) ?? ''
  if (args.length > 2) throw new Refusal(EXIT.usage, 'a hint of several words needs quotes', 'greenlatch hint "look at the parser"')
  if (text.trim() === '') throw new Refusal(EXIT.usage, 'the hint is empty', 'greenlatch hint "look at the parser"')
  const sent = await send(flags, args.length === 2 ? args[0] : undefined, { kind: 'hint', text })
  const when = sent.entry.standing === 'running' ? 'taken when the phase under way is over' : `no process is running the session; taken with: greenlatch resume ${sent.entry.id}`
  return acknowledge(sent, `hint left for session ${sent.entry.id}; ${when}`)
}
