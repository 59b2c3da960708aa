// Who answers each role of a procedure.
import { CLI_NAMES, type AgentEntry, type ChatEntry } from '../agent-entry.js'
import type { Config } from '../config/types.js'
import type { AskPhase, Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import { quoteWord } from '../text/prompt/quote.js'
import { knownAgent, unknownAgent, type AgentFlags } from './known-agents.js'
import { didYouMean } from './meant.js'

/** Whose agent answers for a role that nobody is named for. Whoever judges has to be named. */
const STANDS_IN: Readonly<Record<string, string>> = { planner: 'consultant', auditor: 'implementer', reviewer: 'implementer' }

/** Role → agent. A role that only a rung or a later phase needs may stay unfilled. */
export function rolesOf(procedure: Procedure, config: Config): Record<string, string> {
  const agent = isForRepair(procedure, config) ? { '*': 'repair' } : config.values.agent
  const known = rolesIn(procedure)
  const filled = known.flatMap((role) => {
    const name = agent[role] ?? agent['*'] ?? (judgesIn(procedure, role) ? undefined : agent[STANDS_IN[role] ?? ''])
    return name === undefined ? [] : [[role, name] as const]
  })
  refuseUnknownRole(procedure, known, config)
  const roles = Object.fromEntries(filled)
  const unfilled = neededAsks(procedure).map(({ role }) => role).find((role) => roles[role] === undefined)
  if (unfilled === undefined) return roles
  throw Object.keys(agent).length === 0 ? nobodyFound(unfilled, procedure, config) : nobodyNamed(unfilled, agent)
}

/** The one agent that is always here mends what gates show to be broken, and can do nothing else. */
function isForRepair(procedure: Procedure, { values }: Config): boolean {
  return Object.keys(values.agent).length === 0 && values.gates.length > 0 && onlyMakes(procedure)
}

function onlyMakes(procedure: Procedure): boolean {
  const asks = neededAsks(procedure)
  return asks.length > 0 && asks.every(({ yields }) => yields === 'candidate')
}

function nobodyNamed(role: string, agent: Readonly<Record<string, string>>): Refusal {
  const text = `nobody answers as ${role}: only ${Object.keys(agent).join(' and ')} ${Object.keys(agent).length > 1 ? 'have' : 'has'} an agent`
  return new Refusal(EXIT.usage, text, `greenlatch run --agent ${role}=${Object.values(agent)[0] ?? 'paste'}`)
}

/** What was looked for, and every way on: whoever is new here has nothing else to go by. Where the repair agent could do the work it would have been asked. */
function nobodyFound(role: string, procedure: Procedure, { values }: Config): Refusal {
  const looked = `no agent is named, and none of ${CLI_NAMES.join(', ')} is installed and logged in`
  const ways = '--url <address> asks a model, --ai-cmd "<command>" any program, --agent paste asks you'
  const lacksGate = values.gates.length === 0 && onlyMakes(procedure) && procedure.policies.goal !== undefined
  if (!lacksGate) return new Refusal(EXIT.usage, `nobody answers as ${role}: ${looked}; ${ways}`, 'greenlatch agents')
  const gate = 'no check is configured either: with one (--gate) the built-in repair agent is asked'
  return new Refusal(EXIT.usage, `nobody answers as ${role}: ${looked}; ${gate}; ${ways}`, 'greenlatch run --gate "<your test command>"')
}

/** For the roles of a procedure, by flags alone: who is named for each of them. */
export function rolesNamed(procedure: Procedure, agent: Readonly<Record<string, string>>): Record<string, string> {
  const known = rolesIn(procedure)
  refuseUnknownRole(procedure, known, { values: { agent } })
  return Object.fromEntries(known.flatMap((role) => (agent[role] ?? agent['*'] ? [[role, agent[role] ?? agent['*'] ?? '']] : [])))
}

function refuseUnknownRole({ name }: Procedure, known: readonly string[], config: { values: Pick<Config['values'], 'agent'> }): void {
  const unknown = Object.keys(config.values.agent).find((role) => role !== '*' && !known.includes(role))
  if (unknown === undefined) return
  const text = `procedure "${name}" has no role "${unknown}"${didYouMean(unknown, known)}`
  throw new Refusal(EXIT.usage, text, `greenlatch procedures show ${name}`)
}

function rolesIn(procedure: Procedure): string[] {
  const asked = Object.values(procedure.phases).flatMap((phase) => (phase.kind === 'ask' ? [phase.role] : []))
  const handed = (procedure.policies.ladder?.rungs ?? []).flatMap((rung) => Object.values(rung.roles ?? {}))
  return [...new Set([...asked, ...handed])]
}

function judgesIn({ phases }: Procedure, role: string): boolean {
  return Object.values(phases).some((phase) => phase.kind === 'ask' && phase.role === role && phase.judges === true)
}

/** Without these nothing could begin. */
function neededAsks({ phases, start }: Pick<Procedure, 'phases' | 'start'>): AskPhase[] {
  return Object.entries(phases).flatMap(([name, phase]) => {
    return phase.kind === 'ask' && (phase.opensIteration || phase.judges || phase.wants === 'tests' || name === start) ? [phase] : []
  })
}

/** A model that a flag asks for holds for those who answer a role, and not for whoever stands in for them. */
export function agentsInUse(roles: Readonly<Record<string, string>>, config: Config, cwd: string, flags: AgentFlags): Record<string, AgentEntry> {
  const { model } = flags
  const used: Record<string, AgentEntry> = {}
  const add = (name: string): void => {
    if (Object.hasOwn(used, name)) return
    const entry = knownAgent(name, config, cwd)
    if (entry === null) throw new Refusal(EXIT.usage, `there is no agent "${name}"${unknownAgent(name, config, flags)}`, 'greenlatch agents')
    used[name] = entry
    if (entry.fallback !== undefined) add(entry.fallback)
  }
  for (const name of Object.values(roles)) add(name)
  return model === undefined ? used : { ...used, ...withModel(used, Object.values(roles), model) }
}

function withModel(used: Readonly<Record<string, AgentEntry>>, names: readonly string[], model: string): Record<string, AgentEntry> {
  const asked = names.flatMap((name): [string, AgentEntry][] => {
    const entry = used[name]
    return entry && ('cli' in entry || 'acp' in entry || 'chat' in entry) ? [[name, { ...entry, ...forAllRoles(entry), model }]] : []
  })
  if (asked.length > 0) return Object.fromEntries(asked)
  const text = `--model: ${[...new Set(names)].map((name) => `"${name}"`).join(', ')} cannot be told which model to use`
  throw new Refusal(EXIT.usage, text, `greenlatch run --model ${quoteWord(model)} --agent claude`)
}

/** A flag wins over what the settings say of single roles too. */
function forAllRoles(entry: AgentEntry): Pick<ChatEntry, 'roles'> {
  if (!('chat' in entry) || !entry.roles) return {}
  const others = Object.entries(entry.roles).map(([role, settings]) => [role, Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'model'))])
  return { roles: Object.fromEntries(others) }
}
