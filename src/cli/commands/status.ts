// `status`: where a session stands, on one screen.
import { join } from 'node:path'
import { promptPath } from '../../shell/ask-files.js'
import { isHeld } from '../../shell/lock.js'
import { sandboxName } from '../../text/confinement.js'
import { sanitise } from '../../text/sanitise.js'
import { waitingIn } from '../waits-for.js'
import { acceptedNow, inHand } from '../accepted-now.js'
import { typeable } from '../carried.js'
import { readEntry, stateOf, type Entry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'
import { publishedOf } from '../published.js'
import { loopStatus, summaryOf } from '../status-fields.js'
import { standOf, type Stand } from '../stand.js'
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
  await tellStatus(context, entry, flags)
  return flags.wait ? restingCode(entry) : 0
}

export async function tellStatus({ output }: Context, read: Entry, { short }: { short?: boolean } = {}): Promise<void> {
  const accepted = await acceptedNow(read)
  const entry = inHand(read, accepted)
  for (const notice of entry.notices) output.say(`warning: ${notice}`)
  const stand = await standOf(entry)
  if (output.format !== 'text') output.json({ ...entryFields(entry, stand), ...meanwhile(entry), ...(await publishedOf(entry.session, entry.folder)) })
  else {
    const text = sanitise(short ? shortLine(entry, stand) : screen(entry, { stand, accepted, pattern: await patternOf(entry) }))
    output.data(wrapped(typeable(text), process.stdout.isTTY ? process.stdout.columns : undefined))
  }
}

/** What is to be typed next hangs on it, as on the other screens; only an end that is none for the better has one. */
async function patternOf(entry: Entry): Promise<string> {
  const { finish } = entry.session
  if (finish === null || finish.code === 0) return ''
  const { diagnosisOf } = await import('../diagnosis-of.js')
  return (await diagnosisOf(entry)).pattern ?? ''
}

/** The exit code of a session that nobody runs. */
export function restingCode({ session, standing }: Entry): number {
  const resting = standing === 'stopped' || standing === 'interrupted' ? 130 : 8
  return session.finish?.code ?? resting
}

function meanwhile(entry: Entry): object {
  const waits = waitingIn(entry)
  return { answered: entry.session.answered, waits: waits && { until: new Date(waits.until).toISOString(), why: waits.note }, ...asked(entry) }
}

/** The file with the question, where a person has to answer. */
function asked({ session: { outstanding }, standing, folder }: Entry): object {
  return standing === 'waiting' && outstanding ? { prompt: join(folder, promptPath(outstanding)) } : {}
}

/** What programs are told of a session, here and by `sessions`. */
export function entryFields(entry: Entry, { name, failing }: Stand): object {
  const { session, standing, pid, folder } = entry
  const stand = { stands_on: name, failing: failing?.length ?? null, accepted: isAccepted(session) }
  return { ...summaryOf(session, loopStatus(session, standing)), state: stateOf(session, standing), ...stand, sandbox: sandboxName(session.setup), pid, path: folder }
}
