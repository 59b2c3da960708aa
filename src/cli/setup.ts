// From flags and settings to what a session is opened with: procedure, agents, gates and limits, all plain data.
import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { keysOf, type AgentEntry, type CommandLine } from '../agent-entry.js'
import type { Config, GateEntry, LimitSettings, Permit, SandboxSettings, ScopeSettings } from '../config/types.js'
import { realPath } from '../config/locate.js'
import { flagName } from '../config/scalars.js'
import { problemsOf } from '../config/soundness.js'
import type { Fragment, Phase, Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { patternsOfChecks, type CommandPolicy } from '../text/commands/command-policy.js'
import { nearest } from '../text/nearest.js'
import { agentsInUse, rolesOf } from './choose-agents.js'
import { allProcedures, procedureFor } from './choose-procedure.js'
import type { TaskFlags } from './flags.js'
import type { Source } from './ground.js'
import { originOfAgent } from './known-agents.js'
import type { FrozenProfile } from './profiles.js'
import { taskFile } from './project.js'
import type { Confinement } from './sandbox.js'
import { placeOf, scopeIn, type PlaceSetup } from './session-flags.js'
import { gatesFor, withoutConfiguredGates } from './without-gates.js'

/** What agents, gates and prompts are made from. Frozen in the session's first record, so that a resumed session is the same. */
export type Setup = {
  root: string
  cwd: string
  agents: Record<string, AgentEntry>
  /** Variables that hold keys of models, whoever of them is asked. */
  keys: string[]
  gates: GateEntry[]
  /** Names of variables that everything is given besides. */
  passes?: string[]
  /** Makes a checkout ready; null copies the user's dependency folders instead. */
  prepare: CommandLine | null
  limits: LimitSettings
  scope: ScopeSettings
  /** Which commands of replies are run; none where it is missing. */
  commands?: CommandPolicy
  /** What was asked of the sandbox, and what was chosen when the session was opened. */
  sandbox?: SandboxSettings
  confinement?: Confinement
  permit: Permit[]
  place: PlaceSetup
  source: Source
  promptTokens: number
  /** A full disk does not stop it. */
  persistence?: 'best-effort'
  context: Fragment[]
  /** How work is done here, as it stood when the session was opened. */
  philosophy?: string
  /** Who writes the prompts and reads the answers, in procedures that leave it to a profile. */
  profile?: FrozenProfile
  /** Leave out of a proved result what its checks do not need. */
  minimise?: true
  /** By a loop, or step by step. */
  drive: 'run' | 'step'
  /** Opened beside other sessions of the same procedure. */
  parallel: boolean
  /** What was typed after the verb to begin it, without the places that are looked at; missing where nobody typed it, or it may hold a secret. */
  typed?: readonly string[]
  /** Where each choice came from, for people. */
  origins: Record<string, string>
  versions: Record<string, string>
  /** The hash of what files of the repository said of it, which was trusted. */
  trusted?: string
  /** Agents of which nobody knows what they cost. */
  unpriced?: string[]
  /** Agents that were left out, since they were not there when the session began. */
  absent?: string[]
}

/** Where the work comes from is looked at last, when a session is really opened. */
export type Plan = { procedure: Procedure; roles: Record<string, string>; task: string | null; setup: Omit<Setup, 'source'> }

type From = { cwd: string; version: string; drive: 'run' | 'step' }

export function makePlan(words: readonly string[], flags: TaskFlags, config: Config, from: From): Plan {
  const { procedure: name, task } = readWords(words, flags, config)
  const written = fitForGates(procedureFor(name, config), config)
  const roles = rolesOf(written, config)
  const place = placeOf(flags, written)
  return {
    procedure: withSetup({ ...written, final: place.leave }, config, place.inPlace ? 'in place' : 'checkout'),
    roles,
    task: taskText(task, flags, taskFile(config, flags), from.cwd),
    setup: { ...setupFrom(roles, config, from, flags), gates: placedGates(gatesFor(written, config.values.gates), config, from.cwd), scope: scopeIn(written, config), place, parallel: flags.parallel === true, ...(flags.minimise && { minimise: true as const }) },
  }
}

function setupFrom(roles: Plan['roles'], config: Config, { cwd, version, drive }: From, flags: TaskFlags): Omit<Setup, 'place' | 'parallel' | 'source' | 'scope'> {
  const { gates, limits, permit, promptTokens, context, commands, sandbox } = config.values
  return {
    root: config.root,
    cwd,
    agents: agentsInUse(roles, config, cwd, flags),
    keys: keysOf(config.values.agents),
    gates,
    passes: config.values.pass_env,
    prepare: config.values.setup ?? null,
    limits,
    commands: { ...commands, allow: commands.allow ?? patternsOf(gates) },
    sandbox,
    permit,
    promptTokens,
    ...(config.values.persistence === 'best-effort' && { persistence: config.values.persistence }),
    context,
    drive,
    origins: { agent: originOfAgent(config, flags), gates: config.origins['gates']?.where ?? 'none', sandbox: config.origins['sandbox.use']?.where ?? 'built-in' },
    versions: { greenlatch: version, node: process.version },
    ...(config.executable && { trusted: config.executable.hash }),
  }
}

/** Each with its place below the root: what was typed, and tests that are planned where the agent works, run where we are. */
function placedGates(gates: readonly GateEntry[], { root, origins }: Config, cwd: string): GateEntry[] {
  const here = relative(realPath(root), realPath(cwd))
  const isTyped = origins['gates']?.where === flagName('gates')
  return gates.map((gate) => (here !== '' && (isTyped || gate.planned) ? { ...gate, cwd: join(here, gate.cwd ?? '') } : gate))
}

/** The runners of planned tests, for a session that has no other gate. */
const PLANNED_RUNNERS = ['python3 -m pytest *', 'node --test *', 'go test *', 'cargo test *']

/** A check that is kept back is not to be found out by what may be run. */
function patternsOf(gates: readonly GateEntry[]): string[] {
  return gates.length === 0 ? PLANNED_RUNNERS : patternsOfChecks(gates.filter(({ holdout }) => !holdout).map(({ run }) => run))
}

/** The words after `run`: a procedure, a task, or both in this order. */
function readWords(words: readonly string[], { task, spec }: TaskFlags, config: Config): { procedure: string; task: string | null } {
  const known = Object.keys(allProcedures(config))
  const [first, ...rest] = words
  if (first === undefined) return { procedure: config.values.procedure, task: null }
  if (known.includes(first)) return { procedure: first, task: rest.length > 0 ? rest.join(' ') : null }
  const meant = /\s/.test(first) ? null : nearest(first, known)
  if (meant !== null && isMeantAsProcedure(first, rest)) {
    const way = rest.length > 0 ? '; a task that begins with it needs quotes' : ''
    throw new Refusal(EXIT.usage, `there is no procedure "${first}" (did you mean "${meant}"?)${way}`, 'greenlatch procedures')
  }
  const why = (task ?? spec) !== undefined && !/\s/.test(first) ? 'the task stands in a file already' : looksLikeName(first) ? 'it looks like the name of one; a task has more words, or stands in a file (--task)' : null
  if (rest.length === 0 && why !== null) throw new Refusal(EXIT.usage, `there is no procedure "${first}", and ${why}`, 'greenlatch procedures')
  return { procedure: config.values.procedure, task: words.join(' ') }
}

/** Joined words, or a word with a number: nobody says a task like that, and an agent would begin to work on it. */
function looksLikeName(word: string): boolean {
  return /^[a-z][a-z0-9]*([-_][a-z0-9]+)+$|^[a-z]+\d+$/i.test(word)
}

/** A short word is near to many others: where a task without quotes follows, it is taken as its first word. */
function isMeantAsProcedure(first: string, rest: readonly string[]): boolean {
  return rest.length === 0 || first.length > 3 || rest.some((word) => /\s/.test(word))
}

/** A command that makes a checkout ready runs first, whatever the procedure; the user's own folder is ready as it is. */
function withSetup(procedure: Procedure, config: Config, where: 'in place' | 'checkout'): Procedure {
  const has = Object.values(procedure.phases).some((phase) => phase.kind === 'workspace' && phase.action === 'setup')
  if (config.values.setup === undefined || where === 'in place' || has || 'setup' in procedure.phases) return procedure
  const setup: Phase = { kind: 'workspace', action: 'setup', on: { pass: procedure.start, error: '@refused' } }
  return { ...procedure, start: 'setup', phases: { setup, ...procedure.phases } }
}

function fitForGates(procedure: Procedure, config: Config): Procedure {
  if (gatesFor(procedure, config.values.gates).length > 0) return procedure
  const without = withoutConfiguredGates(procedure)
  if (problemsOf(without).length === 0) return without
  const text = `procedure "${procedure.name}" makes no sense without gates, and none is configured`
  throw new Refusal(EXIT.gate, text, 'greenlatch run --gate "<your test command>"')
}

/** `otherwise` is the file that settings or a project name: whatever is typed comes before it. */
function taskText(given: string | null, { task, spec }: TaskFlags, otherwise: string | undefined, cwd: string): string | null {
  const file = task ?? spec ?? (given === null ? otherwise : undefined)
  if (file === undefined) return given
  const flag = spec === undefined || task !== undefined ? '--task' : '--spec'
  const other = given !== null ? 'as words' : task !== undefined && spec !== undefined ? 'by --spec' : null
  if (other !== null) throw new Refusal(EXIT.usage, `the task is given twice: ${other} and by ${flag}`, 'greenlatch run --help')
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the task file ${resolve(cwd, file)} cannot be read`, `greenlatch run ${flag} <file>`)
  }
}
