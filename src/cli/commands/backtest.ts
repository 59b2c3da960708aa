// `backtest`: what another policy would have made of recorded sessions, without agent, gate or workspace; writes nothing.
import { join } from 'node:path'
import { openJournal } from '../../adapters/journal/files.js'
import { loadPolicy, withPolicy } from '../../config/policy.js'
import type { ProcedureEntry } from '../../config/resolve.js'
import { EXIT, Refusal } from '../../errors.js'
import { startBacktest, type Extent, type Result, type ResultKind } from '../../simulate/backtest.js'
import { counted, duration } from '../../text/amounts.js'
import { savedText, tableOf } from '../../text/replay-lines.js'
import { sanitise } from '../../text/sanitise.js'
import { fold, readEntries, readEntry, sessionIds, type Entry } from '../catalogue.js'
import { systemClock } from '../clock.js'
import { openSessions, type Context } from '../context.js'
import { findSession, noSession } from '../find-session.js'
import { didYouMean } from '../meant.js'
import type { Call } from '../program.js'

type Flags = { policy?: string; procedure?: string }
type Tried = Result & { session: string; procedure: string }

const WORDS: Record<ResultKind, string> = {
  same: 'the same',
  earlier: 'stops earlier',
  longer: 'goes on longer',
  lost: 'good run lost',
  otherwise: 'ends otherwise',
  diverged: 'needs other answers',
  unfit: 'does not fit',
}

export default async function backtest({ args, flags }: Call<Flags>): Promise<number> {
  const asked = 'which policy? --policy names a file with policies or budget'
  if (!flags.policy) throw new Refusal(EXIT.usage, asked, 'greenlatch backtest --policy <file>')
  const context = await openSessions(flags)
  const policy = await loadPolicy(flags.policy, context.cwd)
  const tried: Tried[] = []
  for (const id of await chosen(context, args, flags.procedure)) tried.push(await tryOn(context, id, policy))
  if (context.output.format === 'text') for (const line of linesOf(tried)) context.output.data(sanitise(line))
  else context.output.json({ sessions: tried, totals: totalsOf(tried) })
  return EXIT.ok
}

/** Those that are named, or all; of one procedure where that is named. */
async function chosen(context: Context, names: readonly string[], procedure: string | undefined): Promise<string[]> {
  const entries = await (names.length === 0 ? allEntries(context) : namedEntries(context, names))
  const fitting = procedure === undefined ? entries : entries.filter(({ session }) => session.procedure.name === procedure)
  if (fitting.length > 0 || procedure === undefined) return fitting.map(({ id }) => id)
  const known = [...new Set(entries.map(({ session }) => session.procedure.name))]
  throw new Refusal(EXIT.usage, `there is no session of a procedure "${procedure}"${didYouMean(procedure, known)}`, 'greenlatch sessions')
}

/** Oldest first. One that cannot be read is said and passed over. */
async function allEntries(context: Context): Promise<Entry[]> {
  if (sessionIds(context.store).length === 0) throw await noSession(context)
  const { entries, damaged } = await readEntries(context.store)
  for (const line of damaged) context.output.say(`damaged    ${line}`)
  return entries.toReversed()
}

async function namedEntries(context: Context, names: readonly string[]): Promise<Entry[]> {
  const ids = new Set<string>()
  for (const name of names) ids.add(await findSession(context, name))
  return Promise.all([...ids].toSorted().map((id) => readEntry(context.store, id)))
}

async function tryOn({ store }: Context, id: string, policy: ProcedureEntry): Promise<Tried> {
  const journal = openJournal({ folder: join(store, id), fold, clock: systemClock, writable: false })
  let procedure = ''
  const trial = startBacktest((recorded) => {
    procedure = recorded.name
    return withPolicy(recorded, policy)
  })
  for await (const { events } of journal.records()) for (const event of events) trial.take(event)
  return { session: id, procedure, ...trial.result() }
}

// ───────────────────────────── telling ─────────────────────────────

function linesOf(tried: readonly Tried[]): string[] {
  const rows = tried.map(({ session, procedure, kind, recorded, tried: now, saved }) => [
    session, procedure, extentText(recorded), WORDS[kind], kind === 'same' || kind === 'unfit' ? '' : extentText(now), savedText(saved), now.why,
  ])
  const table = tableOf([['session', 'procedure', 'recorded', 'with the policy', 'ends', 'saved', 'why'], ...rows])
  return [...table, '', totalLine(tried)]
}

function extentText({ outcome, iterations, seconds }: Extent): string {
  return `${outcome ?? 'open'} after ${iterations} (${duration(seconds)})`
}

type Totals = Record<ResultKind, number> & { sessions: number; iterationsSaved: number; secondsSaved: number }

function totalsOf(tried: readonly Tried[]): Totals {
  const count = (kind: ResultKind): number => tried.filter((one) => one.kind === kind).length
  const sum = (amount: (one: Tried) => number): number => tried.reduce((total, one) => total + amount(one), 0)
  return {
    sessions: tried.length,
    same: count('same'), earlier: count('earlier'), longer: count('longer'), lost: count('lost'),
    otherwise: count('otherwise'), diverged: count('diverged'), unfit: count('unfit'),
    iterationsSaved: sum(({ saved }) => saved.iterations),
    secondsSaved: sum(({ saved }) => saved.seconds),
  }
}

function totalLine(tried: readonly Tried[]): string {
  const totals = totalsOf(tried)
  const told = (Object.keys(WORDS) as ResultKind[]).filter((kind) => totals[kind] > 0).map((kind) => `${totals[kind]} ${WORDS[kind]}`)
  const saved = savedText({ iterations: totals.iterationsSaved, seconds: totals.secondsSaved })
  return `${counted(totals.sessions, 'session')}${told.length === 0 ? '' : `: ${told.join(', ')}`}${saved === '' ? '' : `; saved ${saved}`}`
}
