// What an ask came to: by the stop reason that ends the turn, and by nothing else; without one it has failed.
import type { Answer } from '../../../ports.js'
import type { ProcessResult } from '../../../process/types.js'
import { faultIn } from '../../../text/agent-faults/agent-faults.js'
import type { Outcome } from './converse.js'

export type Verdict = Pick<Answer, 'ending' | 'note' | 'until' | 'closed'>

const FAILED: Readonly<Record<string, string>> = {
  max_tokens: 'it stopped at the most tokens it may use (max_tokens)',
  max_turn_requests: 'it stopped at the most requests it may make in a turn (max_turn_requests)',
  refusal: 'it refused to go on (refusal)',
  cancelled: 'it cancelled its turn without being told to (cancelled)',
}

/** A turn that ended before a limit was met has ended, whatever became of the process afterwards. */
export function verdictOf(outcome: Outcome, result: ProcessResult, isCancelled: boolean): Verdict {
  const { ending, note } = result
  const isLimit = ending === 'timeout' || ending === 'silence' || ending === 'aborted'
  if (isLimit && (isCancelled || outcome.kind === 'closed')) return { ending, note }
  if (ending === 'unstartable') return { ending: 'unavailable', note }
  switch (outcome.kind) {
    case 'stopped':
      return outcome.reason === 'end_turn' ? { ending: 'done', note: 'end_turn' } : { ending: 'failed', note: FAILED[outcome.reason] ?? `it stopped for a reason that is not known here: ${outcome.reason}` }
    case 'unavailable':
      return { ending: 'unavailable', closed: true, note: outcome.note }
    case 'error':
      return faultOr(outcome.note, { ending: 'failed', note: `${outcome.at} was answered with an error: ${outcome.note}` })
    case 'closed':
      return gone(outcome.at, result)
  }
}

function gone(at: string, { exitCode, note, stderr }: ProcessResult): Verdict {
  const complaint = (stderr.text.trim().split('\n').at(-1) ?? '').trim()
  const how = exitCode === null ? note : `exit ${exitCode}`
  return faultOr(stderr.text, { ending: 'failed', note: `ended during ${at} (${how})${complaint && `: ${complaint}`}` })
}

/** Whoever could not be served has not failed: it can be asked again, or another in its place. */
function faultOr(said: string, otherwise: Verdict): Verdict {
  const fault = faultIn(said, Date.now())
  if (!fault) return otherwise
  const more = { ...(fault.until !== undefined && { until: fault.until }), ...(fault.kind === 'login' && { closed: true as const }) }
  return { ending: 'unavailable', note: fault.note, ...more }
}
