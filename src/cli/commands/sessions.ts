// `sessions`: all sessions of this repository, newest first.
import { readEntries } from '../catalogue.js'
import { openContext } from '../context.js'
import { summaryOf } from '../drive.js'
import type { Call } from '../program.js'
import { loopStatus, shortLine } from './status.js'

export default async function sessions({ flags }: Call): Promise<number> {
  const context = await openContext(flags)
  const { entries, damaged } = await readEntries(context.store)
  if (context.output.format !== 'text') {
    context.output.json(entries.map((entry) => ({ ...summaryOf(entry.session, loopStatus(entry)), standing: entry.standing, path: entry.folder })))
  } else if (entries.length + damaged.length === 0) {
    context.output.say('no sessions yet\n  begin:  greenlatch run --help')
  } else for (const entry of entries) context.output.data(`${entry.id}  ${shortLine(entry)}`)
  for (const line of damaged) context.output.say(`damaged    ${line}`)
  return 0
}
