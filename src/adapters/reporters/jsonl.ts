// One JSON object a line: every journal record as it becomes durable, then how it ended.
import type { Reporter } from '../../ports.js'

export function jsonlReporter(write: (text: string) => void): Reporter {
  return {
    notice(notice) {
      if (notice.kind === 'began') write(`${JSON.stringify({ began: { session: notice.session.id, procedure: notice.session.procedure.name, resumed: notice.resumed }, at: notice.at })}\n`)
      if (notice.kind === 'record') write(`${JSON.stringify(notice.record)}\n`)
      if (notice.kind === 'warning') write(`${JSON.stringify({ warning: notice.text, at: notice.at })}\n`)
      if (notice.kind === 'ended') write(`${JSON.stringify({ ended: notice.how, finish: notice.session.finish, at: notice.at })}\n`)
    },
  }
}
