// `explain`: why a session stands where it stands, with evidence and what to type next; or the story of one failure.
import { openJournal } from '../../adapters/journal/files.js'
import { EXIT, Refusal } from '../../errors.js'
import type { Journal } from '../../ports.js'
import { knownFingerprints, matchingFingerprints, startStory, storyText, type FailureStory } from '../../text/diagnosis/failure.js'
import { diagnosisText } from '../../text/diagnosis/text.js'
import { refuseAgents } from '../at-rest.js'
import { asInHand } from '../accepted-now.js'
import { typeable } from '../carried.js'
import { fold, readEntry, type Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import { diagnosisOf } from '../diagnosis-of.js'
import { findSession } from '../find-session.js'
import { didYouMean } from '../meant.js'
import type { Call } from '../program.js'

export default async function explain({ args, flags }: Call<{ fingerprint?: string }>): Promise<number> {
  const context = await openSessions(flags)
  const { output } = context
  const entry = await readEntry(context.store, await findSession(context, args[0]))
  if (Object.values(entry.session.when).includes('sealed')) refuseAgents('read what a check says that is kept back from it')
  for (const notice of entry.notices) output.say(`warning: ${notice}`)
  if (flags.fingerprint !== undefined) {
    const journal = openJournal({ folder: entry.folder, fold, clock: systemClock, writable: false })
    const story = await storyOf(entry, journal, flags.fingerprint)
    if (output.format === 'text') output.data(storyText(story))
    else output.json(story)
    return EXIT.ok
  }
  const diagnosis = await diagnosisOf(await asInHand(entry))
  if (output.format === 'text') output.data(typeable(diagnosisText(diagnosis)))
  else output.json({ ...diagnosis, next: diagnosis.next.map(typeable) })
  return EXIT.ok
}

async function storyOf({ id }: Entry, journal: Journal, named: string): Promise<FailureStory> {
  const known = new Map<string, string>()
  for await (const { events } of journal.records()) for (const event of events) knownFingerprints(known, event)
  const [match, ...others] = matchingFingerprints(known, named)
  if (match === undefined) {
    const text = `session ${id} has no failure with the fingerprint "${named}"${didYouMean(named, [...known.keys()])}`
    throw new Refusal(EXIT.usage, text, `greenlatch explain ${id}`)
  }
  if (others.length > 0) {
    const next = `greenlatch explain ${id} --fingerprint ${match}`
    throw new Refusal(EXIT.usage, `"${named}" fits ${others.length + 1} failures`, next)
  }
  const teller = startStory(match)
  for await (const { events } of journal.records()) for (const event of events) teller.take(event)
  const story = teller.story()
  if (!story) throw new Error(`the failure ${match} was seen once and is gone from the journal`)
  return story
}
