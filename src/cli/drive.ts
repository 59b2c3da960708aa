// Runs a session that this process owns: signals in, progress and result out, exit code back.
import type { Session } from '../core/index.js'
import type { Ending } from '../ports.js'
import { endAllTreesNow } from '../process/tree.js'
import { exitCodeOf } from '../shell/live.js'
import { run } from '../shell/run.js'
import { keepLeft } from './edited.js'
import { siteOf } from './ground.js'
import { leaveOnBranch } from './left-on-branch.js'
import { hasBranchPhase } from './session-flags.js'
import { minimiseAtEnd } from './minimise-at-end.js'
import type { Output } from './output.js'
import type { Showing } from './showing.js'
import { onSignals, SIGNAL_CODES } from './signals.js'
import { summaryOf, type LoopStatus } from './status-fields.js'
import type { Owned } from './wire.js'
import { setupOf } from './recorded.js'

/** The session itself has ended well; what was wanted beyond that was interrupted. */
const CODE_CUT_SHORT = 130

export async function drive(owned: Owned, how: { resumed: boolean }, { showing, output }: { showing: Showing; output: Output }): Promise<number> {
  const unwatch = watchSignals(owned, output)
  try {
    await showing.begin(owned.session, owned.ports.journal.records(), owned.ports.control.now)
    let isCutShort = false
    const last = async (): Promise<void> => void (isCutShort = (await minimiseAtEnd(owned, output)) === 'interrupted')
    const ending = await run(owned, { ...how, last })
    showing.end()
    await leave(owned, ending, output)
    writeResult(owned.session, ending, output, owned.folder)
    await showing.settle(owned.ports.control.now)
    return isCutShort ? CODE_CUT_SHORT : exitCodeOf(owned.session, ending)
  } finally {
    showing.end()
    unwatch()
    await owned.close()
  }
}

/** What a procedure with a branch of its own leaves there when it fails; what one that was cut off leaves in the user's folder. */
async function leave({ session, folder }: Owned, ending: Ending, output: Output): Promise<void> {
  if (ending.kind === 'interrupted') await keepLeft({ id: session.id, session, folder }, output)
  if (!session.finish || !hasBranchPhase(session.procedure)) return
  const setup = setupOf(session)
  const { store } = await siteOf(setup, session, folder)
  const left = await leaveOnBranch(setup, session, store, folder)
  if (left !== null) output.say(left)
}

/** The first signal ends the effect under way and is recorded; the second ends everything at once. A closing terminal may hang up twice. */
export function watchSignals(owned: Owned, output: Output): () => void {
  return onSignals((signal) => {
    if (!owned.ports.control.now.aborted) {
      output.say(`${signal}: ending what is under way (again to force it)`)
      owned.ports.control.interrupt(signal)
    } else if (signal !== 'SIGHUP') {
      endAllTreesNow()
      output.say(`forced\n  go on:  greenlatch resume ${owned.session.id}`)
      process.exit(SIGNAL_CODES[signal])
    }
  })
}

/** The result itself, for programs: the words of the reporter are for people. */
function writeResult(session: Session, ending: Ending, output: Output, folder: string): void {
  const state = session.finish?.outcome ?? ending.kind
  const summary = summaryOf(session, statusAt(session, ending))
  if (output.format === 'json') output.json({ ...summary, state, ...awaited(ending), path: folder, code: exitCodeOf(session, ending) })
  if (output.format === 'text') output.data([state, session.finish?.label ?? '-', session.id].join('\t'))
}

function awaited(ending: Ending): object {
  return ending.kind === 'waiting' ? { awaits: ending.awaits, prompt: ending.prompt, put: ending.path, edit: ending.cwd } : {}
}

function statusAt(session: Session, ending: Ending): LoopStatus {
  if (session.finish) return session.finish.code === 0 ? 'completed' : 'aborted'
  return ending.kind === 'paused' || ending.kind === 'waiting' ? 'paused' : 'interrupted'
}
