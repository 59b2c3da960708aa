// `step`: exactly one transition.
import { join } from 'node:path'
import type { Ending } from '../../ports.js'
import { exitCodeOf } from '../../shell/live.js'
import { stepOnce } from '../../shell/run.js'
import { refuseInside } from '../begin.js'
import { findSession, standingOf, stateOf } from '../catalogue.js'
import { openSessions } from '../context.js'
import { reporterFor, summaryOf, watchSignals } from '../drive.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { loopStatus } from '../status-fields.js'
import { ownExisting, type Owned } from '../wire.js'

export default async function step({ args, flags }: Call): Promise<number> {
  refuseInside()
  const { output, store } = await openSessions(flags)
  const owned = await ownExisting(join(store, findSession(store, args[0])), reporterFor(output))
  const unwatch = watchSignals(owned, output)
  try {
    const ending = await stepOnce(owned)
    tell(owned, ending, output)
    return ending ? exitCodeOf(owned.session, ending) : 0
  } finally {
    unwatch()
    await owned.close()
  }
}

/** The state is that which the session is left in, as `status` would say it. */
function tell({ session, folder }: Owned, ending: Ending | null, output: Output): void {
  const standing = standingOf(session, folder)
  const state = stateOf(session, standing)
  const awaited = ending?.kind === 'waiting' ? { awaits: ending.awaits, put: ending.path } : null
  if (output.format === 'json') output.json({ ...summaryOf(session, loopStatus(session, standing)), state, ...awaited })
  if (output.format !== 'text') return
  output.data([state, session.label, session.id].join('\t'))
  if (!awaited) return
  output.say(`waiting for ${awaited.awaits}\n  put it into:    ${awaited.put}`)
  output.say(`  or hand it in:  greenlatch reply ${session.id} --file <file>`)
}
