// Keeps the diagnosis of a session: a page beside its journal when it ends, and a name at the end of what people see.
import type { Event } from '../../core/types.js'
import type { Notice } from '../../ports.js'
import { startDiagnosis } from '../../text/diagnosis/diagnosis.js'
import { diagnosisText, patternText } from '../../text/diagnosis/text.js'
import { raiseFlags } from './raise.js'

export const DIAGNOSIS_FILE = 'diagnosis.md'

export type DiagnosisKeeper = {
  take(events: readonly Event[]): void
  /** Path and text of the page, of a session that has ended; else nothing. */
  fileAt(notice: Notice): Record<string, string>
  /** The same notice; the last one of a session that went wrong carries the name of what went wrong. */
  named(notice: Notice): Notice
}

export function keepDiagnosis(): DiagnosisKeeper {
  const collector = startDiagnosis()
  return {
    take: (events) => events.forEach((event) => collector.take(event)),
    fileAt(notice) {
      const session = notice.kind === 'record' ? notice.after : notice.kind === 'began' ? notice.session : null
      if (!session?.finish) return {}
      return { [DIAGNOSIS_FILE]: diagnosisText(collector.diagnosis(session, { raise: raiseFlags(session) })) }
    },
    named(notice) {
      if (notice.kind !== 'ended' || notice.how.kind !== 'finished') return notice
      const pattern = patternText(collector.diagnosis(notice.session))
      return pattern === '' ? notice : { ...notice, pattern }
    },
  }
}
