// What an ask of a command line came to: by our own limits, by its closing record, and by what it complained of where there is none.
import type { Answer } from '../../../ports.js'
import type { ProcessResult } from '../../../process/types.js'
import { faultIn } from '../../../text/agent-faults/agent-faults.js'
import type { Heard } from './listen.js'

type Verdict = Pick<Answer, 'ending' | 'note' | 'until' | 'closed'>

/** `login`: what a person does to log in. */
type Circumstances = { patienceSeconds: number; login: string }

/** Our own limits come first, then the closing record; an exit status alone shows nothing, a missing record a failure. */
export function verdictOf({ ended, retry, gaveUp }: Heard, { ending, note, exitCode, stderr }: ProcessResult, { patienceSeconds, login }: Circumstances): Verdict {
  const isUnserved = ended?.how === 'unavailable'
  // Whoever still tries to reach its model when our limit is over has not been slow: it could not be served.
  if (ending === 'aborted' && gaveUp && !isUnserved) return unservedBy(`ended after ${patienceSeconds} s of nothing but retries: ${retry}`, retry)
  if (ending === 'aborted' && !gaveUp) return { ending, note }
  // Some do not go away when they are through. What they have done is not lost for that.
  if (ended?.how === 'done' && ending !== 'unstartable') return { ending: 'done', note: ended.note || note }
  if (ending === 'timeout' || ending === 'silence') return retry === '' ? { ending, note } : unservedBy(`${note}, ${retry}`, retry)
  if (ending === 'unstartable') return { ending: 'unavailable', note }
  if (isUnserved && ended.isLogin) return loggedOut(ended.note, login)
  if (isUnserved) return unservedBy(ended.note, ended.note, ended.until)
  const fault = faultIn(ended ? ended.note : stderr.text, Date.now())
  if (fault?.kind === 'login') return loggedOut(fault.note, login)
  if (fault) return { ending: 'unavailable', note: fault.note, ...(fault.until !== undefined && { until: fault.until }) }
  if (ended) return { ending: 'failed', note: ended.note }
  const complaint = (stderr.text.trim().split('\n').at(-1) ?? '').trim()
  return { ending: 'failed', note: `ended without its closing record (${exitCode === null ? note : `exit ${exitCode}`})${complaint && `: ${complaint}`}` }
}

const MOST_COMPLAINT_CHARS = 100

/** Nothing but a login helps: whoever is asked again would say the same again. */
function loggedOut(complaint: string, login: string): Verdict {
  return { ending: 'unavailable', closed: true, note: `${complaint.slice(0, MOST_COMPLAINT_CHARS).replace(/[.\s]+$/, '')}: ${login}` }
}

/** Where nobody has told when the limit is over, the words may. */
function unservedBy(note: string, complaint: string, until = faultIn(complaint, Date.now())?.until): Verdict {
  return { ending: 'unavailable', note, ...(until !== undefined && { until }) }
}
