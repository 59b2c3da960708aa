// Puts a session together: adapters made from its frozen setup, its lock, its journal and its reporter.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { commandAgent } from '../adapters/agents/command.js'
import { pasteAgent } from '../adapters/agents/paste.js'
import { scriptedAgent } from '../adapters/agents/scripted.js'
import { commandGate } from '../adapters/gates/command.js'
import { openInbox } from '../adapters/inbox/files.js'
import { createJournal, FORMAT, openJournal } from '../adapters/journal/files.js'
import { openFolder } from '../adapters/journal/folder.js'
import { folderWorkspace } from '../adapters/workspace/folder.js'
import type { AgentEntry } from '../config/types.js'
import type { Effect, Fragment, Opened, Session } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { makeFolder } from '../files/durable.js'
import type { Agent, Folder, Gate, Journal, JournalRecord, Limits, Loaded, Reporter } from '../ports.js'
import { splitCommand } from '../process/command-line.js'
import { endStrays } from '../process/tree.js'
import { fragments } from '../procedures/index.js'
import { createControl } from '../shell/control.js'
import type { ComposedPrompt, Live, Ports } from '../shell/live.js'
import { acquireLock, type Lock } from '../shell/lock.js'
import { composePrompt, sectionTexts } from '../text/prompt.js'
import { counted, grouped } from '../text/amounts.js'
import { fold } from './catalogue.js'
import { systemClock } from './clock.js'
import type { Plan, Setup } from './setup.js'
import { restingStatus, statusFields } from './status-fields.js'
import { removeUnborn } from './unborn.js'

export const TASK_FILE = 'task.md'

/** A session this process owns; `close` gives it up. */
export type Owned = Live & { folder: string; close(): Promise<void> }

// ───────────────────────────── opening ─────────────────────────────

/** Makes a new session and owns it. Nothing is written before everything that can be checked has been. */
export async function createSession(plan: Plan, store: string, reporter: Reporter): Promise<Owned> {
  const parts = await buildParts(plan.setup, plan.procedure.name, store)
  const id = newId(systemClock.now())
  const folderPath = join(store, id)
  const tree = await parts.workspace.tree()
  await removeUnborn(store, systemClock.now())
  makeFolder(folderPath)
  const ownership = await ownSession(folderPath)
  const folder = openFolder(folderPath)
  const opened: Opened = {
    type: 'opened',
    format: FORMAT,
    id,
    procedure: plan.procedure,
    tree,
    gates: plan.setup.gates.map((gate) => gate.name),
    roles: plan.roles,
    fingerprints: 1,
    task: plan.task === null ? null : folder.write(TASK_FILE, plan.task),
    openedAt: systemClock.now(),
    setup: plan.setup,
  }
  const { journal, loaded } = createJournal(journalOptions(folderPath, reporter), opened)
  return own(folder, ownership, journal, loaded, parts, reporter)
}

/** Takes an existing session over, or refuses when another process runs it. */
export async function ownExisting(folderPath: string, reporter: Reporter): Promise<Owned> {
  const ownership = await ownSession(folderPath)
  try {
    const journal = openJournal({ ...journalOptions(folderPath, reporter), writable: true })
    const loaded = await journal.load()
    const notices = [...loaded.notices, ...(await endLeftRunning(loaded.session.id))]
    for (const text of notices) reporter.notice({ kind: 'warning', text, at: systemClock.now() })
    const parts = await buildParts(setupOf(loaded.session), loaded.session.procedure.name, dirname(folderPath))
    return own(openFolder(folderPath), ownership, journal, loaded, parts, reporter)
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
  }
  const close = async (): Promise<void> => {
    control.close()
    journal.close()
    await lock.release()
  }
  return { ports, session, ownedSince: since, folder: folder.path, close }
}

/** Ids sort by time, to the millisecond: the newest session is the last by name. */
function newId(now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const milliseconds = (now % 1000).toString(36).padStart(2, '0')
  return `${stamp}-${milliseconds}${Math.random().toString(36).slice(2, 5).padEnd(3, '0')}`
}

// ───────────────────────────── adapters ─────────────────────────────

type Parts = Pick<Ports, 'agents' | 'gates' | 'workspace'>

