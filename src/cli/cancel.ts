// Ends a session for good that nobody runs: a person has decided that it is not to go on.
import { openFolder } from '../adapters/journal/folder.js'
import { emptyReport, rebuild, step, type Decision, type Event, type Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { markBegun } from '../shell/meter.js'
import { whileOwned } from './at-rest.js'
import type { Entry } from './catalogue.js'
import { systemClock } from './clock.js'

const WHY = 'cancelled by a person'

/** Neither agents nor gates are needed for it, so that one whose agent is gone can be left too. */
export async function cancelSession(entry: Entry): Promise<void> {
  await whileOwned(entry, { say: () => {} }, async (owned) => {
    const { id, session, folder } = owned
    if (session.finish) throw new Refusal(EXIT.usage, `session ${id} has ended: ${session.finish.outcome}`, `greenlatch status ${id}`)
    owned.write(cancelling(session, folder))
  })
}

/** An effect that is outstanding gets its answer, with what it had cost before it was cut off. */
function cancelling(session: Session, folder: string): Event[] {
  const effect = session.outstanding
  if (!effect) return [{ type: 'decided', decision: decisionFor(session) }]
  const begun = markBegun.read(openFolder(folder))
  const cutOff = begun?.effect === effect.id && begun.cuts === session.cuts
  const report = { ...emptyReport(effect), verdict: 'cancelled' as const, note: WHY, endedAt: systemClock.now() }
  const observed = step(session, cutOff ? { ...report, spent: begun.spent } : report).slice(0, 1)
  return [...observed, { type: 'decided', decision: decisionFor(rebuild(observed, session)) }]
}

function decisionFor({ tree }: Session): Decision {
  return {
    to: '@cancelled', cause: 'route', why: WHY, repeats: false, rung: null, fired: false, posture: null, restore: null, resets: false,
    finish: { outcome: 'cancelled', code: EXIT.cancelled, label: 'unverified', why: WHY, delivers: tree, resumesAt: null },
    pending: null,
  }
}
