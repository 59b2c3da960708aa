// One JSON object a line: every journal record as it becomes durable, then how it ended.
import type { Notice, Reporter } from '../../ports.js'

export function jsonlReporter(write: (text: string) => void): Reporter {
  return {
    notice(notice) {
      const line = lineOf(notice)
      if (line !== null) write(`${JSON.stringify(line)}\n`)
    },
  }
}

function lineOf(notice: Notice): object | null {
  switch (notice.kind) {
    case 'began': {
      const { id, procedure } = notice.session
      return { began: { session: id, procedure: procedure.name, resumed: notice.resumed }, at: notice.at }
    }
    case 'record':
      return notice.record
    case 'warning':
      return { warning: notice.text, at: notice.at }
    case 'ended': {
      const { finish } = notice.session
      return { ended: notice.how, state: finish?.outcome ?? notice.how.kind, finish, pattern: notice.pattern ?? null, at: notice.at }
    }
    case 'activity':
      return null
  }
}