async function buildParts(setup: Setup, procedure: string, store: string): Promise<Parts> {
  const agents: Record<string, Agent> = {}
  for (const [name, entry] of Object.entries(setup.agents)) {
    const agent = await makeAgent(name, entry, setup.cwd)
    const missing = await agent.ready()
    if (missing !== null) throw new Refusal(EXIT.agent, `agent "${name}" is not ready: ${missing}`, `greenlatch run ${procedure} --agent <another>`)
    agents[name] = agent
  }
  return { agents, gates: gatesOf(setup), workspace: folderWorkspace(setup.cwd, { ignore: ownFiles(setup.cwd, store) }) }
}

/** What would be started for each agent, without looking whether it is there. */
export async function describeAgents(setup: Setup): Promise<Record<string, string>> {
  const described: Record<string, string> = {}
  for (const [name, entry] of Object.entries(setup.agents)) described[name] = (await makeAgent(name, entry, setup.cwd)).describe
  return described
}

/** Sessions kept inside the folder that agents work in are ours, not the candidate's. */
function ownFiles(cwd: string, store: string): string[] {
  const path = relative(cwd, store)
  return path === '' || path.startsWith('..') ? [] : [path]
}

async function makeAgent(name: string, entry: AgentEntry, cwd: string): Promise<Agent> {
  if ('script' in entry) return scriptedAgent({ name, scriptPath: entry.script })
  if ('paste' in entry) return pasteAgent({ name })
  const argv = typeof entry.command === 'string' ? splitCommand(entry.command) : entry.command
  return commandAgent({ name, argv, cwd, ...(entry.env && { env: entry.env }) })
}

export function gatesOf(setup: Setup): Record<string, Gate> {
  return Object.fromEntries(setup.gates.map((gate) => [gate.name, commandGate(gate)]))
}

function limitsOf({ limits }: Setup): { agent: Limits; gate: Limits } {
  const { outputBytes } = limits
  return {
    agent: { wallSeconds: limits.agentSeconds, silenceSeconds: limits.agentSilenceSeconds, outputBytes },
    gate: { wallSeconds: limits.gateSeconds, silenceSeconds: limits.gateSeconds, outputBytes },
  }
}

// ───────────────────────────── prompts ─────────────────────────────

/** The prompt of an ask, from the session as it stands. Files are read afresh each time. */
export function compose(
  session: Session,
  effect: Effect,
  setup: Setup,
  gates: Readonly<Record<string, Gate>>,
  read: (path: string) => string | undefined,
  notRun: ('failures' | 'refuted')[] = [],
): ComposedPrompt {
  const phase = session.procedure.phases[effect.phase]
  if (effect.kind !== 'ask' || phase?.kind !== 'ask') throw new Error(`${effect.phase} is not an ask`)
  const context = setup.context.map((fragment) => ('text' in fragment ? fragment.text : 'section' in fragment ? '' : loadFragment(fragment)))
  const sections = sectionTexts(session, {
    effect,
    task: read(TASK_FILE) ?? '',
    context,
    gates: session.gates.map((name) => ({ name, describe: gates[name]?.describe ?? '' })),
  })
  const prompt = composePrompt({
    title: phase.title ?? `One iteration of ${session.procedure.name}`,
    parts: phase.prompt,
    sections,
    load: loadFragment,
    budgetTokens: setup.promptTokens,
    trim: phase.trim === 'never' ? 'never' : 'ranked',
    notRun,
  })
  const over = prompt.over ? [`the prompt is over its budget: ${grouped(prompt.tokens)} of ${grouped(setup.promptTokens)} tokens`] : []
  const left = prompt.leftOut.map((part) => `left out of the prompt to keep it within ${grouped(setup.promptTokens)} tokens: ${part.title}`)
  return { text: prompt.text, tokens: prompt.tokens, warnings: [...over, ...left] }
}

function loadFragment(fragment: Exclude<Fragment, { text: string } | { section: unknown }>): string {
  if ('builtin' in fragment) return fragments[fragment.builtin] ?? ''
  try {
    return readFileSync(fragment.file, 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the prompt needs ${fragment.file}, which cannot be read`, 'put the file back, then greenlatch resume')
  }
}
