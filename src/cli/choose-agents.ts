// Who answers each role of a procedure.
import { resolve } from 'node:path'
import { CLI_NAMES, type AgentEntry, type Config } from '../config/types.js'
import type { Procedure } from '../core/index.js'
import { EXIT, Refusal } from '../errors.js'
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

export function agentsInUse(roles: Readonly<Record<string, string>>, config: Config, cwd: string): Record<string, AgentEntry> {
  const used: Record<string, AgentEntry> = {}
  const add = (name: string): void => {
    if (name in used) return
    const entry = agentEntry(name, config, cwd)
    used[name] = entry
    if (entry.fallback !== undefined) add(entry.fallback)
  }
  for (const name of Object.values(roles)) add(name)
  return used
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

/** `--ai-cmd` both names an agent and chooses it. */
export function originOfAgent({ origins, values }: Config): string {
  if (values.agent['*'] === 'ai-cmd') return '--ai-cmd'
  const found = Object.entries(origins).find(([key]) => key === 'agent' || key.startsWith('agent.'))
  return found ? found[1].where : 'none'
}
