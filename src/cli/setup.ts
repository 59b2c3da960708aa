// From flags and settings to what a session is opened with: procedure, agents, gates and limits, all plain data.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AgentEntry, CommandLine, Config, GateEntry, LimitSettings, Permit, ScopeSettings } from '../config/types.js'
import { problemsOf } from '../config/soundness.js'
import type { Fragment, Phase, Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { nearest } from '../text/nearest.js'
import { agentsInUse, originOfAgent, rolesOf } from './choose-agents.js'
import { allProcedures, procedureFor } from './choose-procedure.js'
import type { TaskFlags } from './flags.js'
import type { Source } from './ground.js'
import type { FrozenProfile } from './profiles.js'
import { placeOf, scopeIn, type PlaceSetup } from './session-flags.js'
import { gatesFor, withoutConfiguredGates } from './without-gates.js'


/** What agents, gates and prompts are made from. Frozen in the session's first record, so that a resumed session is the same. */
export type Setup = {
  root: string
  cwd: string
  agents: Record<string, AgentEntry>
  gates: GateEntry[]
  /** Makes a checkout ready; null copies the user's dependency folders instead. */
  prepare: CommandLine | null
  limits: LimitSettings
  scope: ScopeSettings
  permit: Permit[]
  place: PlaceSetup
  source: Source
  promptTokens: number
  context: Fragment[]
  /** Who writes the prompts and reads the answers, in procedures that leave it to a profile. */
  profile?: FrozenProfile
  /** Leave out of a proved result what its checks do not need. */
  minimise?: true
  /** By a loop, or step by step. */
  drive: 'run' | 'step'
  /** Opened beside other sessions of the same procedure. */
  parallel: boolean
  /** Where each choice came from, for people. */
  origins: Record<string, string>
  versions: Record<string, string>
}

/** Where the work comes from is looked at last, when a session is really opened. */
export type Plan = { procedure: Procedure; roles: Record<string, string>; task: string | null; setup: Omit<Setup, 'source'> }

type From = { cwd: string; version: string; drive: 'run' | 'step' }

export function makePlan(words: readonly string[], flags: TaskFlags, config: Config, from: From): Plan {
  const { procedure: name, task } = readWords(words, config)
  const written = fitForGates(procedureFor(name, config), config)
  const roles = rolesOf(written, config)
  const place = placeOf(flags, written)
  return {
    procedure: withSetup({ ...written, final: place.leave }, config, place.inPlace ? 'in place' : 'checkout'),
    roles,
    task: taskText(task, flags, from.cwd),
    setup: { ...setupFrom(roles, config, from, flags), gates: gatesFor(written, config.values.gates), scope: scopeIn(written, config), place, parallel: flags.parallel === true, ...(flags.minimise && { minimise: true as const }) },
  }
}

function setupFrom(roles: Plan['roles'], config: Config, { cwd, version, drive }: From, flags: TaskFlags): Omit<Setup, 'place' | 'parallel' | 'source' | 'scope'> {
  const { gates, limits, permit, promptTokens, context } = config.values
  return {
    root: config.root,
    cwd,
    agents: agentsInUse(roles, config, cwd, flags.model),
    gates,
    prepare: config.values.setup ?? null,
    limits,
    permit,
    promptTokens,
    context,
    drive,
    origins: { agent: originOfAgent(config, flags), gates: config.origins['gates']?.where ?? 'none' },
    versions: { greenlatch: version, node: process.version },
  }
}

/** The words after `run`: a procedure, a task, or both in this order. */
function readWords(words: readonly string[], config: Config): { procedure: string; task: string | null } {
  const known = Object.keys(allProcedures(config))
  const [first, ...rest] = words
  if (first === undefined) return { procedure: config.values.procedure, task: null }
  if (known.includes(first)) return { procedure: first, task: rest.length > 0 ? rest.join(' ') : null }
  const meant = /\s/.test(first) ? null : nearest(first, known)
  if (meant !== null && rest.length === 0) {
    throw new Refusal(EXIT.usage, `there is no procedure "${first}" (did you mean "${meant}"?)`, 'greenlatch procedures')
  }
  return { procedure: config.values.procedure, task: words.join(' ') }
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

function taskText(given: string | null, { task, spec }: TaskFlags, cwd: string): string | null {
  const file = task ?? spec
  if (file === undefined) return given
  const flag = task === undefined ? '--spec' : '--task'
  const other = given !== null ? 'as words' : task !== undefined && spec !== undefined ? 'by --spec' : null
  if (other !== null) throw new Refusal(EXIT.usage, `the task is given twice: ${other} and by ${flag}`, 'greenlatch run --help')
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch {
    throw new Refusal(EXIT.usage, `the task file ${resolve(cwd, file)} cannot be read`, `greenlatch run ${flag} <file>`)
  }
}
