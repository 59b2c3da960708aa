// `logs`: the events of a session, one line each, or the records themselves.
import { join } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { tailJournal } from '../../adapters/journal/tail.js'
import { leftFailing, namedFailures } from '../../adapters/reporters/known-failures.js'
import { apply, rebuild, type Event, type Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import type { JournalRecord } from '../../ports.js'
import { isHeld } from '../../shell/lock.js'
import { eventText } from '../../text/event-text.js'
import { sanitise } from '../../text/sanitise.js'
import { fold } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import { findSession } from '../find-session.js'
import { didYouMean } from '../meant.js'
import type { Output } from '../output.js'
import type { Call } from '../program.js'

type LogFlags = { follow?: boolean; iter?: number; phase?: string }

/** Where the events read so far have come to, and the session they make. */
type Place = { iteration: number; phase: string; session: Session | null }

const POLL_MILLISECONDS = 300

export default async function logs({ args, flags }: Call<LogFlags>): Promise<number> {
  const context = await openSessions(flags)
  return tellLogs(context.store, await findSession(context, args[0]), flags, context.output)
}

/** Of a session whose folder lies in `store`. */
export async function tellLogs(store: string, id: string, flags: LogFlags, output: Output): Promise<number> {
  const folder = join(store, id)
  const journal = openJournal({ folder, fold, clock: systemClock, writable: false })
  const place: Place = { iteration: 0, phase: '', session: null }
  const kept: JournalRecord[] = []
  const tail = tailJournal(folder)
  let [seen, shown] = [0, 0]
  for (;;) {
    const alive = flags.follow === true && (await isHeld(folder)) !== null
    for await (const { record, again } of tail.next()) {
      if (again) place.session = null
      if (record.seq <= seen) {
        place.session = rebuild(record.events, place.session)
        continue
      }
      seen = record.seq
      const lines = record.events.flatMap((event) => lineOf(event, place, flags))
      if (lines.length === 0) continue
      shown += 1
      if (output.format === 'json') kept.push(record)
      else show(record, lines, output)
    }
    if (!alive) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS))
  }
  if (shown === 0) refuseUnknown(id, (await journal.load()).session.procedure.phases, place, flags)
  if (output.format === 'json') output.json(kept)
  return 0
}

/** A number or name that does not exist is not the same as one under which nothing happened. */
function refuseUnknown(id: string, phases: object, { iteration }: Place, { iter, phase }: LogFlags): void {
  if (iter !== undefined && iter > iteration) {
    const there = iteration === 0 ? 'it has none yet' : iteration === 1 ? 'it has 1' : `it has 1 to ${iteration}`
    throw new Refusal(EXIT.usage, `session ${id} has no iteration ${iter}: ${there}`, `greenlatch logs ${id}`)
  }
  if (phase === undefined || Object.hasOwn(phases, phase)) return
  const known = Object.keys(phases)
  const meant = didYouMean(phase, known) || `: it has ${known.join(', ')}`
  throw new Refusal(EXIT.usage, `session ${id} has no phase "${phase}"${meant}`, `greenlatch logs ${id}`)
}

function show(record: JournalRecord, lines: readonly string[], output: Output): void {
  if (output.format === 'jsonl') return output.json(record)
  const stamp = `${String(record.seq).padStart(4)}  ${new Date(record.at).toTimeString().slice(0, 8)}`
  for (const line of lines) output.data(sanitise(`${stamp}  ${line}`).replaceAll('\n', ' '))
}

function lineOf(event: Event, place: Place, flags: LogFlags): string[] {
  if (event.type === 'asked') {
    place.iteration = event.effect.iteration
    place.phase = event.effect.phase
  }
  place.session = apply(place.session, event)
  if (flags.iter !== undefined && place.iteration !== flags.iter) return []
  if (flags.phase !== undefined && place.phase !== flags.phase) return []
  return [`${`${place.iteration}`.padStart(3)}  ${place.phase.padEnd(10)}  ${eventText(event)}${event.type === 'decided' ? stillFailing(place.session) : ''}`]
}

/** An end that is none for the better says what would not go away. */
function stillFailing(session: Session): string {
  const { finish } = session
  const failing = leftFailing(session)
  return !finish || finish.code === 0 || failing.length === 0 ? '' : `; still failing: ${namedFailures(failing)}`
}
