// `resume`: goes on with a session, from the effect it was cut off at; a spent budget can be raised, and others can answer from there on.
import { existsSync } from 'node:fs'
import { raiseFlags } from '../../adapters/reporters/raise.js'
import type { SandboxSettings } from '../../config/types.js'
import { obstacleToExtend, type Budget } from '../../core/index.js'
import { EXIT, Refusal } from '../../errors.js'
import { printable } from '../../files/durable.js'
import { commit } from '../../shell/live.js'
import { holdProcedure, refuseInside } from '../begin.js'
import { allProcedures } from '../choose-procedure.js'
import { readEntries, readEntry, sessionIds, type Entry } from '../catalogue.js'
import { openSessions, type Context } from '../context.js'
import { detach } from '../detach.js'
import { drive } from '../drive.js'
import { refuseEdited } from '../edited.js'
import { findSession } from '../find-session.js'
import { agentFlags, boundsOf, type BoundFlags } from '../flags.js'
import type { AgentFlags } from '../known-agents.js'
import type { Call } from '../program.js'
import { changedSince, namesAgent, recastBy } from '../recast.js'
import { showingFor } from '../showing.js'
import { resultCommands } from '../../text/commands/result-commands.js'
import { quoteCommand } from '../../text/prompt/quote.js'
import { whoText } from '../../text/who-answers.js'
import { requireTrustOfAgents, requireTrustOfSessions, trustWords, type TrustFlags } from '../trust.js'
import { ownExisting, type Recast } from '../wire.js'
import { setupOf } from '../recorded.js'

type ResumeFlags = BoundFlags & AgentFlags & TrustFlags & { detach?: boolean; sandbox?: SandboxSettings['use'] }

export default async function resume({ args, flags }: Call<ResumeFlags>): Promise<number> {
  refuseInside()
  const context = await openSessions(flags, agentFlags(flags))
  await requireTrustOfSessions(context, flags)
  const entry = await chosen(context, args[0])
  const budget = boundsOf(flags)
  refuseRunning(entry)
  refuseEnded(entry, budget)
  refuseLower(entry, budget)
  refuseGone(entry)
  const recast = namesAgent(flags) ? recastBy(flags, context.config, entry.session) : undefined
  if (recast) await requireTrustOfAgents(context, taken(recast, entry), flags)
  const words = [...boundWords(flags), ...agentWords(flags), ...(flags.sandbox === undefined ? [] : ['--sandbox', flags.sandbox]), ...trustWords(flags)]
  await refuseEdited(entry, context.output, quoteCommand(['greenlatch', 'resume', entry.id, ...words]))
  if (flags.detach) return detach(context, entry.id, words)
  const release = setupOf(entry.session).parallel ? async () => {} : await holdProcedure(context, entry.session.procedure.name, 'resume')
  try {
    const changed = recast ? null : changedSince(context.config, entry.session)
    if (changed !== null) context.output.say(changed)
    const showing = showingFor(context, 'live')
    const owned = await ownExisting(entry.folder, showing.reporter, { recast, raised: budget, sandbox: flags.sandbox })
    if (recast) context.output.say(`from here on: ${whoText(owned.session)}`)
    const began = owned.session.asked > 0
    if (owned.session.finish || Object.keys(budget).length > 0) commit(owned, [{ type: 'extended', budget }])
    return await drive(owned, { resumed: began }, { showing, output: context.output })
  } finally {
    await release()
  }
}

/** Of those who answer from here on, whoever is taken from the settings as they are now. */
function taken({ agents }: Recast, { session }: Entry): string[] {
  const before = setupOf(session).agents
  return Object.keys(agents).filter((name) => agents[name] !== before[name])
}

/** A name of a procedure means its newest session that can be gone on with. */
async function chosen(context: Context, named: string | undefined): Promise<Entry> {
  const { store, config } = context
  const isProcedure = named !== undefined && !sessionIds(store).includes(named) && Object.hasOwn(allProcedures(config), named)
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
  // One that came to an end of its own, long ago perhaps, is begun again only by its name.
  const open = entries.find(({ standing }) => standing !== 'finished' && standing !== 'running')
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
  // What has ended for good is there to be taken; a task and gates that flags gave are not known to a new run.
  const anew = resultCommands(session)?.take?.command ?? `greenlatch run ${session.procedure.name} "<the task>"`
  const next = session.finish?.resumesAt === null ? anew : goOn
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

function agentWords({ agent = [], aiCmd, aiCmdAlias, url, model }: AgentFlags): string[] {
  const named = Object.entries({ '--ai-cmd': aiCmd, '--ai-cmd-alias': aiCmdAlias, '--url': url, '--model': model })
  return [...agent.flatMap((name) => ['--agent', name]), ...named.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))]
}

function boundWords(flags: BoundFlags): string[] {
  return [
    ...(flags.maxIterations === undefined ? [] : ['--max-iterations', String(flags.maxIterations)]),
    ...(flags.maxTime === undefined ? [] : ['--max-time', flags.maxTime]),
    ...(flags.maxTokens === undefined ? [] : ['--max-tokens', String(flags.maxTokens)]),
    ...(flags.maxCost === undefined ? [] : ['--max-cost', String(flags.maxCost)]),
  ]
}
