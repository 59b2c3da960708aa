// The loop: turn after turn until the session comes to rest. It holds no decision.
import type { Ending } from '../ports.js'
import type { Live } from './live.js'
import { dropStale, recover, turn } from './turn.js'

/** `between` is done after every turn that leaves more to do, and may bring the session to rest. `last` is done when it has come to rest, before anyone is told of that. */
type How = { resumed: boolean; between?: (live: Live) => Promise<Ending | null>; last?: (ending: Ending) => Promise<void> }

/** Runs a session this process owns to its end, or to the point where it waits, is paused, stopped or interrupted. */
export async function run(live: Live, { resumed = live.session.asked > 0, between, last }: Partial<How> = {}): Promise<Ending> {
  begin(live, resumed)
  for (;;) {
    const ending = (await turn(live)) ?? (await between?.(live)) ?? null
    if (!ending) continue
    await last?.(ending)
    return end(live, ending)
  }
}

/** Exactly one transition. */
export async function stepOnce(live: Live): Promise<Ending | null> {
  dropStale(live)
  recover(live)
  const ending = await turn(live)
  live.ports.journal.settle()
  return ending
}

function begin(live: Live, resumed: boolean): void {
  const { reporter, clock } = live.ports
  reporter.notice({ kind: 'began', session: live.session, resumed, at: clock.now() })
  dropStale(live)
  recover(live)
}

function end(live: Live, how: Ending): Ending {
  const { reporter, clock, journal } = live.ports
  journal.settle()
  reporter.notice({ kind: 'ended', session: live.session, how, at: clock.now() })
  return how
}
