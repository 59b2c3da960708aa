// Rings the terminal's bell when a person should look: the end, a session that waits, a command that was not run; three times when
// an addition to the task was refused.
import type { Notice, Reporter } from '../../ports.js'

const BELL = '\u0007'

export function bellReporter(write: (text: string) => void): Reporter {
  let rang = false
  return {
    notice(notice) {
      const rings = notice.kind === 'ended' && rang ? 0 : ringsFor(notice)
      rang = notice.kind === 'record' && rings === REFUSED_AMENDMENT
      if (rings > 0) write(BELL.repeat(rings))
    },
  }
}

const REFUSED_AMENDMENT = 3

function ringsFor(notice: Notice): number {
  if (notice.kind === 'ended') return notice.how.kind === 'finished' || notice.how.kind === 'waiting' ? 1 : 0
  if (notice.kind === 'activity') return notice.activity.kind === 'waiting' && notice.activity.wish !== undefined ? 1 : 0
  if (notice.kind === 'warning') return notice.blocked ? 1 : 0
  if (notice.kind !== 'record') return 0
  const { before, after } = notice
  const amending = before.outstanding?.kind === 'ask' && before.outstanding.yields === 'amendment'
  return amending && after.finish !== null ? REFUSED_AMENDMENT : 0
}
