// Puts a session together: adapters made from its frozen setup, its lock, its journal and its reporter.
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createCommands } from '../adapters/commands/commands.js'
import { openInbox } from '../adapters/inbox/files.js'
import { createJournal, FORMAT, openJournal } from '../adapters/journal/files.js'
import { bestEffort } from '../adapters/journal/best-effort.js'
import { openFolder } from '../adapters/journal/folder.js'
import { withArtifacts } from '../adapters/reporters/artifacts.js'
import { keysOf } from '../agent-entry.js'
import type { SandboxSettings } from '../config/types.js'
import type { Budget, Cast, Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder, requireRoom } from '../files/durable.js'
import type { Folder, Journal, Reporter, Sandbox } from '../ports.js'
import { handedOn } from '../process/environment.js'
import { endStrays } from '../process/tree.js'
import { createControl } from '../shell/control.js'
import { commit, warn, type Live, type Ports } from '../shell/live.js'
import { acquireLock } from '../shell/lock.js'
import { counted } from '../text/amounts.js'
import { FINGERPRINT_VERSION } from '../text/failures/fingerprint.js'
import { readReply } from '../text/reply/read-reply.js'
import { agentVersions, gateNames, limitsOf, makeAgentsAndGates, missingNow, unpricedIn, type Given, type Made } from './agents-and-gates.js'
import { concealEnv, revealEnv } from './agents-env.js'
import { fold, isPerson, sessionIds } from './catalogue.js'
import { systemClock } from './clock.js'
import { refuseUnbranchable } from './feature-branch.js'
import { breakGround, siteOf, sourceOf, workspaceOf } from './ground.js'
import { composer, readBy, refuseUnready, sectionsBy, withProfile, type InUse } from './profile-ports.js'
import { thawProfile, type FrozenProfile } from './profiles.js'
import { compose } from './prompts.js'
import { createHeld, type Held } from './held.js'
import { createHistory, hearAll, type History } from './published.js'
import { AUTO, chooseSandbox, confined, sandboxFor } from './sandbox.js'
import { newSessionId } from './session-id.js'
import type { Plan, Setup } from './setup.js'
import { viewOf } from './status-fields.js'
import { removeUnborn } from './unborn.js'
import { setupOf, TASK_FILE } from './recorded.js'
import { awaitedPath, cutOffPath, promptPath } from '../shell/ask-files.js'

/** A session this process owns. */
export type Owned = Live & {
  /** The absolute path of the session's folder. */
  folder: string
  /** Gives the session up, so that another process may own it. */
  close(): Promise<void>
}

// ───────────────────────────── opening ─────────────────────────────

/** Makes a new session and owns it. Nothing is written before everything that can be checked has been. */
export async function createSession(plan: Plan, store: string, reporter: Reporter, { id: named, ...given }: Given & { id?: string } = {}): Promise<Owned> {
  const { procedure, roles } = plan
  const command = `greenlatch run ${procedure.name}`
  if (plan.setup.persistence !== 'best-effort') requireRoom(nearestFolder(store), 'greenlatch run --state-dir "<a folder with room>"')
  const confinement = await chooseSandbox(plan.setup, command)
  const { source, notices } = await sourceOf(plan.setup, procedure, store)
  refuseUnbranchable(procedure, source)
  const planned = { ...plan.setup, confinement, source }
  const held = createHeld()
  try {
    const sandbox = held.hold(sandboxFor(planned, store), (part) => part.close())
    const made = await makeAgentsAndGates(planned, { roles, budget: procedure.budget, command, sandbox, missing: missingNow }, given)
    const setup: Setup = { ...planned, ...(await toldOf(made.ports.agents, planned)) }
    const now = systemClock.now()
    const id = named ?? newSessionId(sessionIds(store), now)
    const folderPath = join(store, id)
    await removeUnborn(store, now)
    makeFolder(folderPath)
    const since = await ownSession(folderPath, held)
    const folder = openFolder(folderPath)
    const ground = await breakGround({ id, folder: folderPath, sessions: store, setup, source, at: now })
    for (const text of [...made.notices, ...notices, ...ground.notices]) reporter.notice({ kind: 'warning', text, at: now })
    const opened: Opened = {
      type: 'opened',
      format: FORMAT,
      id,
      procedure: plan.procedure,
      tree: ground.start,
      ...gateNames(setup),
      roles: plan.roles,
      fingerprints: FINGERPRINT_VERSION,
      task: plan.task === null ? null : folder.write(TASK_FILE, plan.task),
      openedAt: now,
      setup: concealEnv(folderPath, setup),
    }
    const history = createHistory()
    const { journal, loaded } = createJournal(journalOptions(folderPath, reporter, history), opened)
    held.hold(journal, (part) => part.close())
    const parts = await partsOf(setup, loaded.session, folder, reporter, held)
    return own(folder, { held, since }, journal, { session: loaded.session, setup }, { ...made.ports, ...parts, sandbox }, heardBy(history, await withArtifacts(reporter, folder, journal)))
  } catch (error) {
    throw await givenUp(held, error)
  }
}

