// Why a session stands where it stands, from all its records.
import { openJournal } from '../adapters/journal/files.js'
import { raiseFlags } from '../adapters/reporters/raise.js'
import { startDiagnosis } from '../text/diagnosis/diagnosis.js'
import { fold, type Entry } from './catalogue.js'
import { systemClock } from './clock.js'

export async function diagnosisOf({ folder, session, standing }: Entry): Promise<ReturnType<ReturnType<typeof startDiagnosis>['diagnosis']>> {
  const collector = startDiagnosis()
  const journal = openJournal({ folder, fold, clock: systemClock, writable: false })
  for await (const { events } of journal.records()) for (const event of events) collector.take(event)
  return collector.diagnosis(session, { standing, raise: raiseFlags(session) })
}
