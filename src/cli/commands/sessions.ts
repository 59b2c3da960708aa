// `sessions`: all sessions of this repository, newest first.
import { readEntries } from '../catalogue.js'
import { openSessions } from '../context.js'
import { summaryOf } from '../drive.js'
import type { Call } from '../program.js'
import { loopStatus, shortLine } from './status.js'

export default async function sessions({ flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const { entries, damaged } = await readEntries(context.store)
  if (context.output.format !== 'text') {
    const rows = entries.map((entry) => ({ ...summaryOf(entry.session, loopStatus(entry)), standing: entry.standing, path: entry.folder }))
    if (context.output.format === 'jsonl') for (const row of rows) context.output.json(row)
    else context.output.json(rows)
  } else if (entries.length + damaged.length === 0) {
    context.output.say('no sessions yet\n  begin:  greenlatch run --help')
  } else for (const entry of entries) context.output.data(`${entry.id}  ${shortLine(entry)}`)
  for (const line of damaged) context.output.say(`damaged    ${line}`)
  return 0
}
