// `minimise`: leaves out of a proved result what its checks do not need. `run --minimise` does the same at its end.
import { parseDuration } from '../../config/duration.js'
import { EXIT, Refusal } from '../../errors.js'
import { globFault } from '../../text/glob.js'
import { refuseAgents, whileOwned } from '../at-rest.js'
import { readEntry } from '../catalogue.js'
import { withCheckPorts } from '../check-again.js'
import { openSessions } from '../context.js'
import { findSession } from '../find-session.js'
import { minimise as search, obstacleTo } from '../minimise.js'
import { minimisedFields, tellMinimised } from '../minimise-text.js'
import type { Call } from '../program.js'
import { requireTrustOfSessions, type TrustFlags } from '../trust.js'
import { USUAL_BOUNDS, type Bounds } from '../search-pieces.js'

type MinimiseFlags = TrustFlags & { maxTrials?: number; maxTime?: string; keep?: string[] }

export default async function minimise({ args, flags }: Call<MinimiseFlags>): Promise<number> {
  refuseAgents('make the result of a session smaller')
  const asked = { bounds: boundsOf(flags), keep: globsOf(flags) }
  const context = await openSessions(flags)
  await requireTrustOfSessions(context, flags)
  const { output } = context
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  return whileOwned(entry, output, async (owned) => {
    const obstacle = obstacleTo(owned.session)
    if (obstacle !== null) throw new Refusal(EXIT.usage, `session ${owned.id} cannot be minimised: ${obstacle}`, `greenlatch status ${owned.id}`)
    const done = await withCheckPorts(owned, output, (ports) => search(owned, ports, { ...asked, say: output.say }))
    tellMinimised(output, owned.id, done)
    if (output.format === 'text') output.data(`${done.kind}\t${owned.session.finish?.label ?? '-'}\t${owned.id}`)
    else output.json({ session: owned.id, label: owned.session.finish?.label ?? null, ...minimisedFields(done) })
    return done.kind === 'interrupted' ? 130 : 0
  })
}

function boundsOf({ maxTrials, maxTime }: MinimiseFlags): Bounds {
  const seconds = maxTime === undefined ? USUAL_BOUNDS.seconds : parseDuration(maxTime, '--max-time')
  const trials = maxTrials ?? USUAL_BOUNDS.trials
  return { trials: trials === 0 ? Infinity : trials, seconds: seconds === 0 ? Infinity : seconds }
}

function globsOf({ keep = [] }: MinimiseFlags): string[] {
  for (const glob of keep) {
    const fault = globFault(glob)
    if (fault !== null) throw new Refusal(EXIT.usage, `--keep: "${glob}" is no use, expected ${fault}`, 'greenlatch minimise --keep <glob>')
  }
  return keep
}
