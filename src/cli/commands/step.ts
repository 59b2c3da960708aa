// `step`: exactly one transition.
import { openFolder } from '../../adapters/journal/folder.js'
import type { Session } from '../../core/index.js'
import type { Ending } from '../../ports.js'
import { exitCodeOf } from '../../shell/live.js'
import { stepOnce } from '../../shell/run.js'
import { waitingFor } from '../../shell/turn.js'
import { waitingLines } from '../../text/waiting.js'
import { refuseInside } from '../begin.js'
import { readEntry, standingOf, stateOf } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import { watchSignals } from '../drive.js'
import { keepLeft, refuseEdited } from '../edited.js'
import { findSession } from '../find-session.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { publishedOf } from '../published.js'
import { showingFor } from '../showing.js'
import { loopStatus, summaryOf } from '../status-fields.js'
import { requireTrustOfSessions, type TrustFlags } from '../trust.js'
import { ownExisting, type Owned } from '../wire.js'
import { checkoutOf, setupOf } from '../recorded.js'

export default async function step({ args, flags }: Call<TrustFlags>): Promise<number> {
  refuseInside()
  const context = await openSessions(flags)
  await requireTrustOfSessions(context, flags)
  const { output, store } = context
  const entry = await readEntry(store, await findSession(context, args[0]))
  if (entry.standing !== 'running') await refuseEdited(entry, output, `greenlatch step ${entry.id}`)
  const showing = showingFor(context, 'stream')
  const owned = await ownExisting(entry.folder, showing.reporter)
  const unwatch = watchSignals(owned, output)
  try {
    const ending = await stepOnce(owned)
    if (ending?.kind === 'interrupted') await keepLeft({ id: entry.id, session: owned.session, folder: owned.folder }, output)
    await tell(owned, ending, output)
    await showing.settle(owned.ports.control.now, ending ? { kind: 'ended', session: owned.session, how: ending, at: systemClock.now() } : undefined)
    return ending ? exitCodeOf(owned.session, ending) : 0
  } finally {
    unwatch()
    await owned.close()
  }
}

/** The state is that which the session is left in, as `status` would say it. */
async function tell({ session, folder }: Owned, ending: Ending | null, output: Output): Promise<void> {
  const standing = standingOf(session, folder)
  const state = stateOf(session, standing)
  const awaited = ending?.kind === 'waiting' ? ending : standing === 'waiting' ? awaitedBy(session, folder) : null
  const fields = awaited && { awaits: awaited.awaits, prompt: awaited.prompt, put: awaited.path, edit: awaited.cwd }
  if (output.format === 'json') output.json({ ...summaryOf(session, loopStatus(session, standing)), ...(await publishedOf(session, folder)), state, ...fields })
  if (output.format !== 'text') return
  output.data([state, session.finish?.label ?? session.label, session.id].join('\t'))
  if (!awaited) return
  output.say([`waiting for ${awaited.awaits}`, ...waitingLines(session.id, awaited)].join('\n'))
}

/** Also the step that has just asked says where the question is and where its answer goes. */
function awaitedBy(session: Session, folder: string): ReturnType<typeof waitingFor> | null {
  const { outstanding, id } = session
  return outstanding && waitingFor(openFolder(folder), outstanding, checkoutOf(setupOf(session), id, folder))
}
