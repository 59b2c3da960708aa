// A gate whose command does not run: tells a candidate that keeps it from running from a command that cannot be run at all.
import type { Failure } from '../core/types.js'
import type { GateOutcome } from '../ports.js'
import { fingerprintOf } from '../text/failures/failing-lines.js'
import type { Heard } from './live.js'
import type { Suspicion } from './triage.js'

const SUBJECT = 'cannot run'

/** What runs on the start tree and not on this one was broken by what was done since, and has failed. */
export async function blamed({ trials, session, effect }: Suspicion, heard: Heard): Promise<GateOutcome> {
  const { gate, exit, note } = heard.result
  if (exit !== 'error' || effect.baseline || effect.tree === session.start) return heard
  const before = await trials.run(gate, session.start)
  if (before === 'aborted' || before.result.exit === 'error') return before === 'aborted' ? before : heard
  const message = `${note}\nOn the files as they were at the start it runs.`
  const failure: Failure = { gate, subject: SUBJECT, class: 'behaviour', fingerprint: fingerprintOf(gate, SUBJECT), message, runs: { failed: 1, of: 1 } }
  return { ...heard, failures: [failure], ids: null, skipped: [], result: { ...heard.result, exit: 'fail', complete: true, known: false } }
}
