// `status`: where a session stands, on one screen.
import { isHeld } from '../../shell/lock.js'
import { sanitise } from '../../text/sanitise.js'
import { findSession, readEntry, stateOf, type Entry } from '../catalogue.js'
import { openSessions } from '../context.js'
import { summaryOf } from '../drive.js'
import type { Call } from '../program.js'
import { loopStatus } from '../status-fields.js'
import { screen, shortLine } from '../status-text.js'

export default async function status({ args, flags }: Call<{ short?: boolean; wait?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  const id = findSession(context.store, args[0])
  let entry = await readEntry(context.store, id)
  while (flags.wait && entry.standing === 'running') {
    while (await isHeld(entry.folder)) await new Promise((resolve) => setTimeout(resolve, 200))
    entry = await readEntry(context.store, id)
  }
  for (const notice of entry.notices) context.output.say(`warning: ${notice}`)
  if (context.output.format !== 'text') context.output.json(entryFields(entry))
  else context.output.data(sanitise(flags.short ? shortLine(entry) : screen(entry)))
  const resting = entry.standing === 'stopped' || entry.standing === 'interrupted' ? 130 : 8
  return flags.wait ? (entry.session.finish?.code ?? resting) : 0
}

/** What programs are told of a session, here and by `sessions`. */
export function entryFields(entry: Entry): object {
  const { session, standing, pid, folder } = entry
  return { ...summaryOf(session, loopStatus(session, standing)), state: stateOf(session, standing), pid, path: folder }
}
