// Puts a session together: adapters made from its frozen setup, its lock, its journal and its reporter.
import { join } from 'node:path'
import { createCommands } from '../adapters/commands/commands.js'
import { openInbox } from '../adapters/inbox/files.js'
import { createJournal, FORMAT, openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { withArtifacts } from '../adapters/reporters/artifacts.js'
import type { Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder } from '../files/durable.js'
import type { Folder, Journal, Loaded, Reporter } from '../ports.js'
import { endStrays } from '../process/tree.js'
import { createControl } from '../shell/control.js'
import type { Live, Ports } from '../shell/live.js'
import { acquireLock, type Lock } from '../shell/lock.js'
import { counted } from '../text/amounts.js'
import { FINGERPRINT_VERSION } from '../text/fingerprint.js'
import { readReply } from '../text/read-reply.js'
import { agentVersions, gateNames, limitsOf, makeAgentsAndGates } from './agents-and-gates.js'
import { fold, sessionIds } from './catalogue.js'
import { systemClock } from './clock.js'
import { refuseUnbranchable } from './feature-branch.js'
import { breakGround, siteOf, sourceOf, workspaceOf } from './ground.js'
import { composer, readBy, refuseUnready, sectionsBy, withProfile, type InUse } from './profile-ports.js'
import { thawProfile, type FrozenProfile } from './profiles.js'
import { compose, TASK_FILE } from './prompts.js'
import { createHistory, hearAll, type History } from './published.js'
import { newSessionId } from './session-id.js'
import type { Plan, Setup } from './setup.js'
import { viewOf } from './status-fields.js'
import { removeUnborn } from './unborn.js'

/** A session this process owns; `close` gives it up. */
export type Owned = Live & { folder: string; close(): Promise<void> }

// ───────────────────────────── opening ─────────────────────────────

/** Makes a new session and owns it. Nothing is written before everything that can be checked has been. */
export async function createSession(plan: Plan, store: string, reporter: Reporter): Promise<Owned> {
  const { procedure, roles } = plan
  const people = await makeAgentsAndGates(plan.setup, { roles, budget: procedure.budget, procedure: procedure.name })
  const { source, notices } = await sourceOf(plan.setup, procedure, store)
  refuseUnbranchable(plan.procedure, source)
  const setup: Setup = { ...plan.setup, source, versions: { ...plan.setup.versions, ...(await agentVersions(people.agents)) } }
  const now = systemClock.now()
  const id = newSessionId(sessionIds(store), now)
  const folderPath = join(store, id)
  await removeUnborn(store, now)
  makeFolder(folderPath)
  const ownership = await ownSession(folderPath)
  try {
    const folder = openFolder(folderPath)
    const ground = await breakGround({ id, folder: folderPath, sessions: store, setup, source, at: now })
    for (const text of [...notices, ...ground.notices]) reporter.notice({ kind: 'warning', text, at: now })
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
      setup,
    }
    const history = createHistory()
    const { journal, loaded } = createJournal(journalOptions(folderPath, reporter, history), opened)
    const parts = await partsOf(setup, loaded.session, folder, reporter)
    return own(folder, ownership, journal, loaded, { ...people, ...parts }, heardBy(history, await withArtifacts(reporter, folder, journal)))
  } catch (error) {
    await ownership.lock.release()
    throw error
  }
}

/** Takes an existing session over, or refuses when another process runs it. */
export async function ownExisting(folderPath: string, reporter: Reporter): Promise<Owned> {
  const ownership = await ownSession(folderPath)
  try {
    const history = createHistory()
    const journal = openJournal({ ...journalOptions(folderPath, reporter, history), writable: true })
    const loaded = await journal.load()
    const notices = [...loaded.notices, ...(await endLeftRunning(loaded.session.id))]
    for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const setup = setupOf(loaded.session)
    const { roles, budget, procedure } = loaded.session
    const people = await makeAgentsAndGates(setup, { roles, budget, procedure: procedure.name })
    for (const text of changedVersions(setup, await agentVersions(people.agents))) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const folder = openFolder(folderPath)
    const parts = await partsOf(setup, loaded.session, folder, reporter)
    await hearAll(history, journal)
    return own(folder, ownership, journal, loaded, { ...people, ...parts }, heardBy(history, await withArtifacts(reporter, folder, journal)))
  } catch (error) {
    await ownership.lock.release()
    throw error
  }
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

export function setupOf(session: Session): Setup {
  return session.setup as unknown as Setup
}

/** The variables that hold keys of models: what a model wants run never sees them. */
function keysOf({ agents }: Setup): string[] {
  return Object.values(agents).flatMap((agent) => ('chat' in agent && agent.key !== undefined ? [agent.key] : []))
}

type Ownership = { lock: Lock; since: number }

async function ownSession(folder: string): Promise<Ownership> {
  const since = systemClock.now()
  const lock = await acquireLock(folder)
  if (lock.kind === 'lock') return { lock, since }
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

type Parts = Pick<Ports, 'agents' | 'fallbacks' | 'gates' | 'workspace'> & { inUse: InUse | null }

/** The workspace, and the profile where the session works with one. Throws Refusal when either is not as it was left. */
async function partsOf(setup: Setup, session: Session, folder: Folder, reporter: Reporter): Promise<Pick<Parts, 'workspace' | 'inUse'>> {
  const inUse = setup.profile ? await profileInUse(setup.profile, session, folder, reporter) : null
  const workspace = await workspaceOf(setup, session, folder.path, limitsOf(setup).gate)
  if (inUse === null) return { workspace, inUse }
  return { workspace: withProfile(workspace, inUse, await siteOf(setup, session, folder.path), session.start), inUse }
}

async function profileInUse(frozen: FrozenProfile, session: Session, folder: Folder, reporter: Reporter): Promise<InUse> {
  const { profile, notices } = await thawProfile(frozen)
  for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
  refuseUnready(session, folder)
  return { profile, parameters: frozen.parameters, folder }
}

function own(folder: Folder, { lock, since }: Ownership, journal: Journal, { session }: Loaded, { inUse, ...parts }: Parts, reporter: Reporter): Owned {
  const inbox = openInbox(folder.path)
  const control = createControl(inbox)
  const setup = setupOf(session)
  const ports: Ports = {
    ...parts,
    ...(setup.commands && { commands: createCommands({ policy: setup.commands, withheld: keysOf(setup) }) }),
    journal,
    folder,
    inbox,
    reporter,
    clock: systemClock,
    control,
    limits: limitsOf(setup),
    compose: composer(inUse, (now, effect) => compose(now, effect, setup, parts.gates, folder, [], { cwd: parts.workspace.cwd, ...(inUse && sectionsBy(inUse, now, effect)) })),
    read: inUse ? readBy(inUse) : readReply,
  }
  const close = async (): Promise<void> => {
    control.close()
    journal.close()
    await parts.workspace.close?.()
    await lock.release()
  }
  return { ports, session, ownedSince: since, standing: null, folder: folder.path, close }
}
