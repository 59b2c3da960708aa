// `status`: where a session stands, on one screen.
import { isHeld } from '../../shell/lock.js'
import { sanitise } from '../../text/sanitise.js'
import { readEntry, stateOf, type Entry } from '../catalogue.js'
import { openSessions } from '../context.js'
import { summaryOf } from '../drive.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'
import { publishedOf } from '../published.js'
import { loopStatus } from '../status-fields.js'
import { acceptedOf, standOf, type Stand } from '../stand.js'
import { isAccepted, screen, shortLine } from '../status-text.js'
import { wrapped } from '../wrap.js'

export default async function status({ args, flags }: Call<{ short?: boolean; wait?: boolean }>): Promise<number> {
  const context = await openSessions(flags)
  const id = await findSession(context, args[0])
  let entry = await readEntry(context.store, id)
  while (flags.wait && entry.standing === 'running') {
    while (await isHeld(entry.folder)) await new Promise((resolve) => setTimeout(resolve, 200))
    entry = await readEntry(context.store, id)
  }
  for (const notice of entry.notices) context.output.say(`warning: ${notice}`)
  const stand = await standOf(entry)
  if (context.output.format !== 'text') context.output.json({ ...entryFields(entry, stand), ...(await publishedOf(entry.session, entry.folder)) })
  else {
    const text = sanitise(flags.short ? shortLine(entry, stand) : screen(entry, stand, await acceptedOf(entry)))
    context.output.data(wrapped(text, process.stdout.isTTY ? process.stdout.columns : undefined))
  }
  const resting = entry.standing === 'stopped' || entry.standing === 'interrupted' ? 130 : 8
  return flags.wait ? (entry.session.finish?.code ?? resting) : 0
}

/** What programs are told of a session, here and by `sessions`. */
export function entryFields(entry: Entry, { name, failing }: Stand): object {
  const { session, standing, pid, folder } = entry
  const stand = { stands_on: name, failing: failing?.length ?? null, accepted: isAccepted(session) }
  return { ...summaryOf(session, loopStatus(session, standing)), state: stateOf(session, standing), ...stand, pid, path: folder }
}
