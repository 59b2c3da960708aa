// Plain lines on a stream as things happen, and a sign of life when nothing does.
import type { Session } from '../../core/types.js'
import type { Notice, Reporter } from '../../ports.js'
import { duration, median } from '../../text/amounts.js'
import { sanitise } from '../../text/sanitise.js'
import { iterationLines } from './iteration-lines.js'
import { phaseLines } from './phase-lines.js'

export type StreamOptions = {
  write: (text: string) => void
  /** Silence after which a heartbeat line is written. */
  heartbeatSeconds: number
  /** The command that runs just now, where it can be known. */
  command?: () => string
  /** Whether signs of life are seen elsewhere, so that no heartbeat is needed. */
  isSeen?: () => boolean
  /** What becomes of a line before it is written. */
  worded?: (line: string) => string
}

export function streamReporter(options: StreamOptions): Reporter {
  const pulse = startPulse(options)
  return {
    notice(notice) {
      const lines = linesOf(notice, pulse.session())
      pulse.feel(notice)
      const { write, worded = (line) => line } = options
      if (lines.length > 0) write(lines.map((line) => `${worded(sanitise(line).replaceAll('\n', ' '))}\n`).join(''))
    },
  }
}

/** What is told of it, a line each, as it came: not yet safe for a terminal. */
export function linesOf(notice: Notice, known: Session | null): string[] {
  const session = sessionOf(notice) ?? known
  if (session?.procedure.progress !== 'iterations') return phaseLines(notice)
  const stamp = clockTime(notice.kind === 'record' ? notice.record.at : notice.at)
  return iterationLines(notice).map((line) => `[${stamp}] ${line}`)
}

/** The session as it stands with a notice; null where the notice does not say. */
export function sessionOf(notice: Notice): Session | null {
  switch (notice.kind) {
    case 'began':
    case 'ended':
      return notice.session
    case 'record':
      return notice.after
    case 'activity':
    case 'warning':
      return null
  }
}

function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}

/** Tells that the loop is alive: which phase, for how long, and since when it has said nothing. */
function startPulse({ write, heartbeatSeconds, isSeen, command, worded = (line) => line }: StreamOptions) {
  const took: Record<string, number[]> = {}
  let session: Session | null = null
  let lastLine = Date.now()
  let lastOutput = Date.now()
  let phaseBegan = Date.now()
  const timer = setInterval(() => {
    if (!session?.outstanding || isSeen?.() || Date.now() - lastLine < heartbeatSeconds * 1000) return
    const { phase } = session.outstanding
    const usual = took[phase] ? ` (usually ${duration(median(took[phase]))})` : ''
    const running = command?.() ?? ''
    const line = `    … ${phase} for ${duration((Date.now() - phaseBegan) / 1000)}${usual}, no output for ${duration((Date.now() - lastOutput) / 1000)}${running === '' ? '' : `: ${running}`}`
    write(`${worded(sanitise(line).replaceAll('\n', ' '))}\n`)
    lastLine = Date.now()
  }, Math.min(1000, heartbeatSeconds * 1000))
  timer.unref()
  return {
    session: () => session,
    feel(notice: Notice): void {
      if (notice.kind === 'record') remember(notice, took)
      session = sessionOf(notice) ?? session
      if (notice.kind === 'activity') lastOutput = Date.now()
      else lastLine = phaseBegan = lastOutput = Date.now()
      if (notice.kind === 'ended') clearInterval(timer)
    },
  }
}

const MOST_TIMES = 50

/** What the phase took that has ended with the record. */
function remember({ record, before }: Extract<Notice, { kind: 'record' }>, took: Record<string, number[]>): void {
  const report = record.events.find((event) => event.type === 'observed')?.report
  const phase = before.outstanding?.phase
  if (report && phase !== undefined) took[phase] = [...(took[phase] ?? []), report.spent.seconds].slice(-MOST_TIMES)
}
