// Asks a person whether an agent may do what it wants to; whoever does not answer in time has said no.
import type { Effect } from '../core/types.js'
import type { Activity } from '../ports.js'
import type { Ports } from './live.js'

const PATIENCE_SECONDS = 600
const LOOK_SECONDS = 0.3

type Asking = { ports: Pick<Ports, 'clock' | 'control' | 'inbox'>; effect: Pick<Effect, 'id'>; onActivity: (activity: Activity) => void }

/** One wish after the other: a person is never asked two things at once. */
export function permitting({ ports, effect, onActivity }: Asking): (what: string) => Promise<boolean> {
  let wishes = 0
  let before: Promise<unknown> = Promise.resolve()
  const ask = async (what: string): Promise<boolean> => {
    const wish = `${effect.id}#${(wishes += 1)}`
    onActivity({ kind: 'waiting', until: ports.clock.now() + PATIENCE_SECONDS * 1000, note: what, wish })
    const allow = await answerTo(ports, wish)
    onActivity({ kind: 'answered' })
    return allow
  }
  return (what) => {
    const next = before.then(() => ask(what))
    before = next
    return next
  }
}

async function answerTo({ clock, control, inbox }: Asking['ports'], wish: string): Promise<boolean> {
  const end = clock.seconds() + PATIENCE_SECONDS
  while (clock.seconds() < end && !control.now.aborted) {
    const told = inbox.peek().find((message) => message.kind === 'permit' && message.wish === wish)
    if (told?.kind === 'permit') {
      inbox.done(told)
      return told.allow
    }
    await clock.sleep(LOOK_SECONDS, control.now)
  }
  return false
}
