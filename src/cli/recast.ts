// Who answers from here on in a session that is there already, by flags; and what the settings say otherwise than when it was opened.
import { concealed, type AgentEntry } from '../agent-entry.js'
import type { Config } from '../config/types.js'
import type { Session } from '../core/index.js'
import { Refusal } from '../errors.js'
import { agentsInUse, rolesNamed, rolesOf } from './choose-agents.js'
import { concealedGate } from './agents-env.js'
import { knownAgent, originOfAgent, type AgentFlags } from './known-agents.js'
import type { Recast } from './wire.js'
import { sameRecorded, setupOf } from './recorded.js'

export function namesAgent({ agent, aiCmd, aiCmdAlias, url, model }: AgentFlags): boolean {
  return [agent, aiCmd, aiCmdAlias, url, model].some((flag) => flag !== undefined)
}

/** A name means what the settings say now; roles that no flag names keep whom they have, as they were. */
export function recastBy(flags: AgentFlags, config: Config, session: Session): Recast {
  const recorded = setupOf(session)
  const isNamed = flags.agent !== undefined || flags.aiCmd !== undefined || flags.aiCmdAlias !== undefined || flags.url !== undefined
  const named = isNamed ? rolesNamed(session.procedure, flaggedIn(config)) : {}
  const roles = { ...session.roles, ...named }
  const kept = Object.entries(recorded.agents).filter(([name]) => !Object.values(named).includes(name))
  const agents = { ...config.values.agents, ...Object.fromEntries(kept) }
  return {
    roles,
    agents: agentsInUse(roles, { ...config, values: { ...config.values, agents } }, recorded.cwd, flags),
    origin: isNamed ? originOfAgent(config, flags) : `${recorded.origins['agent'] ?? 'unknown'}, with --model`,
  }
}

/** Of the roles in force, those that a flag has set. */
function flaggedIn({ values, origins }: Config): Record<string, string> {
  return Object.fromEntries(Object.entries(values.agent).filter(([role]) => origins[role === '*' ? 'agent' : `agent.${role}`]?.tier === 'flag'))
}

/** One line where the settings are not those that the session goes on with; null where they are. */
export function changedSince(config: Config, session: Session): string | null {
  const recorded = setupOf(session)
  const agents = changedAgents(config, session)
  const others = [
    ...(isFlag(recorded.origins['gates']) || sameRecorded(recorded.gates.filter(({ planned }) => !planned), config.values.gates.map(concealedGate)) ? [] : ['gates']),
    ...(sameRecorded(recorded.limits, config.values.limits) ? [] : ['limits']),
  ]
  if (agents.length + others.length === 0) return null
  const who = [...new Set(Object.values(session.roles))].join(' and ')
  const names = [...new Set([...agents.map(({ key }) => key), ...others])].join(', ')
  const way = others.length > 0
    ? `To begin anew with that: greenlatch run ${session.procedure.name} --fresh`
    : `To take that: greenlatch resume ${session.id}${[...new Set(agents.map(({ flag }) => ` --agent ${flag}`))].join('')}`
  return `going on with ${who} as this session began; changed in the settings since: ${names}. ${way}`
}

/** `key` of the settings, and what `--agent` would have to be given to take it. */
type Changed = { key: string; flag: string }

/** Whom a flag had chosen, no file takes away; but an entry by the same name may be another now. */
function changedAgents(config: Config, session: Session): Changed[] {
  const { agents, origins, cwd } = setupOf(session)
  const now = isFlag(origins['agent']) ? session.roles : rolesNow(config, session)
  const others = Object.entries(now).filter(([role, name]) => session.roles[role] !== name && knownAgent(name, config, cwd) !== null)
  const isAll = others.length === Object.keys(now).length && new Set(Object.values(now)).size === 1
  const chosen = others.map(([role, name]): Changed => ({ key: 'agent', flag: isAll ? name : `${role}=${name}` }))
  const entries = Object.keys(agents).filter((name) => Object.hasOwn(config.values.agents, name) && !sameRecorded(agents[name], concealedEntry(knownAgent(name, config, cwd))))
  return [...chosen, ...entries.map((name): Changed => ({ key: `agents.${name}`, flag: name }))]
}

/** Settings that name nobody, or that could not be begun with, are no reason to speak. */
function rolesNow(config: Config, { procedure, roles }: Session): Record<string, string> {
  try {
    return rolesOf(procedure, config)
  } catch (error) {
    if (error instanceof Refusal) return roles
    throw error
  }
}

function isFlag(origin: string | undefined): boolean {
  return origin?.startsWith('--') === true
}

function concealedEntry(entry: AgentEntry | null): AgentEntry | null {
  return entry && concealed(entry)
}
