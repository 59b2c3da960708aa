// Measures an effect while it is under way, and leaves a mark on disk, so that a crash does not forget what it had cost.
import type { Effect, Session, Spend } from '../core/index.js'
import type { Activity, Folder } from '../ports.js'
import type { Ports } from './live.js'

const HEARTBEAT_SECONDS = 5

type MeterPorts = Pick<Ports, 'reporter' | 'clock' | 'folder'>

/** Stopped in any case: its mark would name an effect that is over. */
export type Meter = { onActivity: (activity: Activity) => void; stop: (said?: Spend) => Spend }

/** By the monotonic clock, without what a limit was waited for. A person's time is not ours, and leaves no mark. */
export function startMeter(ports: MeterPorts, session: Session, effect: Effect, mark: 'marked' | 'silent'): Meter {
  const started = ports.clock.seconds()
  const waits = createWaits(ports.clock)
  let told: Spend = { seconds: 0, tokens: 0, usd: 0 }
  const spent = (): Spend => ({ ...told, seconds: ports.clock.seconds() - started - waits.seconds() })
  const write = (): void => {
    const waiting = waits.now()
    try {
      markBegun.write(ports.folder, { effect: effect.id, cuts: session.cuts, spent: spent(), ...(waiting && { waiting }) })
    } catch (error) {
      // A mark is only a hint; the next record will fail loudly when the folder cannot be written.
      tell(ports, `what this effect costs cannot be noted: ${String(error)}`)
    }
  }
  if (mark === 'marked') write()
  const beat = mark === 'marked' ? setInterval(write, HEARTBEAT_SECONDS * 1000) : undefined
  beat?.unref()
  return {
    onActivity: (activity) => {
      if (activity.kind === 'spent') told = activity.spent
      if (activity.kind === 'cut' || activity.kind === 'denied' || activity.kind === 'retry') tell(ports, `${effect.phase}: ${activity.note}`)
      if (activity.kind === 'waiting') {
        waits.begin(activity)
        tell(ports, `${effect.phase}: ${activity.note}; ${waitWords(activity, session.id, ports.clock.now())}`)
        if (mark === 'marked') write()
      }
      if (activity.kind === 'answered') {
        waits.end()
        if (mark === 'marked') write()
      }
      ports.reporter.notice({ kind: 'activity', effect, activity, at: ports.clock.now() })
    },
    stop: (said) => {
      clearInterval(beat)
      return said ? { ...said, seconds: spent().seconds } : spent()
    },
  }
}

/** `wish`: what a person is asked to permit; without it, a limit is waited for. */
export type Waiting = { until: number; note: string; wish?: string }

function waitWords({ until, wish }: Waiting, id: string, now: number): string {
  const when = clockTime(until, now)
  return wish === undefined ? `waiting until ${when}` : `allow it with greenlatch reply ${id} --allow, or --deny; at ${when} it is denied`
}

/** Waits for a limit are over at their time, or when the effect is: nobody says so. */
function createWaits(clock: Ports['clock']): { begin(waiting: Waiting): void; end(): void; seconds(): number; now(): Waiting | null } {
  let before = 0
  let last: { began: number; seconds: number; waiting: Waiting } | null = null
  const seconds = (): number => before + (last ? Math.min(clock.seconds() - last.began, last.seconds) : 0)
  return {
    begin({ until, note, wish }) {
      before = seconds()
      last = { began: clock.seconds(), seconds: Math.max(0, (until - clock.now()) / 1000), waiting: { until, note, ...(wish !== undefined && { wish }) } }
    },
    end() {
      before = seconds()
      last = null
    },
    seconds,
    now: () => (last && clock.seconds() - last.began < last.seconds ? last.waiting : null),
  }
}

export function tell(ports: Pick<MeterPorts, 'reporter' | 'clock'>, text: string): void {
  ports.reporter.notice({ kind: 'warning', text, at: ports.clock.now() })
}

/** As the clock on the wall shows it, with the day where that is not today's. */
export function clockTime(at: number, now: number): string {
  const time = new Date(at)
  const clock = time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  return time.toDateString() === new Date(now).toDateString() ? clock : `${time.toLocaleDateString('en-CA')} ${clock}`
}

/** `waiting`: the limit that was waited for when the mark was made. */
type Begun = { effect: string; cuts: number; spent: Spend; waiting?: Waiting }

/** The mark of an effect under way. It is a hint for after a crash and need not be durable. */
export const markBegun = {
  file: 'underway.json',
  write(folder: Folder, begun: Begun): void {
    folder.mark(markBegun.file, JSON.stringify(begun))
  },
  read(folder: Folder): Begun | null {
    try {
      return JSON.parse(folder.read(markBegun.file) ?? 'null') as Begun | null
    } catch {
      return null
    }
  },
}
