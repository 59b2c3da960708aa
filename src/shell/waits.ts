// Waits before an agent is asked again: until its limit is over, or a little longer each time that it could not be reached.
import type { Session } from '../core/types.js'
import type { Activity } from '../ports.js'
import { secondsLeft } from './budget-hold.js'
import type { Ports } from './live.js'
import { clockTime } from './meter.js'

export type Waiting = { ports: Pick<Ports, 'clock' | 'control' | 'inbox'>; session: Session; onActivity: (activity: Activity) => void }

/** Who met a limit, what it said of it, and when it can be asked again. */
export type Limited = { name: string; note: string; until: number }

/** `refused` is why it is not waited for, in one line. */
export type Waited = { kind: 'over' } | { kind: 'stopped' } | { kind: 'refused'; note: string }

/** No limit is waited for longer than this, whatever its agent says: the windows of the known ones are shorter. */
const LONGEST_WAIT_SECONDS = 6 * 3600
/** An agent that names ever another time is not waited for without end. */
const MOST_WAITS = 5
const LOOK_SECONDS = 0.5

/** Waits for a limit to be over, where that is not longer than the session may still last. */
export async function waitForLimit(waiting: Waiting, { name, note, until }: Limited, { waits, elapsed }: { waits: number; elapsed: number }): Promise<Waited> {
  const { ports, session } = waiting
  const now = ports.clock.now()
  // One that is over already by our clock, and is met again, is given a little longer each time.
  const seconds = Math.max((until - now) / 1000, 2 ** waits)
  const said = `${name}: ${note.replace(/[.\s]+$/, '')}`
  if (waits >= MOST_WAITS) return { kind: 'refused', note: `${said}; that was met ${waits + 1} times in a row, and is not waited for again: resume it later` }
  if (seconds > Math.min(LONGEST_WAIT_SECONDS, secondsLeft(session, elapsed))) {
    return { kind: 'refused', note: `${said}; that is over at ${clockTime(until, now)}, too late to be waited for: resume it then` }
  }
  return { kind: await sleepFor(waiting, seconds, `${name}: ${note}`) }
}

const FIRST_PAUSE_SECONDS = 2
const LONGEST_PAUSE_SECONDS = 60

/** Whoever could not be reached a moment ago is given some time; the session counts how often that was so in a row. */
export async function pauseBetween(waiting: Waiting, name: string): Promise<'over' | 'stopped'> {
  const { infrastructure } = waiting.session
  if (infrastructure === 0) return 'over'
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 4 ** (infrastructure - 1), LONGEST_PAUSE_SECONDS, secondsLeft(waiting.session, 0))
  return sleepFor(waiting, seconds, `${name} could not be reached`)
}

async function sleepFor({ ports, onActivity }: Waiting, seconds: number, note: string): Promise<'over' | 'stopped'> {
  const { clock, control, inbox } = ports
  const until = clock.now() + seconds * 1000
  const began = clock.seconds()
  onActivity({ kind: 'waiting', until, note })
  for (;;) {
    if (control.now.aborted || inbox.peek().some(({ kind }) => kind === 'stop' || kind === 'pause')) return 'stopped'
    // The wall clock goes on while a machine sleeps; the other one may not, but it never jumps.
    const left = Math.min((until - clock.now()) / 1000, seconds - (clock.seconds() - began))
    if (left <= 0) return 'over'
    await clock.sleep(Math.min(left, LOOK_SECONDS), control.now)
  }
}
