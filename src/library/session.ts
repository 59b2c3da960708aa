// Sessions for programs: opened as the command line opens them, with agents and gates that may be functions of the program.
import { join } from 'node:path'
import type { AgentEntry } from '../agent-entry.js'
import { refuseUnusable } from '../cli/begin.js'
import { openContext, type Context } from '../cli/context.js'
import { refuseNulIn } from '../cli/nul.js'
import { makePlan } from '../cli/setup.js'
import { createSession, ownExisting, type Owned } from '../cli/wire.js'
import type { GateEntry, Layer } from '../config/types.js'
import type { Agent, Ending, Gate, Reporter } from '../ports.js'
import { run as runLive, stepOnce } from '../shell/run.js'
import type { ProcedureDefinition } from './define.js'

declare const __GREENLATCH_VERSION__: string

/** What a session is opened with; all of it may be left out where the settings say it. */
export type SessionOptions = {
  /** The folder it is about; the working folder where nothing is said. */
  cwd?: string
  /** Where sessions are kept, instead of the user's state folder. */
  stateDir?: string
  /** What to do, in words. */
  task?: string
  /** A name, or one that was defined; `converge` where nothing is said. */
  procedure?: string | ProcedureDefinition
  /** Who answers: for every role, or by role with `*` for all others. A name is one of the settings or a known one. */
  agent?: Agent | string | Readonly<Record<string, Agent | string>>
  /** The checks, in the order they run: objects, or entries as `greenlatch.yaml` has them. */
  gates?: readonly (Gate | GateEntry)[]
  /** All else that `greenlatch.yaml` can say. */
  settings?: Layer
  /** `read`: the settings files of the user and the repository count too, below all this. */
  settingsFiles?: 'read'
  /** Work in the folder itself instead of a copy, as `--in-place` does. */
  inPlace?: boolean
  /** What becomes of changes that are not committed, as `--dirty` says it; without it they are refused. */
  dirty?: 'include' | 'ignore'
  /** The id of a session to go on with; its procedure, task and limits are its own. */
  resume?: string
  /** Hears of every record, sign of life and warning; nobody does where nothing is said. */
  reporter?: Reporter
}

/** A session that this process owns until it is closed. `session` is its state, `folder` where its files are. */
export type OpenSession = Owned

/** Nothing is printed, and nobody is asked anything. Throws Refusal for what cannot be done. */
export async function openSession(options: SessionOptions): Promise<OpenSession> {
  const { reporter = { notice: () => {} }, resume } = options
  const given = { agents: objectsIn(agentsOf(options)), gates: Object.fromEntries((options.gates ?? []).filter(isGate).map((gate) => [gate.name, gate])) }
  refuseNulIn({ cwd: options.cwd, stateDir: options.stateDir, resume })
  const context = await contextFor(options)
  if (resume !== undefined) return ownExisting(join(context.store, resume), reporter, { given })
  const { cwd, config } = context
  const words = [nameOf(options.procedure) ?? config.values.procedure, ...(options.task === undefined ? [] : [options.task])]
  const flags = { parallel: true, ...(options.inPlace && { inPlace: true }), ...(options.dirty && { dirty: options.dirty }) }
  const plan = makePlan(words, flags, config, { cwd, version: __GREENLATCH_VERSION__, drive: 'run' })
  refuseUnusable(plan)
  return createSession(plan, context.store, reporter, given)
}

/** To its end, or to where it waits for somebody. */
export function run(session: OpenSession): Promise<Ending> {
  return runLive(session)
}

/** Exactly one transition; null when it can go on. */
export function step(session: OpenSession): Promise<Ending | null> {
  return stepOnce(session)
}

function contextFor({ cwd, stateDir, settingsFiles, ...options }: SessionOptions): Promise<Context> {
  const flags = { ui: 'none' as const, input: false, ...(cwd !== undefined && { C: cwd }), ...(stateDir !== undefined && { stateDir }) }
  return openContext(flags, layerFor(options), settingsFiles === 'read' ? undefined : 'none')
}

/** What lives in this program stands in the session under its name alone: nobody else can start it. */
function layerFor(options: SessionOptions): Layer {
  const { settings = {}, procedure, gates } = options
  const agents = agentsOf(options)
  const own = Object.fromEntries(Object.entries(objectsIn(agents)).map(([name, { inText }]): [string, AgentEntry] => [name, { command: ['agent-of-a-program'], ...(inText && { replies: 'text' }) }]))
  return {
    ...settings,
    agents: { ...(Array.isArray(settings.agents) ? {} : settings.agents), ...own },
    ...(agents && { agent: Object.fromEntries(Object.entries(agents).map(([role, agent]) => [role, typeof agent === 'string' ? agent : agent.name])) }),
    ...(gates && { gates: gates.map((gate) => (isGate(gate) ? { name: gate.name, run: ['gate-of-a-program'], runner: 'none' } : gate)) }),
    ...(typeof procedure === 'object' && { procedures: { ...settings.procedures, [procedure.name]: procedure.entry as NonNullable<Layer['procedures']>[string] } }),
  }
}

function agentsOf({ agent }: SessionOptions): Record<string, Agent | string> | null {
  if (agent === undefined) return null
  return typeof agent === 'string' || isAgent(agent) ? { '*': agent } : { ...agent }
}

function objectsIn(agents: Readonly<Record<string, Agent | string>> | null): Record<string, Agent> {
  return Object.fromEntries(Object.values(agents ?? {}).flatMap((agent) => (typeof agent === 'string' ? [] : [[agent.name, agent]])))
}

function isAgent(value: Agent | Readonly<Record<string, Agent | string>>): value is Agent {
  return typeof value['ask'] === 'function'
}

function isGate(value: Gate | GateEntry): value is Gate {
  return typeof value.run === 'function'
}

function nameOf(procedure: SessionOptions['procedure']): string | undefined {
  return typeof procedure === 'object' ? procedure.name : procedure
}
