// `redo`: forward again to where the last `undo` came from.
import { EXIT, Refusal } from '../../errors.js'
import { refuseAgents, type AtRest } from '../at-rest.js'
import { openSessions } from '../context.js'
import { nameOf, wordOf, type Named, type Places } from '../places.js'
import type { Call } from '../program.js'
import { goElsewhere } from '../stand-elsewhere.js'

export default async function redo({ args, flags }: Call): Promise<number> {
  refuseAgents('bring back what was undone')
  return goElsewhere(await openSessions(flags), args[0], { type: 'redone', choose: after })
}

/** Only from where `undo` led: a session that has gone on since then is on another way. */
function after(places: Places, here: Named, { session, id }: AtRest): Named {
  const forward = session.undone.at(-1)
  const back = here.tree === places.start ? `greenlatch status ${id}` : `greenlatch undo ${id}`
  if (!forward) throw new Refusal(EXIT.usage, `nothing was undone in session ${id}`, back)
  const target = nameOf(places, forward)
  if (places.moved?.tree === here.tree) return target
  const text = `session ${id} has gone on since the undo, so there is no way forward from ${here.name}`
  throw new Refusal(EXIT.usage, text, `greenlatch undo ${id} --to ${wordOf(target)}`)
}
