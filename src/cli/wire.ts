// Puts a session together: adapters made from its frozen setup, its lock, its journal and its reporter.
import { join } from 'node:path'
import { openInbox } from '../adapters/inbox/files.js'
import { createJournal, FORMAT, openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { withArtifacts } from '../adapters/reporters/artifacts.js'
import type { Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder } from '../files/durable.js'
import type { Folder, Journal, JournalRecord, Loaded, Reporter } from '../ports.js'
import { endStrays } from '../process/tree.js'
import { createControl } from '../shell/control.js'
import type { Live, Ports } from '../shell/live.js'
import { acquireLock, type Lock } from '../shell/lock.js'
import { counted } from '../text/amounts.js'
import { FINGERPRINT_VERSION } from '../text/fingerprint.js'
import { readReply } from '../text/read-reply.js'
import { gateNames, limitsOf, makeAgentsAndGates } from './agents-and-gates.js'
import { fold, sessionIds } from './catalogue.js'
import { systemClock } from './clock.js'
import { breakGround, sourceOf, workspaceOf } from './ground.js'
import { compose, TASK_FILE } from './prompts.js'
import { newSessionId } from './session-id.js'
import type { Plan, Setup } from './setup.js'
import { restingStatus, statusFields } from './status-fields.js'
import { removeUnborn } from './unborn.js'

/** A session this process owns; `close` gives it up. */
export type Owned = Live & { folder: string; close(): Promise<void> }

// ───────────────────────────── opening ─────────────────────────────

/** Makes a new session and owns it. Nothing is written before everything that can be checked has been. */
export async function createSession(plan: Plan, store: string, reporter: Reporter): Promise<Owned> {
  const people = await makeAgentsAndGates(plan.setup, plan.procedure.name)
  const { source, notices } = await sourceOf(plan.setup, store)
  const setup: Setup = { ...plan.setup, source }
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
    const { journal, loaded } = createJournal(journalOptions(folderPath, reporter), opened)
    const workspace = await workspaceOf(setup, loaded.session, folderPath, limitsOf(setup).gate)
    return own(folder, ownership, journal, loaded, { ...people, workspace }, await withArtifacts(reporter, folder, journal))
  } catch (error) {
    await ownership.lock.release()
    throw error
  }
}

/** Takes an existing session over, or refuses when another process runs it. */
export async function ownExisting(folderPath: string, reporter: Reporter): Promise<Owned> {
  const ownership = await ownSession(folderPath)
  try {
    const journal = openJournal({ ...journalOptions(folderPath, reporter), writable: true })
    const loaded = await journal.load()
    const notices = [...loaded.notices, ...(await endLeftRunning(loaded.session.id))]
    for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const setup = setupOf(loaded.session)
    const people = await makeAgentsAndGates(setup, loaded.session.procedure.name)
    const workspace = await workspaceOf(setup, loaded.session, folderPath, limitsOf(setup).gate)
    const folder = openFolder(folderPath)
    return own(folder, ownership, journal, loaded, { ...people, workspace }, await withArtifacts(reporter, folder, journal))
  } catch (error) {
    await ownership.lock.release()
    throw error
  }
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

type Ownership = { lock: Lock; since: number }

async function ownSession(folder: string): Promise<Ownership> {
  const since = systemClock.now()
  const lock = await acquireLock(folder)
  if (lock.kind === 'lock') return { lock, since }
  const by = lock.pid === null ? 'another process' : `process ${lock.pid}`
  throw new Refusal(EXIT.locked, `this session is being run by ${by}`, 'greenlatch status')
}

function journalOptions(folder: string, reporter: Reporter) {
  return {
    folder,
    fold,
    clock: systemClock,
    view: (session: Session, _last: JournalRecord) => statusFields(session, restingStatus(session)),
    onNotice: (text: string) => reporter.notice({ kind: 'warning', text, at: systemClock.now() }),
  }
}

type Parts = Pick<Ports, 'agents' | 'gates' | 'workspace'>

function own(folder: Folder, { lock, since }: Ownership, journal: Journal, { session }: Loaded, parts: Parts, reporter: Reporter): Owned {
  const inbox = openInbox(folder.path)
  const control = createControl(inbox)
  const setup = setupOf(session)
  const ports: Ports = {
    ...parts,
    journal,
    folder,
    inbox,
    reporter,
    clock: systemClock,
    control,
    limits: limitsOf(setup),
    compose: (now, effect) => compose(now, effect, setup, parts.gates, (path) => folder.read(path)),
    read: readReply,
  }
  const close = async (): Promise<void> => {
    control.close()
    journal.close()
    await parts.workspace.close?.()
    await lock.release()
  }
  return { ports, session, ownedSince: since, standing: null, folder: folder.path, close }
}
