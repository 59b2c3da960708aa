// Measures an effect while it is under way, and leaves a mark on disk, so that a crash does not forget what it had cost.
import type { Effect, Session, Spend } from '../core/index.js'
import type { Activity, Folder } from '../ports.js'
import type { Ports } from './live.js'

const HEARTBEAT_SECONDS = 5

type MeterPorts = Pick<Ports, 'reporter' | 'clock' | 'folder'>

type Meter = { onActivity: (activity: Activity) => void; stop: (said?: Spend) => Spend }

/** By the monotonic clock. A person's time is not ours, and leaves no mark. */
export function startMeter(ports: MeterPorts, session: Session, effect: Effect, mark: 'marked' | 'silent'): Meter {
  const started = ports.clock.seconds()
  let told: Spend = { seconds: 0, tokens: 0, usd: 0 }
  const spent = (): Spend => ({ ...told, seconds: ports.clock.seconds() - started })
  const write = (): void => {
    try {
      markBegun.write(ports.folder, { effect: effect.id, cuts: session.cuts, spent: spent() })
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
      if (activity.kind === 'cut' || activity.kind === 'retry') tell(ports, `${effect.phase}: ${activity.note}`)
      if (activity.kind === 'waiting') tell(ports, `${effect.phase}: ${activity.note}; waiting until ${clockTime(activity.until, ports.clock.now())}`)
      ports.reporter.notice({ kind: 'activity', effect, activity, at: ports.clock.now() })
    },
    stop: (said) => {
      clearInterval(beat)
      return said ? { ...said, seconds: spent().seconds } : spent()
    },
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

type Begun = { effect: string; cuts: number; spent: Spend }

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
