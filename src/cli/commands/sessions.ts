// `sessions`: all sessions of this repository, newest first.
import { readEntries } from '../catalogue.js'
import { openSessions } from '../context.js'
import type { Call } from '../program.js'
import { shortLine } from '../status-text.js'
import { entryFields } from './status.js'

export default async function sessions({ flags }: Call): Promise<number> {
  const { output, store } = await openSessions(flags)
  const { entries, damaged } = await readEntries(store)
  if (output.format === 'json') output.json(entries.map(entryFields))
  else if (output.format === 'jsonl') for (const entry of entries) output.json(entryFields(entry))
  else if (entries.length + damaged.length === 0) output.say('no sessions yet\n  begin:  greenlatch run --help')
  else for (const entry of entries) output.data(`${entry.id}  ${shortLine(entry)}`)
  for (const line of damaged) output.say(`damaged    ${line}`)
  return 0
}
