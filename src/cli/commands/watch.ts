// `watch`: a session that another process runs, as it goes, until it comes to rest or whoever looks on has seen enough.
import { setTimeout as sleep } from 'node:timers/promises'
import { openFolder } from '../../adapters/journal/folder.js'
import { tailJournal, type Tail } from '../../adapters/journal/tail.js'
import { rebuild, type Session } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import type { Ending, JournalRecord } from '../../ports.js'
import { isHeld } from '../../shell/lock.js'
import { waitingFor } from '../../shell/turn.js'
import { readEntry, type Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions } from '../context.js'
import { findSession, newestRunning } from '../find-session.js'
import type { Call } from '../program.js'
import { showingFor, type Showing } from '../showing.js'
import { onSignals, SIGNAL_CODES } from '../signals.js'
import { restingCode, tellStatus } from './status.js'
import { checkoutOf, setupOf } from '../recorded.js'

const LOOK_MILLISECONDS = 300

export default async function watch({ args, flags }: Call): Promise<number> {
  const context = await openSessions(flags)
  const running = args[0] === undefined ? await newestRunning(context) : null
  const id = running ?? (await findSession(context, args[0]))
  const entry = await readEntry(context.store, id)
  if (entry.standing !== 'running') {
    context.output.say(`no process is running session ${id}`)
    await tellStatus(context, entry)
    return restingCode(entry)
  }
  context.output.say(`watching session ${id}, which ${entry.pid === null ? 'another process' : `process ${entry.pid}`} runs`)
  const left = new AbortController()
  const unwatch = onSignals((signal) => left.abort(SIGNAL_CODES[signal]))
  const showing = showingFor(context, 'live', () => left.abort(EXIT.ok))
  try {
    await follow(entry, showing, left.signal)
    if (left.signal.aborted) {
      showing.end()
      context.output.say(`session ${id} goes on\n  watch:  greenlatch watch ${id}`)
      return left.signal.reason as number
    }
    const rested = await readEntry(context.store, id)
    const how = endingOf(rested)
    if (how) showing.reporter.notice({ kind: 'ended', session: rested.session, how, at: systemClock.now() })
    showing.end()
    if (!how || context.output.format !== 'text') await tellStatus(context, rested)
    return restingCode(rested)
  } finally {
    showing.end()
    unwatch()
  }
}

/** Record by record until nobody runs it any more. */
async function follow({ folder, session }: Entry, showing: Showing, left: AbortSignal): Promise<void> {
  const tail = tailJournal(folder)
  const so: { session: Session | null } = { session: null }
  const records = past(tail, so)
  await showing.begin(session, records)
  // Where there is no screen, nobody has read them yet.
  for await (const _ of records);
  while (!left.aborted) {
    // Looked at first: what was written before the lock was given up is then read in any case.
    const isRunning = await isHeld(folder)
    for await (const { record, again } of tail.next()) {
      if (again || !so.session) throw new Refusal(EXIT.state, 'its journal was replaced meanwhile', 'greenlatch watch')
      const before = so.session
      so.session = rebuild(record.events, before)
      showing.reporter.notice({ kind: 'record', record, before, after: so.session })
    }
    if (!isRunning) return
    await sleep(LOOK_MILLISECONDS, undefined, { signal: left }).catch(() => {})
  }
}

async function* past(tail: Tail, so: { session: Session | null }): AsyncGenerator<JournalRecord> {
  for await (const { record } of tail.next()) {
    so.session = rebuild(record.events, so.session)
    yield record
  }
}

/** How it came to rest, where that has lines of its own. */
function endingOf({ id, session, standing, folder }: Entry): Ending | null {
  if (standing === 'finished' || standing === 'paused' || standing === 'stopped') return { kind: standing }
  return standing === 'waiting' && session.outstanding ? waitingFor(openFolder(folder), session.outstanding, checkoutOf(setupOf(session), id, folder)) : null
}
