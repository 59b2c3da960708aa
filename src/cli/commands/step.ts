// `step`: exactly one transition.
import { join } from 'node:path'
import type { Ending } from '../../ports.js'
import { exitCodeOf } from '../../shell/live.js'
import { stepOnce } from '../../shell/run.js'
import { refuseInside } from '../begin.js'
import { findSession } from '../catalogue.js'
import { openSessions } from '../context.js'
import { reporterFor, summaryOf, watchSignals } from '../drive.js'
import type { Call } from '../program.js'
import { ownExisting } from '../wire.js'

export default async function step({ args, flags }: Call): Promise<number> {
  refuseInside()
  const context = await openSessions(flags)
  const owned = await ownExisting(join(context.store, findSession(context.store, args[0])), reporterFor(context.output))
  const unwatch = watchSignals(owned, context.output)
  try {
    const ending = await stepOnce(owned)
    const { session } = owned
    const state = session.finish?.outcome ?? ending?.kind ?? 'moved'
    if (context.output.format === 'json') context.output.json({ ...summaryOf(session, 'paused'), state, ...waitingFor(ending) })
    if (context.output.format === 'text') {
      context.output.data([state, session.label, session.id].join('\t'))
      if (ending?.kind === 'waiting') context.output.say(`waiting for ${ending.awaits}\n  put it into:    ${ending.path}\n  or hand it in:  greenlatch reply ${session.id} --file <file>`)
    }
    return ending ? exitCodeOf(session, ending) : 0
  } finally {
    unwatch()
    await owned.close()
  }
}

function waitingFor(ending: Ending | null): object {
  return ending?.kind === 'waiting' ? { awaits: ending.awaits, put: ending.path } : {}
}
