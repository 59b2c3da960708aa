// `resume`: goes on with a session, from the effect it was cut off at; a spent budget can be raised.
import { existsSync } from 'node:fs'
import { raiseFlags } from '../../adapters/reporters/raise.js'
import { obstacleToExtend, type Budget } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import { commit } from '../../shell/live.js'
import { holdProcedure, refuseInside } from '../begin.js'
import { allProcedures } from '../choose-procedure.js'
import { readEntries, readEntry, sessionIds, type Entry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { detach } from '../detach.js'
import { drive, reporterFor } from '../drive.js'
import { refuseEdited } from '../edited.js'
import { findSession } from '../find-session.js'
import { boundsOf, type BoundFlags } from '../flags.js'
import type { Call } from '../program.js'
import { ownExisting, setupOf } from '../wire.js'

type ResumeFlags = BoundFlags & { detach?: boolean }

export default async function resume({ args, flags }: Call<ResumeFlags>): Promise<number> {
  refuseInside()
  const context = await openSessions(flags)
  const entry = await chosen(context, args[0])
  const budget = boundsOf(flags)
  refuseRunning(entry)
  refuseEnded(entry, budget)
  refuseLower(entry, budget)
  refuseGone(entry)
  await refuseEdited(entry, context.output, ['greenlatch resume', entry.id, ...boundWords(flags)].join(' '))
  if (flags.detach) return detach(context, entry.id, boundWords(flags))
  const release = setupOf(entry.session).parallel ? async () => {} : await holdProcedure(context, entry.session.procedure.name, 'resume')
  try {
    const owned = await ownExisting(entry.folder, reporterFor(context.output))
    const began = owned.session.asked > 0
    if (owned.session.finish || Object.keys(budget).length > 0) commit(owned, [{ type: 'extended', budget }])
    return await drive(owned, { resumed: began }, context.output)
  } finally {
    await release()
  }
}

/** A name of a procedure means its newest session that can be gone on with. */
async function chosen(context: Context, named: string | undefined): Promise<Entry> {
  const { store, config } = context
  const isProcedure = named !== undefined && !sessionIds(store).includes(named) && allProcedures(config)[named] !== undefined
  if (!isProcedure) return named === undefined ? newest(context) : readEntry(store, await findSession(context, named))
  const { entries } = await readEntries(store)
  const open = entries.find((entry) => entry.session.procedure.name === named && canGoOn(entry))
  if (open) return open
  throw new Refusal(EXIT.usage, `there is no session of "${named}" to resume`, `greenlatch run ${named}`)
}

/** One that has ended for good cannot be meant while there is another; which it is, is said. */
async function newest(context: Context): Promise<Entry> {
  const { store, output } = context
  const last = await readEntry(store, await findSession(context, undefined))
  if (canGoOn(last)) return last
  const { entries } = await readEntries(store)
  const open = entries.find((entry) => canGoOn(entry) && entry.standing !== 'running')
  if (!open) return last
  output.say(`session ${last.id} has ended (${last.session.finish?.outcome}); going on with ${open.id}, which is ${open.standing}`)
  return open
}

function canGoOn({ standing, session }: Entry): boolean {
  return standing !== 'finished' || session.finish?.resumesAt !== null
}

function refuseRunning({ id, standing, pid }: Entry): void {
  if (standing !== 'running') return
  const by = pid === null ? 'another process' : `process ${pid}`
  throw new Refusal(EXIT.locked, `session ${id} is being run by ${by}`, `greenlatch logs -f ${id}`)
}

/** A folder that was moved or removed: what was made there can still be had. */
function refuseGone({ session, id }: Entry): void {
  const { cwd } = setupOf(session)
  if (existsSync(cwd)) return
  throw new Refusal(EXIT.state, `session ${id} began in ${printable(cwd)}, which is gone`, `greenlatch diff ${id} | git apply`)
}

function refuseEnded({ session, id }: Entry, budget: Budget): void {
  const obstacle = obstacleToExtend(session, budget)
  if (obstacle === null) return
  const goOn = `greenlatch resume ${id}${raiseFlags(session, budget)}`
  const next = session.finish?.resumesAt === null ? `greenlatch run ${session.procedure.name}` : goOn
  throw new Refusal(EXIT.usage, `session ${id} cannot go on: ${obstacle}`, next)
}

/** A bound that would be ignored is not taken in silence. */
function refuseLower({ session, id }: Entry, budget: Budget): void {
  for (const kind of ['iterations', 'seconds', 'tokens', 'usd'] as const) {
    const used = kind === 'iterations' ? session.iteration : session.spent[kind]
    const [now, wanted] = [Math.max(session.budget[kind] ?? 0, used), budget[kind] ?? 0]
    if (wanted === 0 || wanted >= now) continue
    const text = `session ${id} has ${now} ${kind} already; a bound can be raised, not lowered to ${wanted}`
    throw new Refusal(EXIT.usage, text, `greenlatch resume ${id}`)
  }
}

function boundWords(flags: BoundFlags): string[] {
  return [
    ...(flags.maxIterations === undefined ? [] : ['--max-iterations', String(flags.maxIterations)]),
    ...(flags.maxTime === undefined ? [] : ['--max-time', flags.maxTime]),
    ...(flags.maxTokens === undefined ? [] : ['--max-tokens', String(flags.maxTokens)]),
    ...(flags.maxCost === undefined ? [] : ['--max-cost', String(flags.maxCost)]),
  ]
}
