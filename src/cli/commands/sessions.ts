// `sessions`: all sessions of this repository, newest first.
import type { Refusal } from '../../errors.js'
import { asInHand } from '../accepted-now.js'
import { readEntries, type Entry } from '../catalogue.js'
import { openSessions } from '../context.js'
import { noSession } from '../find-session.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'
import { standOf, type Stand } from '../stand.js'
import { shortLine } from '../status-text.js'
import { entryFields } from './status.js'

export default async function sessions({ flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const { output, store } = context
  const { entries, damaged } = await readEntries(store)
  const all: { entry: Entry; stand: Stand }[] = []
  for (const read of entries) {
    const entry = await asInHand(read)
    all.push({ entry, stand: await standOf(entry) })
  }
  if (output.format === 'json') output.json(all.map(({ entry, stand }) => entryFields(entry, stand)))
  else if (output.format === 'jsonl') for (const { entry, stand } of all) output.json(entryFields(entry, stand))
  else if (entries.length + damaged.length === 0) sayNone(output, await noSession(context))
  else for (const { entry, stand } of all) output.data(`${entry.id}  ${shortLine(entry, stand)}`)
  for (const line of damaged) output.say(`damaged    ${line}`)
  return 0
}

function sayNone(output: Output, { message, next }: Refusal): void {
  output.say(`${message}\n  next: ${next}`)
}
