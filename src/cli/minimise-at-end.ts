// `run --minimise`: what follows a session that has ended well, while this process still owns it.
import { commit } from '../shell/live.js'
import type { AtRest } from './at-rest.js'
import { minimise, obstacleTo, type Minimised } from './minimise.js'
import { tellMinimised } from './minimise-text.js'
import type { Output } from './output.js'
import { USUAL_BOUNDS } from './search-pieces.js'
import type { Owned } from './wire.js'
import { setupOf } from './recorded.js'

/** How it went; null where it was not wanted or cannot be done. */
export async function minimiseAtEnd(owned: Owned, output: Output): Promise<Minimised['kind'] | null> {
  const { session, ports, folder } = owned
  if (setupOf(session).minimise !== true || !session.finish) return null
  const obstacle = obstacleTo(session)
  if (obstacle !== null) {
    output.say(`not minimised: ${obstacle}`)
    return null
  }
  const ended: AtRest = { id: session.id, folder, get session() { return owned.session }, write: (events) => commit(owned, events) }
  const done = await minimise(ended, ports, { bounds: { ...USUAL_BOUNDS, seconds: secondsLeft(owned) }, keep: [], say: output.say })
  tellMinimised(output, session.id, done)
  return done.kind
}

/** What the session may spend in all bounds this too. */
function secondsLeft({ session: { budget, spent } }: Owned): number {
  const left = budget.seconds ? budget.seconds - spent.seconds : Infinity
  return Math.max(0, Math.min(USUAL_BOUNDS.seconds, left))
}
