// `logs`: the events of a session, one line each, or the records themselves.
import { openJournal } from '../../adapters/journal/files.js'
import type { Event } from '../../core/index.js'
import type { JournalRecord } from '../../ports.js'
import { isHeld } from '../../shell/lock.js'
import { duration } from '../../text/amounts.js'
import { sanitise } from '../../text/sanitise.js'
import { findSession, fold } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import type { Call } from '../program.js'
import { join } from 'node:path'

type LogFlags = { follow?: boolean; iter?: number; phase?: string }

const POLL_MILLISECONDS = 300

export default async function logs({ args, flags }: Call<LogFlags>): Promise<number> {
  const context = await openSessions(flags)
  const folder = join(context.store, findSession(context.store, args[0]))
  const journal = openJournal({ folder, fold, clock: systemClock, writable: false })
  const place = { iteration: 0, phase: '' }
  const kept: JournalRecord[] = []
  let shown = 0
  for (;;) {
    const alive = flags.follow === true && (await isHeld(folder)) !== null
    for await (const record of journal.records()) {
      if (record.seq <= shown) continue
      shown = record.seq
      const lines = record.events.flatMap((event) => lineOf(event, place, flags))
      if (lines.length === 0) continue
      if (context.output.format === 'json') kept.push(record)
      else if (context.output.format === 'jsonl') context.output.json(record)
      else for (const line of lines) context.output.data(sanitise(`${String(record.seq).padStart(4)}  ${new Date(record.at).toTimeString().slice(0, 8)}  ${line}`).replaceAll('\n', ' '))
    }
    if (!alive) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS))
  }
  if (context.output.format === 'json') context.output.json(kept)
  return 0
}

function lineOf(event: Event, place: { iteration: number; phase: string }, flags: LogFlags): string[] {
  if (event.type === 'asked') {
    place.iteration = event.effect.iteration
    place.phase = event.effect.phase
  }
  if (flags.iter !== undefined && place.iteration !== flags.iter) return []
  if (flags.phase !== undefined && place.phase !== flags.phase) return []
  return [`${`${place.iteration}`.padStart(3)}  ${place.phase.padEnd(10)}  ${textOf(event)}`]
}

function textOf(event: Event): string {
  switch (event.type) {
    case 'opened':
      return `opened    ${event.procedure.name}`
    case 'asked':
      return `asked     ${event.effect.id}${event.effect.plan > 0 ? ` (plan ${event.effect.plan})` : ''}`
    case 'observed':
      return `observed  ${event.judgement.verdict} in ${duration(event.report.spent.seconds)}${event.report.note ? `: ${event.report.note}` : ''}`
    case 'decided':
      return `decided   ${event.decision.to} by ${event.decision.cause}: ${event.decision.why}`
    case 'hinted':
      return `hinted    ${event.hint.text}`
    case 'interrupted':
      return `interrupted by ${event.cause}: ${event.note}`
    case 'paused':
    case 'stopped':
      return event.type
    case 'extended':
      return `extended  ${JSON.stringify(event.budget)}`
    case 'repaired':
      return `repaired  ${event.note}`
  }
}