/** What is there of a folder that may have to be made. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

/** Who answers from here on. */
export type Recast = Pick<Session, 'roles'> & { agents: Setup['agents']; origin: string }

/** All of it as it is planned here, for a session that came from elsewhere: what its records say of agents, gates and sandbox is not believed. */
type Anew = Pick<Plan, 'procedure' | 'roles'> & { setup: Setup }

/** What is different from here on; `raised`: bounds that the caller is going to set. */
type Changes = { recast?: Recast | undefined; anew?: Anew; raised?: Budget; given?: Given; sandbox?: SandboxSettings['use'] | undefined }

/** Takes an existing session over, or refuses when another process runs it. With `recast` others answer from now on, which is written down. */
export async function ownExisting(folderPath: string, reporter: Reporter, { recast, anew, raised = {}, given = {}, sandbox: use }: Changes = {}): Promise<Owned> {
  const held = createHeld()
  try {
    const since = await ownSession(folderPath, held)
    const history = createHistory()
    const journal = held.hold(openJournal({ ...journalOptions(folderPath, reporter, history), writable: true }), (part) => part.close())
    const loaded = await journal.load()
    const notices = [...loaded.notices, ...(await endLeftRunning(loaded.session.id))]
    for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const { session, setup, made, cast, sandbox } = await (anew ? castAnew(folderPath, loaded.session, anew, held) : castFor(folderPath, loaded.session, { raised, recast, given, sandbox: use }, held))
    for (const text of made.notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const folder = openFolder(folderPath)
    const parts = await partsOf(setup, session, folder, reporter, held)
    await hearAll(history, journal)
    const owned = own(folder, { held, since }, journal, { session: loaded.session, setup }, { ...made.ports, ...parts, sandbox }, heardBy(history, await withArtifacts(reporter, folder, journal)))
    if (cast) takeOver(owned, cast)
    return owned
  } catch (error) {
    throw await givenUp(held, error)
  }
}

/** What went wrong first counts, whatever goes wrong with giving the rest up. */
async function givenUp(held: Held, error: unknown): Promise<unknown> {
  await held.release().catch(() => {})
  return error
}

type Casting = { session: Session; setup: Setup; made: Made; sandbox: Sandbox; cast: Cast | null }

/** Whoever the session has, or others instead, made ready. */
async function castFor(folder: string, before: Session, { raised, recast, given, sandbox: use }: Required<Pick<Changes, 'raised' | 'given'>> & Changes, held: Held): Promise<Casting> {
  const budget = { ...before.budget, ...raised }
  const recorded = setupOf(before)
  const { roles, agents, origin }: Recast = recast ?? { roles: before.roles, agents: recorded.agents, origin: recorded.origins['agent'] ?? 'unknown' }
  // What was a key before stays one: gates may be shown what an agent that is gone was asked with.
  const keys = [...new Set([...recorded.keys, ...keysOf(agents)])]
  const where = use === undefined ? {} : { sandbox: { ...(recorded.sandbox ?? AUTO), use } }
  const origins = { ...recorded.origins, agent: origin, ...(use !== undefined && { sandbox: '--sandbox' }) }
  const setup = await confined(revealEnv(folder, { ...recorded, ...where, agents, keys, origins }), before.id)
  const sandbox = held.hold(sandboxFor(setup, dirname(folder)), (part) => part.close())
  const made = await makeAgentsAndGates(setup, { roles, budget, command: `greenlatch resume ${before.id}`, sandbox, missing: missingNow }, given)
  const elsewhere = changedSandbox(recorded, setup)
  const told = await toldOf(made.ports.agents, setup)
  if (!recast && use === undefined) return { session: before, setup, made: { ...made, notices: [...made.notices, ...elsewhere, ...changedVersions(recorded, told.versions)] }, sandbox, cast: null }
  const cast = { roles, setup: { ...where, agents: concealEnv(folder, setup).agents, keys, origins: setup.origins, confinement: setup.confinement, ...told } }
  return { session: { ...before, roles, setup: { ...before.setup, ...cast.setup } }, setup: { ...setup, ...told }, made: { ...made, notices: [...made.notices, ...elsewhere] }, sandbox, cast }
}

/** What the records name and the plan does not is taken away: a profile, for one, is code. */
async function castAnew(folder: string, before: Session, { procedure, roles, setup: planned }: Anew, held: Held): Promise<Casting> {
  const setup = await confined(planned, before.id)
  const sandbox = held.hold(sandboxFor(setup, dirname(folder)), (part) => part.close())
  const made = await makeAgentsAndGates(setup, { roles, budget: before.budget, command: `greenlatch resume ${before.id}`, sandbox, missing: missingNow }, {})
  const whole = { ...setup, ...(await toldOf(made.ports.agents, setup)) }
  const gone = Object.fromEntries(Object.keys(before.setup).map((key) => [key, null]))
  const cast = { procedure, roles, setup: { ...gone, ...concealEnv(folder, whole) } }
  return { session: { ...before, ...cast }, setup: whole, made, sandbox, cast }
}

/** What was asked of somebody else is asked anew: the new one may answer in another form. */
function takeOver(owned: Owned, cast: Cast): void {
  setAsideCutOff(owned)
  commit(owned, [{ type: 'extended', budget: {}, cast }])
  const { outstanding } = owned.session
  if (outstanding?.kind === 'ask') owned.ports.folder.write(promptPath(outstanding), owned.ports.compose(owned.session, outstanding).text)
}

/** What a program had said when it was cut off would pass for the answer of a person. Before anybody else is asked, so that a crash cannot come between. */
function setAsideCutOff(owned: Owned): void {
  const { session, ports } = owned
  const effect = session.outstanding
  if (effect?.kind !== 'ask' || isPerson(session, effect.answers) || !ports.folder.has(awaitedPath(effect))) return
  const kept = ports.folder.resolve(cutOffPath(effect))
  renameSync(ports.folder.resolve(awaitedPath(effect)), kept)
  warn(owned, `what ${session.roles[effect.answers]} had said when it was cut off is no answer; it is kept in ${kept}`)
}

/** What can be told of agents when they are there: versions, whose price nobody knows, and who is not there. */
async function toldOf(agents: Ports['agents'], { versions, agents: wanted }: Pick<Setup, 'versions' | 'agents'>): Promise<Pick<Setup, 'versions' | 'unpriced' | 'absent'>> {
  const absent = Object.keys(wanted).filter((name) => !(name in agents))
  return { versions: { ...versions, ...(await agentVersions(agents)) }, unpriced: unpricedIn(agents), absent }
}

/** What ran before ran elsewhere than what runs from here on. */
function changedSandbox({ confinement: before }: Pick<Setup, 'confinement'>, { confinement: now }: Pick<Setup, 'confinement'>): string[] {
  return before === undefined || before.name === now?.name ? [] : [`the session began with the sandbox ${before.name}, and goes on with ${now?.name ?? 'none'}`]
}

/** The same agent of another version may act otherwise than the one that the session began with. */
function changedVersions({ versions }: Setup, now: Readonly<Record<string, string>>): string[] {
  return Object.entries(now).flatMap(([who, version]) => {
    const before = versions[who]
    return before === undefined || before === version ? [] : [`${who} is ${version} now, and was ${before} when the session began`]
  })
}

/** Who holds the lock is alone: what still runs for this session was left by a process that was killed, and would work beside us. */
async function endLeftRunning(id: string): Promise<string[]> {
  const { ended, left } = await endStrays('GREENLATCH_SESSION', id)
  return [
    ...(ended > 0 ? [`the run before had left ${counted(ended, 'process', 'processes')} running; ended now`] : []),
    ...(left > 0 ? [`the run before had left ${counted(left, 'process', 'processes')} running that cannot be ended`] : []),
  ]
}

/** Since when it is owned. */
async function ownSession(folder: string, held: Held): Promise<number> {
  const since = systemClock.now()
  const lock = await acquireLock(folder)
  if (lock.kind === 'lock') {
    held.hold(lock, (part) => part.release())
    return since
  }
  const by = lock.pid === null ? 'another process' : `process ${lock.pid}`
  throw new Refusal(EXIT.locked, `this session is being run by ${by}`, 'greenlatch status')
}

function journalOptions(folder: string, reporter: Reporter, history: History) {
  return {
    folder,
    fold,
    clock: systemClock,
    view: viewOf(history),
    onNotice: (text: string) => reporter.notice({ kind: 'warning', text, at: systemClock.now() }),
  }
}

function heardBy(history: History, reporter: Reporter): Reporter {
  return {
    notice(notice) {
      if (notice.kind === 'record') history.hear(notice.record)
      reporter.notice(notice)
    },
  }
}

type Parts = Pick<Ports, 'agents' | 'fallbacks' | 'gates' | 'workspace'> & { inUse: InUse | null; sandbox: Sandbox }

/** The workspace, and the profile where the session works with one. Throws Refusal when either is not as it was left. */
async function partsOf(setup: Setup, session: Session, folder: Folder, reporter: Reporter, held: Held): Promise<Pick<Parts, 'workspace' | 'inUse'>> {
  const inUse = setup.profile ? await profileInUse(setup.profile, session, folder, reporter) : null
  const workspace = held.hold(await workspaceOf(setup, session, folder.path, limitsOf(setup).gate), (part) => part.close?.())
  if (inUse === null) return { workspace, inUse }
  return { workspace: withProfile(workspace, inUse, await siteOf(setup, session, folder.path), session.start), inUse }
}

async function profileInUse(frozen: FrozenProfile, session: Session, folder: Folder, reporter: Reporter): Promise<InUse> {
  const { profile, notices } = await thawProfile(frozen)
  for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
  refuseUnready(session, folder)
  return { profile, parameters: frozen.parameters, folder }
}

/** `setup` is that of whoever answers from now on, also where the session does not know of it yet. */
function own(folder: Folder, { held, since }: { held: Held; since: number }, journal: Journal, { session, setup }: { session: Session; setup: Setup }, { inUse, sandbox, ...parts }: Parts, reporter: Reporter): Owned {
  const inbox = openInbox(folder.path)
  const control = held.hold(createControl(inbox), (part) => part.close())
  const onNotice = (text: string): void => reporter.notice({ kind: 'warning', text, at: systemClock.now() })
  const kept = setup.persistence === 'best-effort' ? bestEffort({ journal, folder, onNotice }) : { journal, folder }
  const ports: Ports = {
    ...parts,
    ...(setup.commands && { commands: createCommands({ policy: setup.commands, withheld: setup.keys, sandbox, env: handedOn(process.env, setup.passes ?? []) }) }),
    ...kept,
    inbox,
    reporter,
    clock: systemClock,
    control,
    limits: limitsOf(setup),
    compose: composer(inUse, (now, effect) => compose(now, effect, setup, parts.gates, kept.folder, [], { cwd: parts.workspace.cwd, ...(inUse && sectionsBy(inUse, now, effect)) })),
    read: inUse ? readBy(inUse) : readReply,
  }
  return { ports, session, ownedSince: since, standing: null, folder: folder.path, close: () => held.release() }
}
