// `replay`: feeds a session's recorded reports through the engine once more, without agent, gate or workspace, and writes nothing.
import { join } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { EXIT } from '../../errors.js'
import { startReplay, type Deviation } from '../../simulate/replay.js'
import { counted } from '../../text/amounts.js'
import { replayLine, shownValue } from '../../text/replay-lines.js'
import { sanitise } from '../../text/sanitise.js'
import { fold, readEntry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession } from '../find-session.js'
import type { Call } from '../program.js'

const MOST_LISTED = 20

type Located = Deviation & { record: number }
type Replayed = { id: string; reports: number; deviations: number; listed: Located[]; timeline: string[] }

export default async function replay({ args, flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const id = await findSession(context, args[0])
  // A journal without a whole record has nothing that could come out otherwise, and is refused here as everywhere.
  await readEntry(context.store, id)
  const replayed = await replayAll(context, id)
  if (context.output.format === 'text') tell(context, replayed)
  else context.output.json(fieldsOf(replayed))
  return replayed.deviations === 0 ? EXIT.ok : EXIT.failed
}

async function replayAll({ store, output }: Context, id: string): Promise<Replayed> {
  const journal = openJournal({ folder: join(store, id), fold, clock: systemClock, writable: false })
  const engine = startReplay()
  const replayed: Replayed = { id, reports: 0, deviations: 0, listed: [], timeline: [] }
  for await (const { seq, events } of journal.records()) {
    for (const event of events) {
      const line = replayLine(event, engine.session())
      const deviation = engine.take(event)
      if (event.type === 'observed') replayed.reports += 1
      if (line !== null && output.format === 'text') output.data(sanitise(line).replaceAll('\n', ' '))
      else if (line !== null) replayed.timeline.push(line)
      if (!deviation) continue
      replayed.deviations += 1
      if (replayed.listed.length < MOST_LISTED) replayed.listed.push({ ...deviation, record: seq })
    }
  }
  return replayed
}

function tell({ output }: Context, { reports, deviations, listed }: Replayed): void {
  const [first] = listed
  if (!first) return output.say(`${counted(reports, 'report')} replayed: every effect, judgement and decision came out as recorded`)
  const { record, what, phase, iteration, path, recorded, now } = first
  const cause = 'by another version of greenlatch or a changed journal'
  output.say(`${counted(reports, 'report')} replayed: ${counted(deviations, 'thing')} came out otherwise than recorded, ${cause}`)
  const values = `was ${shownValue(recorded)} and is now ${shownValue(now)}`
  output.say(`first in record ${record}, iteration ${iteration}, ${phase}: ${what}.${path} ${values}`)
}

function fieldsOf({ id, reports, deviations, listed, timeline }: Replayed): object {
  return { session: id, reports, same: deviations === 0, deviations, differences: listed, timeline }
}
