// Agents by name: which there are, and who named one that there is not.
import { resolve } from 'node:path'
import { builtInEntry, CLI_NAMES, type AgentEntry } from '../agent-entry.js'
import type { Config } from '../config/types.js'
import type { TaskFlags } from './flags.js'
import { didYouMean } from './meant.js'

/** The flags that say who answers; one of them at most is given. */
export type AgentFlags = Pick<TaskFlags, 'agent' | 'aiCmd' | 'aiCmdAlias' | 'url' | 'model'>

/** The languages that the built-in repair agent knows. */
export const MENDED: readonly string[] = ['JavaScript', 'TypeScript', 'Python']

/** Where the choice comes from when nobody was configured and nobody was found. */
export const NOBODY_ELSE = 'the package itself: no other agent was found'

/** Those that need nothing installed. */
export const BUILT_IN: Readonly<Record<string, AgentEntry>> = { repair: { repair: true }, paste: { paste: true } }

/** What a name stands for: an entry of the settings comes before a known command line. Null where nobody has it. */
export function knownAgent(name: string, { values }: Pick<Config, 'values'>, cwd: string): AgentEntry | null {
  const entry = Object.hasOwn(values.agents, name) ? values.agents[name] : builtInEntry(name)
  if (entry) return entry
  return name.startsWith('scripted:') ? { script: resolve(cwd, name.slice('scripted:'.length)) } : null
}

/** All that can be named, but scripts. */
export function agentNames({ values }: Pick<Config, 'values'>): string[] {
  return [...new Set([...Object.keys(values.agents), ...CLI_NAMES, ...Object.keys(BUILT_IN)])]
}

/** To be put behind "there is no such agent": the nearest name, and who named this one. */
export function unknownAgent(name: string, config: Config, flags: AgentFlags = {}): string {
  return `${didYouMean(name, agentNames(config))}; named by ${namedBy(name, config, flags)}`
}

function namedBy(name: string, config: Config, flags: AgentFlags): string {
  const { values, origins } = config
  const role = Object.keys(values.agent).find((each) => values.agent[each] === name)
  const before = Object.keys(values.agents).find((each) => values.agents[each]?.fallback === name)
  const key = role === undefined ? `agents.${before}.fallback` : role === '*' ? 'agent' : `agent.${role}`
  const origin = origins[role === undefined ? `agents.${before}` : key]
  if (origin?.tier === 'flag') return originOfAgent(config, flags)
  return origin?.tier === 'project' || origin?.tier === 'user' ? `${origin.key ?? key}: in ${origin.where}` : (origin?.where ?? key)
}

/** Where the choice comes from, for people. */
export function originOfAgent({ origins }: Config, { aiCmd, aiCmdAlias, url }: AgentFlags): string {
  if (aiCmd !== undefined) return '--ai-cmd'
  if (aiCmdAlias !== undefined) return '--ai-cmd-alias'
  if (url !== undefined) return '--url'
  const found = Object.entries(origins).filter(([key]) => key === 'agent' || key.startsWith('agent.'))
  return (found.find(([, { tier }]) => tier === 'flag') ?? found[0])?.[1].where ?? NOBODY_ELSE
}
