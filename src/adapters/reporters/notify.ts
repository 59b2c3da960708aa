// Tells the desktop, through the terminal, when a person should look: it needs them, a rung was reached, a command was not run, it is over.
import type { Session } from '../../core/types.js'
import type { Notice, Reporter } from '../../ports.js'
import { happeningsOf, isNote } from '../../text/happenings.js'
import { sanitise } from '../../text/sanitise.js'

/** `note`: the sequence by which this terminal takes notes, if it takes any. `progress`: whether it shows how far we are. */
export type Ways = { note: 'OSC 9' | 'OSC 777' | null; progress: boolean }

const MOST_CHARACTERS = 200
const NO_PROGRESS = '0'

export function notifyReporter(write: (text: string) => void, { note, progress }: Ways): Reporter {
  let shown = ''
  let known: Session | null = null
  const show = (far: string): void => {
    if (far !== shown) write(osc(`9;4;${(shown = far)}`))
  }
  // Whoever ends the process at once would leave it there for ever.
  const clear = (): void => show(NO_PROGRESS)
  return {
    notice(notice) {
      for (const text of note === null ? [] : noteFor(notice, known)) write(note === 'OSC 9' ? osc(`9;greenlatch: ${text}`) : osc(`777;notify;greenlatch;${text}`))
      known = notice.kind === 'record' ? notice.after : notice.kind === 'began' ? notice.session : known
      if (!progress) return
      const far = progressAt(notice)
      if (far !== null) show(far)
      if (notice.kind === 'began') process.on('exit', clear)
      if (notice.kind === 'ended') process.off('exit', clear)
    },
  }
}

function osc(text: string): string {
  return `\u001B]${text}\u0007`
}

function noteFor(notice: Notice, known: Session | null): string[] {
  // Who has stopped it sits before this terminal.
  const isOwnDoing = notice.kind === 'ended' && notice.how.kind !== 'finished' && notice.how.kind !== 'waiting'
  const happened = isOwnDoing ? [] : happeningsOf(notice, known).filter(({ event }) => isNote(event))
  // A semicolon would end the field.
  return happened.map(({ text }) => sanitise(text).replaceAll('\n', ' ').replaceAll(';', ',').slice(0, MOST_CHARACTERS))
}

/** How much of what failed at the start is gone; unknown where nothing failed. */
function progressAt(notice: Notice): string | null {
  if (notice.kind === 'ended') return NO_PROGRESS
  if (notice.kind === 'began') return shareOf(notice.session)
  return notice.kind === 'record' ? shareOf(notice.after) : null
}

function shareOf({ origin, best }: Session): string {
  const before = origin?.failing.length ?? 0
  if (before === 0 || !best) return '3'
  return `1;${Math.max(0, Math.round((100 * (before - best.failing.length)) / before))}`
}
