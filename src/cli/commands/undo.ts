// `undo`: back to an earlier iteration, or to any place of the session; nothing is lost, and `redo` goes forward again.
import { EXIT, Refusal } from '../../errors.js'
import { refuseAgents, type AtRest } from '../at-rest.js'
import { openSessions } from '../context.js'
import { nameOf, placeNamed, type Named, type Places } from '../places.js'
import type { Call } from '../program.js'
import { goElsewhere } from '../stand-elsewhere.js'

export default async function undo({ args, flags }: Call<{ to?: string }>): Promise<number> {
  refuseAgents('take back what the session has done')
  const context = await openSessions(flags)
  const { to } = flags
  const choose = to === undefined ? before : (places: Places): Named => placeNamed(places, to)
  return goElsewhere(context, args[0], { type: 'undone', choose })
}

/** The tree that the iteration which made this one had been given: what was tried and not kept is passed over. */
function before(places: Places, here: Named, owned: AtRest): Named {
  const { session, iterations, start } = places
  const next = wayOn(places, owned)
  if (here.tree === start) throw new Refusal(EXIT.usage, `session ${session} stands on its start: there is nothing to undo`, next)
  if (places.minimised?.tree === here.tree) return nameOf(places, places.minimised.from)
  let made = iterations.findLast(({ to }) => to === here.tree)
  while (made && made.from === here.tree) made = iterations.findLast(({ number, to }) => to === here.tree && number < (made?.number ?? 0))
  if (made) return nameOf(places, { tree: made.from, iteration: made.number })
  throw new Refusal(EXIT.usage, `no iteration led to ${here.name}, so there is none before it`, next)
}

/** Forward again where an undo led here, else to what was tried last, else there is only looking. */
function wayOn({ session, iterations, start }: Places, { session: { undone } }: AtRest): string {
  if (undone.length > 0) return `greenlatch redo ${session}`
  const last = iterations.findLast(({ to }) => to !== start)
  return last ? `greenlatch undo ${session} --to ${last.number}` : `greenlatch status ${session}`
}
