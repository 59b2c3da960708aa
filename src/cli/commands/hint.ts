// `hint`: guidance for the next candidate.
import { EXIT, Refusal } from '../../errors.js'
import { quoteCommand } from '../../text/prompt/quote.js'
import { stateOf } from '../catalogue.js'
import { acknowledge, openEntry, send, type Meant } from '../message.js'
import type { Call } from '../program.js'

export default async function hint({ args, flags }: Call): Promise<number> {
  const text = args.at(-1) ?? ''
  if (args.length > 2) throw new Refusal(EXIT.usage, 'a hint of several words needs quotes', 'greenlatch hint "look at the parser"')
  if (text.trim() === '') throw new Refusal(EXIT.usage, 'the hint is empty', 'greenlatch hint "look at the parser"')
  const meant: Meant = { who: 'resumable', again: (id) => quoteCommand(['greenlatch', 'hint', id, text]) }
  const to = await openEntry(flags, args.length === 2 ? args[0] : undefined, meant)
  await send(to, { kind: 'hint', text }, meant)
  const { id, session, standing } = to.entry
  const resume = `no process is running the session; taken with: greenlatch resume ${id}`
  const when = standing === 'running' ? 'taken when the phase under way is over' : resume
  return acknowledge(to, `hint left for session ${id}; ${when}`, stateOf(session, standing))
}
