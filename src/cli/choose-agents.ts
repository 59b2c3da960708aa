// Who answers each role of a procedure.
import { resolve } from 'node:path'
import { CLI_NAMES, type AgentEntry, type ChatEntry } from '../agent-entry.js'
import type { Config } from '../config/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
import type { TaskFlags } from './flags.js'
import { didYouMean } from './meant.js'

/** Whose agent answers for a role that nobody is named for. Whoever judges has to be named. */
const STANDS_IN: Readonly<Record<string, string>> = { planner: 'consultant', auditor: 'implementer', reviewer: 'implementer' }

/** Role → agent. A role that only a rung or a later phase needs may stay unfilled. */
export function rolesOf(procedure: Procedure, config: Config): Record<string, string> {
  const { agent } = config.values
  const known = rolesIn(procedure)
  const filled = known.flatMap((role) => {
    const name = agent[role] ?? agent['*'] ?? (judgesIn(procedure, role) ? undefined : agent[STANDS_IN[role] ?? ''])
    return name === undefined ? [] : [[role, name] as const]
  })
  refuseUnknownRole(procedure, known, config)
  const roles = Object.fromEntries(filled)
  const unfilled = neededRoles(procedure).find((role) => roles[role] === undefined)
  if (unfilled === undefined) return roles
  const text = `nobody answers as ${unfilled}: no agent is configured ("agent:" in greenlatch.yaml, --agent or --ai-cmd)`
  throw new Refusal(EXIT.usage, text, 'greenlatch run --ai-cmd "<command>"')
}

function refuseUnknownRole({ name }: Procedure, known: readonly string[], config: Config): void {
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
function neededRoles({ phases, start }: Procedure): string[] {
  return Object.entries(phases).flatMap(([name, phase]) => {
    return phase.kind === 'ask' && (phase.opensIteration || phase.judges || phase.wants === 'tests' || name === start) ? [phase.role] : []
  })
}

/** With `model`, what was asked for by flag: it holds for those who answer a role, and not for whoever stands in for them. */
export function agentsInUse(roles: Readonly<Record<string, string>>, config: Config, cwd: string, model?: string): Record<string, AgentEntry> {
  const used: Record<string, AgentEntry> = {}
  const add = (name: string): void => {
    if (name in used) return
    const entry = agentEntry(name, config, cwd)
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
  const text = `--model: ${names.map((name) => `"${name}"`).join(', ')} cannot be told which model to use`
  throw new Refusal(EXIT.usage, text, 'greenlatch run --model <name> --agent claude')
}

/** A flag wins over what the settings say of single roles too. */
function forAllRoles(entry: AgentEntry): Pick<ChatEntry, 'roles'> {
  if (!('chat' in entry) || !entry.roles) return {}
  const others = Object.entries(entry.roles).map(([role, settings]) => [role, Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'model'))])
  return { roles: Object.fromEntries(others) }
}

function agentEntry(name: string, config: Config, cwd: string): AgentEntry {
  const entry = config.values.agents[name]
  if (entry) return entry
  const known = CLI_NAMES.find((cli) => cli === name)
  if (known) return { cli: known }
  if (name === 'paste') return { paste: true }
  if (name === 'repair') return { repair: true }
  if (name.startsWith('scripted:')) return { script: resolve(cwd, name.slice('scripted:'.length)) }
  const meant = didYouMean(name, [...Object.keys(config.values.agents), ...CLI_NAMES, 'paste', 'repair'])
  const text = `there is no agent "${name}"${meant}; "greenlatch config" lists those there are`
  throw new Refusal(EXIT.usage, text, 'greenlatch run --ai-cmd "<command>"')
}

/** Where the choice comes from, for people: several flags choose an agent, and one of them at most is given. */
export function originOfAgent({ origins }: Config, { aiCmd, aiCmdAlias, url }: Pick<TaskFlags, 'aiCmd' | 'aiCmdAlias' | 'url'>): string {
  if (aiCmd !== undefined) return '--ai-cmd'
  if (aiCmdAlias !== undefined) return '--ai-cmd-alias'
  if (url !== undefined) return '--url'
  const found = Object.entries(origins).filter(([key]) => key === 'agent' || key.startsWith('agent.'))
  return (found.find(([, { tier }]) => tier === 'flag') ?? found[0])?.[1].where ?? 'none'
}
